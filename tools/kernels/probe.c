// SPDX-License-Identifier: GPL-2.0
/*
 * probe: the accesses of `uvm probe`.
 *
 * "probe_serial": one thread touches offsets one after the other; each access
 * has completed before the next is issued.  "probe_warp": each lane touches its
 * own offset in one instruction; lanes without an offset are masked off.
 */
#ifndef KERNEL_PROBE_C
#define KERNEL_PROBE_C

#include <stdint.h>

#define PROBE_OFFSETS	500	/* an argument block holds 4096 bytes */

struct probe_args {
	char *base;
	uint32_t count;
	uint32_t write;
	uint64_t offset[PROBE_OFFSETS];
};

#ifdef __riscv
#include <softgpu_kernel.h>

void probe_serial(const struct probe_args *args)
{
	uint64_t zero = 0;

	for (uint32_t i = 0; i < args->count; i++) {
		volatile uint8_t *at = (volatile uint8_t *)args->base + args->offset[i] + zero;

		if (args->write) {
			*at = (uint8_t)(i + 1);
			__asm__ volatile("fence rw, rw" ::: "memory");
		} else {
			uint64_t value = *at;

			/* The next address depends on the value, though not in size. */
			__asm__ volatile("and %0, %1, zero" : "=r"(zero) : "r"(value) : "memory");
		}
	}
}

void probe_warp(const struct probe_args *args)
{
	uint32_t lane = thread_idx_x();
	volatile uint8_t *at;

	if (lane >= args->count)
		return;

	at = (volatile uint8_t *)args->base + args->offset[lane];
	if (args->write) {
		*at = (uint8_t)(lane + 1);
	} else {
		uint64_t value = *at;

		__asm__ volatile("" :: "r"(value) : "memory");
	}
}
#endif

#endif
