// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on blocks: nothing of one is left to the next; what is wanted by several.
 */
#include <kunit/test.h>
#include "uvm/block/service.h"

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

static struct kunit_case service_kunit_cases[] = {
	KUNIT_CASE(service_begins_anew),
	KUNIT_CASE(service_wants),
	{}
};

struct kunit_suite uvm_service_suite = {
	.name = "uvm_service",
	.test_cases = service_kunit_cases,
};
