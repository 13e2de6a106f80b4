// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on blocks: nothing of one is left to the next; what is wanted by several; whose
 * turn it is.
 */
#include <kunit/test.h>
#include "uvm/block/service_priv.h"
#include "uvm/block/va_block.h"
#include "uvm/gpu/gpu.h"

extern struct kunit_suite uvm_service_suite;

#define PAGE	7

static struct uvm_service *service_new(struct kunit *test)
{
	struct uvm_service *service = uvm_service_alloc();

	KUNIT_ASSERT_NOT_NULL(test, service);
	return service;
}

/* Who begins an operation gives all of its request; the rest is as of a new one. */
static void service_begins_anew(struct kunit *test)
{
	const struct uvm_service_request first = {
		.span = { .start = 4096, .end = 8191, .policy.accessed_by = 3 },
		.requester = UVM_ID_GPU(0),
		.batch = 9,
		.operation = UVM_OPERATION_ACCESS_COUNTER,
		.cause = UVM_CAUSE_ACCESS_COUNTER,
	}, second = { .requester = UVM_ID_GPU(1) };
	struct uvm_service *service = service_new(test);

	uvm_service_begin(service, &first);
	KUNIT_EXPECT_MEMEQ(test, &service->request, &first, sizeof(first));
	uvm_service_want(service, PAGE, UVM_ACCESS_ATOMIC, true);
	uvm_service_pin(service, PAGE, UVM_ID_GPU(0));
	service->result = (struct uvm_service_result){ 1, 2, true, 3, 4 };
	uvm_service_begin(service, &second);
	KUNIT_EXPECT_MEMEQ(test, &service->request, &second, sizeof(second));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&service->pages.wanted));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&service->pages.only_atomics));
	KUNIT_EXPECT_TRUE(test, uvm_page_mask_empty(&service->pages.pinned));
	KUNIT_EXPECT_EQ(test, 0, service->result.retries);
	KUNIT_EXPECT_EQ(test, 0, service->result.prefetched);
	KUNIT_EXPECT_FALSE(test, service->result.fresh);
	KUNIT_EXPECT_EQ(test, 0ULL, service->result.bytes_to_gpu);
	KUNIT_EXPECT_EQ(test, 0ULL, service->result.first_copy_ns);
	uvm_service_free(service);
}

/* A page may be wanted by several faults: the strongest counts, and atomics if all are. */
static void service_wants(struct kunit *test)
{
	static const struct {
		const char *rule;
		enum uvm_access access[3];
		unsigned int wanted;
		enum uvm_access strongest;
		bool only_atomics;
	} rows[] = {
		{ "one", { UVM_ACCESS_READ }, 1, UVM_ACCESS_READ, false },
		{ "weaker last", { UVM_ACCESS_WRITE, UVM_ACCESS_READ }, 2,
		  UVM_ACCESS_WRITE, false },
		{ "atomics", { UVM_ACCESS_ATOMIC, UVM_ACCESS_ATOMIC }, 2, UVM_ACCESS_ATOMIC, true },
		{ "not only", { UVM_ACCESS_READ, UVM_ACCESS_ATOMIC }, 2, UVM_ACCESS_ATOMIC, false },
		{ "not only, later", { UVM_ACCESS_ATOMIC, UVM_ACCESS_WRITE, UVM_ACCESS_ATOMIC }, 3,
		  UVM_ACCESS_ATOMIC, false },
	};
	const struct uvm_service_request request = {};
	struct uvm_service *service = service_new(test);
	unsigned int i, n;

	uvm_service_begin(service, &request);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		uvm_service_want_nothing(service);
		for (n = 0; n < rows[i].wanted; n++)
			uvm_service_want(service, PAGE, rows[i].access[n],
					 rows[i].access[n] == UVM_ACCESS_ATOMIC);
		KUNIT_EXPECT_EQ_MSG(test, rows[i].strongest, service->pages.access[PAGE], "%s",
				    rows[i].rule);
		KUNIT_EXPECT_EQ_MSG(test, rows[i].only_atomics,
				    uvm_page_mask_test(&service->pages.only_atomics, PAGE), "%s",
				    rows[i].rule);
		KUNIT_EXPECT_EQ(test, 1, uvm_page_mask_weight(&service->pages.wanted));
	}
	uvm_service_free(service);
}

/* What an operation lacks, attempt by attempt, and whose turns it has meanwhile. */
struct service_turns {
	struct kunit *test;
	u16 seen;
};

/* Without memory of the last GPU from the first attempt on, of the first one from the 20th. */
static int service_lacks(struct uvm_service *service, const void *arg)
{
	struct service_turns *turns = *(struct service_turns *const *)arg;
	unsigned int n = service->result.retries, last = uvm_gpu_count() - 1, i;

	turns->seen = 0;
	for (i = 0; i <= last; i++)
		if (mutex_is_locked(&uvm_gpu(i)->service_turn.mutex))
			turns->seen |= BIT(i);
	/* so many attempts are made before anybody waits */
	KUNIT_EXPECT_EQ(turns->test, turns->seen,
			n < 16 ? 0 : n <= 20 ? BIT(last) : BIT(last) | BIT(0));
	if (n == 24)
		return 0;
	service->scratch->lacks |= n < 20 ? BIT(last) : BIT(0);
	return -EAGAIN;
}

/*
 * An operation takes its turn at the GPUs whose memory it lacks, and at no other; those that
 * it has are given back before it waits for one that comes before them.
 */
static void service_takes_turns(struct kunit *test)
{
	struct uvm_va_space *va_space = kunit_kzalloc(test, sizeof(*va_space), GFP_KERNEL);
	struct uvm_va_block *block = kunit_kzalloc(test, sizeof(*block), GFP_KERNEL);
	struct service_turns turns = { .test = test }, *arg = &turns;
	struct uvm_service *service = service_new(test);
	struct sim_task self;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, va_space);
	KUNIT_ASSERT_NOT_NULL(test, block);
	sim_rwsem_init(&va_space->lock);
	sim_mutex_init(&block->lock);
	uvm_service_begin(service, &(struct uvm_service_request){
		.va_space = va_space,
		.block = block,
	});
	sim_enter(&self);
	sim_down_read(&va_space->lock);
	KUNIT_EXPECT_EQ(test, 0, uvm_service_try(service, service_lacks, &arg));
	sim_up_read(&va_space->lock);
	sim_leave(&self);
	KUNIT_EXPECT_EQ(test, 24, service->result.retries);
	for (i = 0; i < uvm_gpu_count(); i++)
		KUNIT_EXPECT_FALSE(test, mutex_is_locked(&uvm_gpu(i)->service_turn.mutex));
	uvm_service_free(service);
}

static struct kunit_case service_kunit_cases[] = {
	KUNIT_CASE(service_begins_anew),
	KUNIT_CASE(service_wants),
	KUNIT_CASE(service_takes_turns),
	{}
};

struct kunit_suite uvm_service_suite = {
	.name = "uvm_service",
	.test_cases = service_kunit_cases,
};
