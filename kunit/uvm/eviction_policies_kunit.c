// SPDX-License-Identifier: GPL-2.0
/*
 * Eviction policies, each by strings of events (eviction_script.h), and what an evictor does
 * for any of them.
 */
#include <kunit/test.h>
#include "eviction_script.h"
#include "evictor_fixture.h"
#include "uvm/model/evictor.h"

struct policy_case {
	const char *policy;
	const char *rule;
	const char *script;
};

/* Of 4 units in 2 MB the first returns after 32 ticks, which is a rhythm; see range_pilot.c. */
#define PILOT_RETURN	"l0 +*32 r0 e0 "
#define PILOT_RHYTHM	"s4 f0 e0 " PILOT_RETURN PILOT_RETURN PILOT_RETURN PILOT_RETURN \
			PILOT_RETURN PILOT_RETURN PILOT_RETURN PILOT_RETURN
#define PILOT_FAILURE	"l0 +*32 k0 "
/* Twice 8 units of 2 MB: 4 that came first, and the others. */
#define PILOT_SIXTEEN	"s8 f0 e0 f1 e1 f2 e2 f3 e3 + f4 e4 f5 e5 f6 e6 f7 e7 + f8 e8 f9 e9 " \
			"f10 e10 f11 e11 f12 e12 f13 e13 f14 e14 f15 e15 "

