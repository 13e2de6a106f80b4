/* SPDX-License-Identifier: GPL-2.0 */
/* What the device's recorder is to record for eviction policies (Documentation/hardware.rst). */
#ifndef UVM_POLICY_RECORDER_H
#define UVM_POLICY_RECORDER_H

#include <linux/bits.h>
#include "policy/policy_param.h"

/* Feeds that need the device's recorder. */
#define UVM_RECORDER_FEEDS							\
	(UVM_FEED_WALKS | UVM_FEED_HIR | UVM_FEED_ACCESSES | UVM_FEED_REQUESTS)

/*
 * Where the HPE paper (TCAD 2020) can be read in two ways, hpe_readings has words for the ones that
 * are not the default: of its strategies (IV-D, IV-E) and of its recorder (IV-B).
 */
#define UVM_HPE_EACH_JUMP	BIT(0)
#define UVM_HPE_IN_ALL		BIT(1)
#define UVM_HPE_LEAST		BIT(2)
#define UVM_HPE_ANEW		BIT(3)
#define UVM_HPE_REPLAYS		BIT(4)
#define UVM_HPE_EVERY_WALK	BIT(5)

UVM_POLICY_PARAM_OF(hpe_readings);
UVM_POLICY_PARAM_OF(recorder_replace);

/**
 * uvm_recorder_config - what the recorder is to record
 * @params: of the VA space that chose the policy
 * @feeds: UVM_FEED_* of it
 *
 * Return: the value of REG_RECORDER_CONFIG; its mode is off unless one of @feeds asks for it.
 */
u32 uvm_recorder_config(const struct uvm_params *params, u32 feeds);

#endif
