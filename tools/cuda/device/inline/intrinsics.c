// SPDX-License-Identifier: GPL-2.0
/*
 * What NVVM's intrinsics do on this GPU: "llvm.nvvm.NAME" is __nvvm_NAME() here.  uvm-retarget links
 * this to each program before it is optimised; an intrinsic that is not here is refused.
 */
#include <stdbool.h>
#include <softgpu_kernel.h>

#define INTRINSIC __attribute__((always_inline))

/* Special registers, as PTX calls them. */
#define REGISTER(name, type, value)						\
	INTRINSIC type __nvvm_read_ptx_sreg_##name(void) { return value; }

REGISTER(tid_x, uint32_t, thread_idx_x())
REGISTER(tid_y, uint32_t, thread_idx_y())
REGISTER(tid_z, uint32_t, thread_idx_z())
REGISTER(ntid_x, uint32_t, block_dim_x())
REGISTER(ntid_y, uint32_t, block_dim_y())
REGISTER(ntid_z, uint32_t, block_dim_z())
REGISTER(ctaid_x, uint32_t, block_idx_x())
REGISTER(ctaid_y, uint32_t, block_idx_y())
REGISTER(ctaid_z, uint32_t, block_idx_z())
REGISTER(nctaid_x, uint32_t, grid_dim_x())
REGISTER(nctaid_y, uint32_t, grid_dim_y())
REGISTER(nctaid_z, uint32_t, grid_dim_z())
REGISTER(laneid, uint32_t, lane_id())
REGISTER(warpid, uint32_t, warp_id())
REGISTER(warpsize, uint32_t, 32)
REGISTER(smid, uint32_t, sm_id())
REGISTER(lanemask_eq, uint32_t, 1u << lane_id())
REGISTER(lanemask_lt, uint32_t, (1u << lane_id()) - 1)
REGISTER(lanemask_le, uint32_t, (2u << lane_id()) - 1)
REGISTER(lanemask_gt, uint32_t, ~((2u << lane_id()) - 1))
REGISTER(lanemask_ge, uint32_t, ~((1u << lane_id()) - 1))
REGISTER(clock, uint32_t, clock_cycles())
REGISTER(clock64, uint64_t, clock_cycles())
REGISTER(clock_hi, uint32_t, (uint64_t)clock_cycles() >> 32)
REGISTER(globaltimer, uint64_t, global_timer_ns())
REGISTER(globaltimer_lo, uint32_t, (uint32_t)global_timer_ns())
REGISTER(globaltimer_hi, uint32_t, global_timer_ns() >> 32)

INTRINSIC void __nvvm_barrier0(void) { barrier(); }
INTRINSIC uint32_t __nvvm_activemask(void) { return active_mask(); }

/* A warp's accesses are seen by all in the order in which they are made. */
INTRINSIC void __nvvm_membar_cta(void) { memory_fence(); }
INTRINSIC void __nvvm_membar_gl(void) { memory_fence(); }
INTRINSIC void __nvvm_membar_sys(void) { memory_fence(); }

/* The hardware has no sleep: the warp looks at the clock until the time is over. */
INTRINSIC void __softuvm_nanosleep(uint32_t ns)
{
	uint64_t start = global_timer_ns();

	while (global_timer_ns() - start < ns)
		;
}

/*
 * The bit that is the @n-th set one of @mask from @base on: upwards, if n is negative downwards, and for
 * n = 0 @base itself; all ones if there is none.
 */
INTRINSIC int __nvvm_fns(int mask, int base, int n)
{
	int step = n < 0 ? -1 : 1;

	if (!n)
		return (uint32_t)mask >> (base & 31) & 1 ? base : -1;
	for (n *= step; base >= 0 && base < 32; base += step)
		if ((uint32_t)mask >> base & 1 && !--n)
			return base;
	return -1;
}