static const struct policy_case policy_cases[] = {
	{ "lru", "least recently migrated to", "e0 e1 e2 >0" },
	{ "lru", "who is migrated to again goes last", "e0 e1 e2 e0 >1" },
	{ "lru", "not one that is being worked on", "e0 e1 !0 >1 =0 >0" },
	{ "lru", "what is accessed makes no difference", "e0 e1 + t0 >0" },
	{ "mru", "all have just come: as lru", "f0 e0 f1 e1 f2 e2 >0" },
	{ "mru", "most recently migrated to of those that rested", "f0 e0 f1 e1 f2*256 e2 >1" },
	{ "mru", "it rests for 256 faults", "f0 e0 f1 e1 f2*255 e2 >0" },
	{ "mru", "or until a launch has ended", "f0 e0 f1 e1 } f2 e2 >1" },
	{ "mru", "its begin is no reason", "f0 e0 f1 e1 { f2 e2 >0" },
	{ "mru", "prefetched pages are no faults", "f0 e0 f1 e1 p2*255 p2*255 e2 >0" },
	{ "mru", "who is migrated to again rests again", "f0 e0 f1 e1 f2*256 e2 f1 e1 >0" },
	{ "mru", "the next one when that has left", "f0 e0 f1 e1 f2*256 e2 l1 >0" },
	{ "mru", "it rests from when it enters, page or not", "f0 e0 f1*256 e1 e2 >0 l0 e0 >1" },
	{ "mru", "a unit without a page is not looked at", "f0 e0 f1*256 e1 b2 >0 l0 >1" },
	{ "mru", "all rest: in the order", "b0 b1 >0" },
	{ "mru", "not one that is being worked on", "f0 e0 f1 e1 f2*256 e2 !1 >0" },
	{ "fifo", "first in, first out", "e0 e1 e2 >0" },
	{ "fifo", "who is migrated to again keeps its place", "e0 e1 e2 e0 >0" },
	{ "fifo", "who has left is new when it comes back", "e0 e1 e2 >0 l0 e0 >1" },
	{ "fifo", "not one that is being worked on", "e0 e1 !0 >1 =0 >0" },
	{ "accessed", "never accessed: as lru", "e0 e1 e2 >0" },
	{ "accessed", "what was accessed goes behind what was not", "e0 + e1 + t0 >1" },
	{ "accessed", "in the order of last accesses", "e0 e1 e2 + t2 + t0 + t1 >2" },
	{ "accessed", "an access before it came is somebody else's", "t0 + e0 e1 >0" },
	{ "accessed", "not one that is being worked on", "e0 e1 !0 >1" },
	{ "linked", "least recently migrated to", "f0 e0 f1 e1 >0" },
	{ "linked", "what is used over the link as well stays", "f0 e0 f1 e1 n0 >1" },
	{ "linked", "unless all is", "f0 e0 f1 e1 n0 n1 >0" },
	{ "linked", "what came last does not go for it",
	  "f0 e0 f1 e1 f2 e2 f3 e3 f4 e4 f5 e5 f6 e6 f7 e7 f8 e8 n0 n1 n2 n3 n4 n5 n6 n7 >0" },
	{ "linked", "of what there is, not of what there could be",
	  "c4 f0 e0 f1 e1 f2 e2 f3 e3 n0 n1 >0" },
	{ "linked", "but an older one does",
	  "f0 e0 f1 e1 f2 e2 f3 e3 f4 e4 f5 e5 f6 e6 f7 e7 f8 e8 n0 n1 n2 n3 n4 n5 n6 >7" },
	{ "linked", "for a millisecond at least", "f0 e0 f1 e1 n0 M >1" },
	{ "linked", "after two it is forgotten", "f0 e0 f1 e1 n0 M M >0" },
	{ "linked", "unless it is used again", "f0 e0 f1 e1 n0 M n0 M >1" },
	{ "linked", "who says so twice is one", "f0 e0 f1 e1 n0 n1*16 >0 f2 e2 >2" },
	{ "returning", "least recently migrated to", "f0 e0 f1 e1 >0" },
	{ "returning", "what keeps returning stays", "f0 e0 f1 e1 m0 >1" },
	{ "returning", "unless all does", "f0 e0 f1 e1 m0 m1 >0" },
	{ "returning", "what came last does not go for it",
	  "f0 e0 f1 e1 f2 e2 f3 e3 f4 e4 f5 e5 f6 e6 f7 e7 f8 e8 m0 m1 m2 m3 m4 m5 m6 m7 >0" },
	{ "returning", "of what there is, not of what there could be",
	  "c4 f0 e0 f1 e1 f2 e2 f3 e3 m0 m1 >0" },
	{ "lru_walk", "least recently migrated to, if nothing is walked to", "f0 e0 f1 e1 >0" },
	{ "lru_walk", "who is walked to goes last", "f0 e0 f1 e1 n0 >1" },
	{ "lru_walk", "a prefetched page is no walk", "f0 e0 f1 e1 p0 >0 f0 >1" },
	{ "lru_walk", "entering again makes no difference", "f0 e0 f1 e1 e0 >0" },
	{ "lru_walk", "not one that is being worked on", "f0 e0 f1 e1 !0 >1 =0 >0" },
	{ "lru_walk", "who is gone is not walked to", "f0 e0 f1 e1 l0 n0 >1 f0 e0 >1 n1 >0" },
	{ "lru_walk", "an eviction that failed", "f0 e0 f1 e1 l0 k0 >1 n1 >0 n0 >1" },
	{ "lru_walk", "what was discarded is wanted again", "f0 e0 f1 e1 d0 e0 >1 n1 >0 n0 >1" },
	{ "lru_walk", "what is gone is not", "f0 e0 f1 e1 u0 e0 n0 n1 >0" },
	{ "lru_walk", "nor what was somebody else's", "f0 e0 f1 e1 l0 b0 e0 n0 n1 f0 >1" },
	{ "rrip", "the first frame of equals", "f1 e1 f0 e0 >1" },
	{ "rrip", "who is walked to is expected sooner", "f0 e0 f1 e1 n0 >1" },
	{ "rrip", "a unit keeps its frame", "f0 e0 f1 e1 f2 e2 l0 f0 e0 >0" },
	{ "rrip", "not one that is being worked on", "f0 e0 f1 e1 !0 >1 !1 =0 >0" },
	{ "rrip", "who is gone has no prediction", "f0 e0 f1 e1 l0 n0 >1" },
	{ "rrip", "an eviction that failed", "f0 e0 f1 e1 l0 k0 >0 n0 >1" },
	{ "rrip", "what was discarded is wanted again", "f0 e0 f1 e1 d0 e0 >0 n0 >1" },
	{ "rrip", "what is gone is not", "f0 e0 f1 e1 u0 e0 >1" },
	{ "clock_pro", "a cold page that was not used", "f0 e0 f1 e1 f2 e2 >1" },
	{ "clock_pro", "not one that is being worked on", "f0 e0 f1 e1 f2 e2 !1 >2 !2 >0" },
	{ "clock_pro", "who is used in its test period is hot", "f0 e0 f1 e1 f2 e2 n1 >2" },
	{ "clock_pro", "who comes back in time is hot", "f0 e0 f1 e1 f2 e2 >1 l1 f1 e1 >2" },
	{ "clock_pro", "who was freed is forgotten", "f0 e0 f1 e1 f2 e2 >1 l1 p1 e1 >2 l2 >1" },
	{ "clock_pro", "an eviction that failed", "f0 e0 f1 e1 f2 e2 >1 l1 k1 >2 l2 >1" },
	{ "clock_pro", "what was discarded is wanted again", "f0 e0 f1 e1 f2 e2 d1 e1 >2 l2 >1" },
	{ "clock_pro", "what is gone is not", "f0 e0 f1 e1 f2 e2 u1 e1 >2 l2 >0" },
	{ "min", "knows nothing here: as lru", "f0 e0 f1 e1 n0 >0" },
	{ "fnu", "knows nothing here: as lru", "f0 e0 f1 e1 n0 >0" },
	{ "hpe", "the oldest of the new", "f0 e0 f1 e1 >0" },
	{ "hpe", "in the new ones a touch moves nobody", "f0 e0 f1 e1 n0 >0" },
	{ "hpe", "an interval later it does", "f0 e0 f1 e1 f2*62 e2 n0 >1" },
	{ "hpe", "after two the most recently used, as often as there are pages",
	  "f0*16 e0 f1*16 e1 f2*96 e2 >1" },
	{ "hpe", "or the least recently used, if most are touched in no such way",
	  "f0*20 e0 f1*17 e1 f2*91 e2 >0" },
	{ "hpe", "prefetched pages are no touches", "p0*64 e0 f1*16 e1 f2*112 e2 >1" },
	{ "hpe", "not one that is being worked on", "f0 e0 f1 e1 !0 >1 =0 >1 !1 >0" },
	{ "hpe", "whoever it knows nothing of goes last", "e2 f0 e0 f1 e1 >0 l0 >1 l1 p2 >2" },
	{ "hpe", "an eviction that failed", "f0 e0 f1 e1 l0 k0 >1 l1 >0" },
	{ "hpe", "what was discarded is wanted again", "f0 e0 f1 e1 d0 e0 f2 e2 >1 l1 >0" },
	{ "hpe", "what is gone is not", "f0 e0 f1 e1 u0 e0 f2 e2 >1 l1 >2 l2 >0" },
	{ "hpe", "nor what was somebody else's", "f0 e0 f1 e1 l0 b0 e0 f2 e2 >1 l1 >2" },
	{ "lru_block", "least recently come, if nothing was accessed", "f0 e0 + f1 e1 >0" },
	{ "lru_block", "what was accessed goes behind what was not", "f0 e0 + f1 e1 + t0 >1" },
	{ "lru_block", "in the order of last accesses",
	  "f0 e0 f1 e1 f2 e2 + t2 + t0 + t1 >2 l2 >0 l0 >1" },
	{ "lru_block", "an access to any unit is one to its 2 MB",
	  "s2 f0 e0 + f1 e1 + f2 e2 + f3 e3 + t1 >2 l2 >3 l3 >0" },
	{ "lru_block", "a page that comes is one, too", "s2 f0 e0 + f2 e2 + f1 e1 >2" },
	{ "lru_block", "an access before it came is somebody else's", "t0 + f0 e0 + f1 e1 >0" },
	{ "lru_block", "not one that is being worked on", "f0 e0 + f1 e1 !0 >1 =0 >0" },
	{ "lru_block", "who has not got a page yet rests", "b0 + f1 e1 >1" },
	{ "lru_block", "who was there before goes by when it came", "e0 + f1 e1 >0" },
	{ "lru_block", "an eviction that failed", "s2 f0 e0 f1 e1 f2 e2 l0 + k0 >2 l2 >1 l1 >0" },
	{ "lru_block", "what was discarded is wanted again", "s2 f0 e0 f1 e1 f2 e2 d0 + e0 >2" },
	{ "lru_block", "what is gone is not", "s2 f0 e0 f1 e1 f2 e2 u0 + e0 >1 l1 >2 l2 >0" },
	{ "sle", "of the oldest 2 MB the oldest unit",
	  "s4 f0 e0 + f1 e1 + f2 e2 + f4 e4 + t0 >4 l4 >1 l1 >2 l2 >0" },
	{ "sle", "of equals the first that came", "s4 f2 e2 f0 e0 f1 e1 >2" },
	{ "tbne", "as sle",
	  "s4 f0 e0 + f1 e1 + f2 e2 + f4 e4 + t0 >4 l4 >1 l1 >2 l2 >0" },
	{ "reserve_lru", "a tenth of memory stays, of 16 units none but the first",
	  "f0 e0 + f1 e1 + f2 e2 >1 l1 >2 l2 >0" },
	{ "reserve_lru", "of what there is", "c4 f0 e0 + f1 e1 >0" },
	{ "reserve_lru", "by the order of accesses", "f0 e0 + f1 e1 + f2 e2 + t0 + t2 >0" },
	{ "lfu", "never accessed: the first that came", "f0 e0 + f1 e1 >0" },
	{ "lfu", "who was accessed least", "f0 e0 f1 e1 f2 e2 n0*2 n1 n2*3 >1" },
	{ "lfu", "of its 2 MB all count", "s2 f0 e0 f1 e1 f2 e2 n0*2 n1*2 n2*3 >2" },
	{ "lfu", "not one that is being worked on", "f0 e0 f1 e1 n0 !1 >0 =1 >1" },
	{ "adaptive", "by accesses, as lru_block", "f0 e0 + f1 e1 + t0 >1" },
	{ "adaptive_global", "by accesses, as lru_block", "f0 e0 + f1 e1 + t0 >1" },
	{ "pilot", "nothing is known: the one used longest ago", "f0 e0 + f1 e1 + f2 e2 >0 l0 >1" },
	{ "pilot", "hardware knows better", "f0 e0 + f1 e1 + f2 e2 + t0 >1" },
	{ "pilot", "an access before it came is somebody else's", "t0 + f0 e0 + f1 e1 >0" },
	{ "pilot", "not one that is being worked on", "f0 e0 + f1 e1 !0 >1 =0 >0" },
	{ "pilot", "who was there before goes by when it came", "e0 + f1 e1 >0" },
	{ "pilot", "all are at work", "f0 e0 + t0 >0" },
	{ "pilot", "a rhythm: what was used last goes first",
	  PILOT_RHYTHM "f1 e1 + f2 e2 + f3 e3 >3 l3 >2" },
	{ "pilot", "seven returns are none",
	  "s4 f0 e0 " PILOT_RETURN PILOT_RETURN PILOT_RETURN PILOT_RETURN PILOT_RETURN
	  PILOT_RETURN PILOT_RETURN "+ f1 e1 + f2 e2 >0" },
	{ "pilot", "nor is what is irregular",
	  PILOT_RHYTHM "l0 +*250 r0 e0 l0 +*250 r0 e0 + f1 e1 + f2 e2 >0" },
	{ "pilot", "it is that of an allocation alone", PILOT_RHYTHM "+ f4 e4 + f5 e5 !0 >4" },
	{ "pilot", "what is prefetched and unused has none",
	  PILOT_RHYTHM "f1 e1 + f2 e2 + p3 e3 >2" },
	{ "pilot", "until it is used", PILOT_RHYTHM "f1 e1 + f2 e2 + p3 f3 e3 >3" },
	{ "pilot", "what is at work stays", PILOT_RHYTHM "+ f1 e1 + f2 e2 + t2 >1" },
	{ "pilot", "what is late can be used any moment",
	  PILOT_RHYTHM "+ f1 e1 +*35 f5 e5 +*5 f4 e4 >5" },
	{ "pilot", "what is very late has stopped",
	  PILOT_RHYTHM "+ f1 e1 +*70 f5 e5 +*5 f4 e4 >0 l0 >1" },
	{ "pilot", "an eviction that failed is no return",
	  "s4 f0 e0 " PILOT_FAILURE PILOT_FAILURE PILOT_FAILURE PILOT_FAILURE PILOT_FAILURE
	  PILOT_FAILURE PILOT_FAILURE PILOT_FAILURE PILOT_FAILURE "+ f1 e1 + f2 e2 >0" },
	{ "pilot", "and it is what it was",
	  PILOT_RHYTHM "f1 e1 + f2 e2 + f3 e3 l3 k3 >3" },
	{ "pilot", "what is gone is not", PILOT_RHYTHM "f1 e1 + f2 e2 + u0 + e0 >2" },
	{ "pilot", "of its 2 MB goes along what was used hardly later, an eighth of memory at most",
	  PILOT_SIXTEEN "+*9 >0 &1 &2 |3" },
	{ "pilot", "unless it was used", PILOT_SIXTEEN "+*9 t1 >0 |1 &2 &3" },
	{ "pilot", "or much later", PILOT_SIXTEEN "+*9 !0 !1 !2 !3 >4 &5" },
	{ "pilot", "by an eighth of the time",
	  "s8 f0 e0 +*8 f1 e1 f2 e2 f3 e3 f4 e4 f5 e5 f6 e6 f7 e7 + f8 e8 >0 |1" },
	{ "pilot_recorder", "what a recorder says", "f0 e0 + f1 e1 + n0 >1" },
	{ "pilot_recorder", "hardware is not asked", "f0 e0 + f1 e1 !0 t0 =0 >0" },
	{ "random", "what may be evicted", "e3 >3" },
};

