// SPDX-License-Identifier: GPL-2.0
/*
 * Event rings: when a reader is told: at its threshold, once until it has read
 * (nvidia-uvm 6.6).
 */
#include <kunit/test.h>
#include <linux/uvm.h>
#include "uvm/base/event.h"

#define RING_MARK	8

/* A step changes one thing, then this is the state. */
struct uvm_event_wake_step {
	enum {
		WAKE_END,
		WAKE_APPEND,		/* so many, asking after each: wakes are counted */
		WAKE_TAKE,		/* so many */
		WAKE_THRESHOLD,		/* to so many, then ask */
		WAKE_FLUSH,		/* then ask */
	} what;
	u32 n;
	bool due;
	u32 wakes;
};

struct uvm_event_wake_case {
	const char *rule;
	struct uvm_event_wake_step steps[8];
};

static const struct uvm_event_wake_case uvm_event_wake_cases[] = {
	{ "by default the first record wakes",
	  { { WAKE_APPEND, 1, true, 1 } } },
	{ "once per get: more records do not wake again",
	  { { WAKE_APPEND, 5, true, 1 } } },
	{ "after a get the next record wakes, if enough are there",
	  { { WAKE_APPEND, 5, true, 1 }, { WAKE_TAKE, 1, true, 0 }, { WAKE_APPEND, 2, true, 1 } } },
	{ "below the threshold nobody is woken",
	  { { WAKE_THRESHOLD, 4, false, 0 }, { WAKE_APPEND, 3, false, 0 } } },
	{ "at the threshold, once",
	  { { WAKE_THRESHOLD, 4, false, 0 }, { WAKE_APPEND, 4, true, 1 },
	    { WAKE_APPEND, 3, true, 0 } } },
	{ "taken below it: not due any more, then woken anew",
	  { { WAKE_THRESHOLD, 4, false, 0 }, { WAKE_APPEND, 4, true, 1 },
	    { WAKE_TAKE, 1, false, 0 }, { WAKE_APPEND, 1, true, 1 } } },
	{ "a lower threshold wakes at once",
	  { { WAKE_THRESHOLD, 4, false, 0 }, { WAKE_APPEND, 3, false, 0 },
	    { WAKE_THRESHOLD, 3, true, 1 }, { WAKE_APPEND, 1, true, 0 } } },
	{ "a higher one withdraws",
	  { { WAKE_APPEND, 3, true, 1 }, { WAKE_THRESHOLD, 4, false, 0 },
	    { WAKE_APPEND, 1, true, 1 } } },
	{ "a flush makes few records due",
	  { { WAKE_THRESHOLD, 8, false, 0 }, { WAKE_APPEND, 2, false, 0 },
	    { WAKE_FLUSH, 0, true, 1 } } },
	{ "those that come after it are not",
	  { { WAKE_THRESHOLD, 8, false, 0 }, { WAKE_APPEND, 2, false, 0 },
	    { WAKE_FLUSH, 0, true, 1 }, { WAKE_APPEND, 2, true, 0 },
	    { WAKE_TAKE, 1, true, 0 },
	    { WAKE_TAKE, 1, false, 0 }, { WAKE_APPEND, 1, false, 0 } } },
	{ "a flush of nothing wakes nobody",
	  { { WAKE_FLUSH, 0, false, 0 }, { WAKE_APPEND, 1, true, 1 } } },
	{ "threshold at the mark: full is due",
	  { { WAKE_THRESHOLD, RING_MARK, false, 0 }, { WAKE_APPEND, RING_MARK, true, 1 } } },
};

static void uvm_event_wake_desc(const struct uvm_event_wake_case *c, char *desc)
{
	strscpy(desc, c->rule, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(uvm_event_wake, uvm_event_wake_cases, uvm_event_wake_desc);

static u32 uvm_event_wake_do(struct uvm_event_ring *ring, const struct uvm_event_wake_step *step)
{
	struct uvm_event ev = { .type = UVM_EVENT_COPY };
	u32 i, wakes = 0;

	switch (step->what) {
	case WAKE_APPEND:
		for (i = 0; i < step->n; i++) {
			uvm_event_ring_append(ring, &ev);
			wakes += uvm_event_ring_wakes(ring);
		}
		return wakes;
	case WAKE_TAKE:
		for (i = 0; i < step->n; i++)
			uvm_event_ring_consume(ring, 1);
		return 0;
	case WAKE_THRESHOLD:
		uvm_event_ring_set_threshold(ring, step->n);
		return uvm_event_ring_wakes(ring);
	case WAKE_FLUSH:
		uvm_event_ring_flush(ring);
		return uvm_event_ring_wakes(ring);
	default:
		return 0;
	}
}

static void uvm_event_wake_steps(struct kunit *test)
{
	const struct uvm_event_wake_case *c = test->param_value;
	struct uvm_event *records = kunit_kcalloc(test, RING_MARK, sizeof(*records), GFP_KERNEL);
	struct uvm_event_ring ring;
	u32 i, wakes;

	KUNIT_ASSERT_NOT_NULL(test, records);
	uvm_event_ring_init(&ring, records, RING_MARK, 0);
	KUNIT_EXPECT_FALSE(test, uvm_event_ring_due(&ring));
	for (i = 0; i < ARRAY_SIZE(c->steps) && c->steps[i].what != WAKE_END; i++) {
		wakes = uvm_event_wake_do(&ring, &c->steps[i]);
		KUNIT_EXPECT_EQ_MSG(test, wakes, c->steps[i].wakes, "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, uvm_event_ring_due(&ring), c->steps[i].due, "step %u", i);
	}
}

static struct kunit_case uvm_event_wake_suite_cases[] = {
	KUNIT_CASE_PARAM(uvm_event_wake_steps, uvm_event_wake_gen_params),
	{ }
};

struct kunit_suite uvm_event_wake_suite = {
	.name = "uvm_event_wake",
	.test_cases = uvm_event_wake_suite_cases,
};
