// SPDX-License-Identifier: GPL-2.0
/* What the device's recorder is to record; see recorder.h. */
#include <linux/bitfield.h>
#include <softgpu/regs.h>
#include "policy/eviction.h"
#include "policy/lib/recorder.h"

static const struct uvm_param_word hpe_readings[] = {
	{ "each_jump", "MRU-C's search point moves on at each trigger, not once" },
	{ "in_all", "strategies compare how long they lasted in all, not the last time" },
	{ "least", "MRU-C takes page sets that are not full, too, as the least" },
	{ "anew", "each victim is searched anew; its page set does not stay chosen" },
	{ "replays", "the recorder counts the walk of an access that has faulted as a hit, too" },
	{ "every_walk", "the recorder counts walks for a page that the L2 TLB has got meanwhile" },
	{}
};

UVM_POLICY_PARAM_WORDS(hpe_readings, hpe_readings,
		       "other readings of the HPE paper: none, or words with + between (hpe.rst)");
UVM_POLICY_PARAM(recorder_replace, BOOL, 0, 0, 1,
		 "a hit that finds its set of the recorder full takes the first entry's place");
UVM_POLICY_PARAM(recorder_no_fill, BOOL, 0, 0, 1,
		 "walks fill no TLB while the recorder is on, so that it hears of each access");

static u32 recorder_mode(u32 feeds)
{
	if (feeds & UVM_FEED_WALKS)
		return RECORDER_MODE_WALKS;
	return feeds & UVM_FEED_HIR ? RECORDER_MODE_HIR : RECORDER_MODE_ACCESSES;
}

u32 uvm_recorder_config(const struct uvm_params *params, u32 feeds)
{
	u32 readings = uvm_param(params, hpe_readings), config;

	if (!(feeds & UVM_RECORDER_FEEDS))
		return FIELD_PREP(REG_RECORDER_MODE, RECORDER_MODE_OFF);
	config = FIELD_PREP(REG_RECORDER_MODE, recorder_mode(feeds));
	if (feeds & UVM_FEED_REQUESTS)
		config |= REG_RECORDER_REQUESTS;
	if (readings & UVM_HPE_REPLAYS)
		config |= REG_RECORDER_REPLAYS;
	if (readings & UVM_HPE_EVERY_WALK)
		config |= REG_RECORDER_EVERY_WALK;
	if (uvm_param(params, recorder_replace))
		config |= REG_RECORDER_REPLACE;
	if (uvm_param(params, recorder_no_fill))
		config |= REG_RECORDER_NO_FILL;
	return config;
}