static void policies_by_events(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(policy_cases); i++)
		eviction_script(test, policy_cases[i].policy, policy_cases[i].script);
}

/* Every policy that there is, also one that has no table, survives what may happen. */
static void policies_survive(struct kunit *test)
{
	static const char * const scripts[] = {
		"e0 >0 l0 e0 >0", "e1 e1 e1 >1 l1", "e2 l2 e2 l2 e3 >3", "f4 e4 p4 r4 >4",
		"{ f5 e5 t5 n5 + } >5", "e6 !6 e7 >7 =6 l7 >6",
	};
	const struct uvm_policy *policy;

	for (unsigned int i = 0; (policy = uvm_policy_nth(UVM_POLICY_eviction, i)); i++) {
		const struct uvm_eviction_ops *ops =
			container_of(policy, struct uvm_eviction_ops, policy);

		KUNIT_EXPECT_EQ_MSG(test, ops->tick_by != UVM_TICK_NEVER, !!ops->tick_every,
				    "%s: a tick by something, every so many", policy->name);
		for (int n = 0; n < ARRAY_SIZE(scripts); n++)
			eviction_script(test, policy->name, scripts[n]);
	}
}

/* ---- what an evictor does ------------------------------------------------- */

/* Notes each event as a letter. */
struct noted {
	char text[64];
	unsigned int length;
};

