// SPDX-License-Identifier: GPL-2.0
/* Addresses for managed memory: in order, a block apart, and again once they are free. */
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>

#include "../lib/addresses.h"
#include "../lib/internal.h"
#include "test.h"

#define REGION	(UVM_ADDRESSES_END - UVM_ADDRESSES_START)
#define GB	(1UL << 30)

static void test_order(void)
{
	uint64_t first = (uintptr_t)uvm_reserve(1, UVM_BLOCK_SIZE), second = (uintptr_t)uvm_reserve(UVM_BLOCK_SIZE, UVM_BLOCK_SIZE);
	uint64_t third = (uintptr_t)uvm_reserve(1, UVM_BLOCK_SIZE);

	CHECK(first == UVM_ADDRESSES_START, "%#lx", first);
	CHECK(second == first + 2 * UVM_BLOCK_SIZE, "a block apart: %#lx", second);
	CHECK(third == second + 2 * UVM_BLOCK_SIZE, "a block apart: %#lx", third);
	munmap((void *)first, 1);
	munmap((void *)second, UVM_BLOCK_SIZE);
	munmap((void *)third, 1);
}

static void test_no_gap(void)
{
	uint64_t first = (uintptr_t)uvm_reserve(1, 0), second = (uintptr_t)uvm_reserve(1, 0);

	CHECK(second == first + UVM_BLOCK_SIZE, "the next block: %#lx, %#lx", first, second);
	munmap((void *)first, 1);
	munmap((void *)second, 1);
}

/* A program that allocates and frees for long comes to the end of the region. */
static void test_again(void)
{
	void *kept = uvm_reserve(GB, UVM_BLOCK_SIZE), *base = NULL;
	unsigned int i;

	for (i = 0; i < 3 * REGION / GB && base != MAP_FAILED; i++) {
		base = uvm_reserve(GB, UVM_BLOCK_SIZE);
		CHECK(base != kept && base != MAP_FAILED, "allocation %u", i);
		CHECK((uintptr_t)base >= UVM_ADDRESSES_START &&
		      (uintptr_t)base + GB <= UVM_ADDRESSES_END, "allocation %u at %p", i, base);
		munmap(base, GB);
	}
	munmap(kept, GB);
}

static void test_full(void)
{
	CHECK(uvm_reserve(REGION, UVM_BLOCK_SIZE) == MAP_FAILED && errno == ENOMEM, "no room for the gap");
	CHECK(uvm_reserve(1UL << 60, UVM_BLOCK_SIZE) == MAP_FAILED && errno == ENOMEM, "larger than the region");
}

/* A program whose first region is taken, as by AddressSanitizer. */
static void test_taken(void)
{
	uint64_t base;

	mmap((void *)UVM_ADDRESSES_START, REGION, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	base = (uintptr_t)uvm_reserve(GB, UVM_BLOCK_SIZE);
	CHECK(base == 0x200000000000, "%#lx", base);
	base = (uintptr_t)uvm_reserve(GB, UVM_BLOCK_SIZE);
	CHECK(base == 0x200000000000 + GB + UVM_BLOCK_SIZE, "%#lx", base);
}

int main(void)
{
	test_order();
	test_no_gap();
	test_again();
	test_full();
	test_taken();
	return test_end("memory");
}