static struct noted noted;

static void note(char what)
{
	if (noted.length + 1 < sizeof(noted.text))
		noted.text[noted.length++] = what;
	noted.text[noted.length] = 0;
}

static void note_init(struct uvm_eviction_ctx *ctx)
{
	note('i');
}

static void note_exit(struct uvm_eviction_ctx *ctx)
{
	note('x');
}

static void note_enter(struct uvm_eviction_ctx *ctx, u32 unit, u32 when, enum uvm_enter_why why)
{
	note('e');
}

static void note_leave(struct uvm_eviction_ctx *ctx, u32 unit, enum uvm_leave_why why)
{
	note('l');
}

static void note_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
			const struct uvm_eviction_page *page)
{
	note(page->demanded ? '0' + page->fault % 10 : 'p');
}

static void note_refault(struct uvm_eviction_ctx *ctx, u32 unit,
			 const struct uvm_eviction_page *page)
{
	note('r');
}

static void note_touch(struct uvm_eviction_ctx *ctx, u32 unit,
		       const struct uvm_eviction_touch *touch)
{
	note('t');
}

static void note_begin(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_launch *launch)
{
	note('{');
}

static void note_end(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_launch *launch)
{
	note('}');
}

static void note_full(struct uvm_eviction_ctx *ctx)
{
	note('F');
}

static void note_tick(struct uvm_eviction_ctx *ctx, u64 n)
{
	note('T');
}

static u32 note_pick(struct uvm_eviction_ctx *ctx)
{
	note('>');
	return uvm_eviction_first(ctx);
}

#define NOTES								\
	.init = note_init, .exit = note_exit, .enter = note_enter, .leave = note_leave, \
	.arrive = note_arrive, .refault = note_refault, .touch = note_touch, \
	.launch_begin = note_begin, .launch_end = note_end, .full = note_full, \
	.tick = note_tick, .pick = note_pick

struct event_case {
	const char *rule;
	enum uvm_tick_by by;
	u64 every;
	u32 feeds;
	const char *script;
	const char *noted;
};

static const struct event_case event_cases[] = {
	{ "each event once, in order", 0, 0, 0, "f0 e0 l0 { t0 }", "i0el{t}x" },
	{ "a page that comes back: first the refault", 0, 0, 0, "r0", "ir0x" },
	{ "faults are counted from 0, prefetches are none", 0, 0, 0, "f0 p1 f2 r3", "i0p1r2x" },
	{ "full once, at the first choice", 0, 0, 0, "e0 >0 >0", "ieF>>x" },
	{ "a tick every two faults, behind the page", UVM_TICK_FAULTS, 2, 0,
	  "f0 f1 p1 p1 f2 f3", "i01Tpp23Tx" },
	{ "a tick every three pages", UVM_TICK_PAGES, 3, 0, "f0 p1 p2 p3 f4 p5", "i0ppTp1pTx" },
	{ "the feed of accesses: at a tick, who was since the last, or in its time unit",
	  UVM_TICK_PAGES, 1, UVM_FEED_ACCESSED, "e0 e1 + + t0 p0 + + p1 p1", "ieetptTptTpTx" },
	{ "no tick without a need", UVM_TICK_NEVER, 0, UVM_FEED_ACCESSED, "e0 t0 f0 f0",
	  "iet01x" },
};

static void evictor_events(struct kunit *test)
{
	for (int i = 0; i < ARRAY_SIZE(event_cases); i++) {
		const struct event_case *c = &event_cases[i];
		struct uvm_eviction_ops ops = {
			.policy.name = "noting", .policy.feeds = c->feeds, .tick_by = c->by,
			.tick_every = c->every, NOTES
		};

		noted = (struct noted){};
		eviction_script_ops(test, &ops, c->script);
		KUNIT_EXPECT_STREQ_MSG(test, noted.text, c->noted, "%s", c->rule);
	}
}

/* Of memory that has a single unit. */
static struct uvm_evictor *evictor_of_one(struct kunit *test, const struct uvm_eviction_ops *ops)
{
	struct uvm_evictor_memory memory = {
		.params = fixture_params(test), .nr_units = 1, .unit_pages = 1,
	};

	return uvm_evictor_create(ops, &memory);
}

/* A policy that wants nothing is told nothing, and counts no call. */
static void evictor_wants_nothing(struct kunit *test)
{
	const struct uvm_eviction_ops *lru = uvm_policy_find_eviction("lru");
	struct uvm_eviction_page page = { .demanded = true, .returned = true };
	struct uvm_eviction_launch launch = {};
	struct uvm_evictor *e = evictor_of_one(test, lru);

	KUNIT_ASSERT_NOT_NULL(test, e);
	KUNIT_EXPECT_FALSE(test, uvm_evictor_wants_pages(e));
	uvm_evictor_enter(e, 0, 0, UVM_ENTER_BLOCK);
	uvm_evictor_leave(e, 0, UVM_LEAVE_FREED);
	uvm_evictor_arrive(e, 0, &page);
	uvm_evictor_launch(e, &launch, true);
	uvm_evictor_time(e, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, uvm_evictor_take_calls(e), 0);
	uvm_evictor_destroy(e);
}

/* Ticks of time: one call for each that is over, and no endless row of them after a pause. */
static void evictor_time_ticks(struct kunit *test)
{
	static const struct uvm_eviction_ops ops = {
		.policy.name = "clock", .tick_by = UVM_TICK_NS, .tick_every = 1000, NOTES
	};
	struct uvm_evictor *e = evictor_of_one(test, &ops);

	KUNIT_ASSERT_NOT_NULL(test, e);
	noted = (struct noted){};
	uvm_evictor_time(e, 5000);	/* begins here */
	uvm_evictor_time(e, 5999);
	KUNIT_EXPECT_STREQ(test, noted.text, "");
	uvm_evictor_time(e, 8000);
	KUNIT_EXPECT_STREQ(test, noted.text, "TTT");
	KUNIT_EXPECT_EQ(test, uvm_evictor_take_calls(e), 3);
	KUNIT_EXPECT_EQ(test, uvm_evictor_take_calls(e), 0);
	uvm_evictor_time(e, NSEC_PER_SEC);
	KUNIT_EXPECT_EQ(test, uvm_evictor_take_calls(e), 1024);
	uvm_evictor_destroy(e);
}

static u32 pick_nonsense(struct uvm_eviction_ctx *ctx)
{
	return 5;
}

static void hear_arrive(struct uvm_eviction_ctx *ctx, u32 unit,
			const struct uvm_eviction_page *page)
{
}

/* The last of all that it is shown. */
static u32 pick_last(struct uvm_eviction_ctx *ctx)
{
	u32 unit, last = UVM_UNIT_NONE;

	for (unit = uvm_eviction_first(ctx); unit != UVM_UNIT_NONE;
	     unit = uvm_eviction_next(ctx, unit))
		last = unit;
	return last;
}

/* Who is told of pages does not see a unit that a block has just got before one has come. */
static void evictor_units_rest(struct kunit *test)
{
	static const char * const hears[] = {
		"f0 e0 b1 >0", "f0 e0 b1 f1 >1", "f0 e0 f1 b1 >1", "f0 e0 f1 b1 l1 b1 >0",
		"f0 b0 b1 b2 f1 >1", "b0 b1 >0", "b0 e0 >0", "b0 f1 e1 >1",
	};
	struct uvm_eviction_ops ops = {
		.policy.name = "hears", .arrive = hear_arrive, .pick = pick_last,
	};

	for (int i = 0; i < ARRAY_SIZE(hears); i++)
		KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, hears[i]), 0);
	/* who is told of none sees all */
	ops.arrive = NULL;
	KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, "e0 b1 >1"), 0);
}

/* A wrong answer is replaced by the first in order, and counted. */
static void evictor_counts_wrong(struct kunit *test)
{
	static const struct uvm_eviction_ops ops = {
		.policy.name = "nonsense", .pick = pick_nonsense,
	};

	KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, "e0 >- >- l0 e5 >5"), 2);
	KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, "e0 e5 !5 >- =5 >5"), 1);
}

static u32 pick_same(struct uvm_eviction_ctx *ctx)
{
	return 1;
}

/* Nobody may evict the same unit for ever: without a page that comes, all of memory twice. */
static void evictor_stops_the_stubborn(struct kunit *test)
{
	static const struct uvm_eviction_ops ops = {
		.policy.name = "stubborn", .pick = pick_same,
	};
	struct uvm_evictor *e;

	KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, "e0 e1 >1*32"), 0);
	KUNIT_EXPECT_EQ(test, eviction_script_ops(test, &ops, "e0 e1 >1*32 >- >-"), 2);
	e = evictor_of_one(test, &ops);
	KUNIT_ASSERT_NOT_NULL(test, e);
	e->idle = 2;
	uvm_evictor_came(e);
	KUNIT_EXPECT_EQ(test, e->idle, 0);
	uvm_evictor_destroy(e);
}

/* Keeps page 1, if that was chosen, and wants another one. */
static void refuse_most(struct uvm_eviction_ctx *ctx, const struct uvm_eviction_prefetch *prefetch,
			struct uvm_page_mask *pages)
{
	bool kept = uvm_page_mask_test(pages, 1);

	uvm_page_mask_zero(pages);
	if (kept)
		uvm_page_mask_set(pages, 1);
	uvm_page_mask_set(pages, 500);
}

/* Nobody makes a prefetcher bring more than it has chosen; and a question costs a call. */
static void evictor_refuses(struct kunit *test)
{
	struct uvm_eviction_ops ops = {
		.policy.name = "refuses", .pick = pick_same, .refuse = refuse_most,
	};
	struct uvm_eviction_prefetch prefetch = {};
	struct uvm_page_mask pages;

	for (int asked = 1; asked >= 0; asked--) {
		struct uvm_evictor *e;

		ops.refuse = asked ? refuse_most : NULL;
		e = evictor_of_one(test, &ops);
		KUNIT_ASSERT_NOT_NULL(test, e);
		uvm_page_mask_zero(&pages);
		uvm_page_mask_set(&pages, 1);
		uvm_page_mask_set(&pages, 2);
		uvm_evictor_refuse(e, &prefetch, &pages);
		KUNIT_EXPECT_TRUE(test, uvm_page_mask_test(&pages, 1));
		KUNIT_EXPECT_EQ(test, uvm_page_mask_test(&pages, 2), !asked);
		KUNIT_EXPECT_FALSE(test, uvm_page_mask_test(&pages, 500));
		KUNIT_EXPECT_EQ(test, uvm_evictor_take_calls(e), asked);
		uvm_evictor_destroy(e);
	}
}

static struct kunit_case eviction_policies_cases[] = {
	KUNIT_CASE(policies_by_events),
	KUNIT_CASE(policies_survive),
	KUNIT_CASE(evictor_events),
	KUNIT_CASE(evictor_wants_nothing),
	KUNIT_CASE(evictor_time_ticks),
	KUNIT_CASE(evictor_units_rest),
	KUNIT_CASE(evictor_counts_wrong),
	KUNIT_CASE(evictor_stops_the_stubborn),
	KUNIT_CASE(evictor_refuses),
	{}
};

struct kunit_suite uvm_eviction_policies_suite = {
	.name = "uvm_eviction_policies",
	.test_cases = eviction_policies_cases,
};
