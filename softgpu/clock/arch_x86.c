// SPDX-License-Identifier: GPL-2.0
/* A kernel that has the machine to itself, see arch.h. */
#include <asm/cpufeature.h>
#include <asm/fpu/xstate.h>
#include "clock/arch.h"

bool sgpu_arch_wide(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2) && boot_cpu_has(X86_FEATURE_FMA) &&
	       cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}

void sgpu_arch_interrupt(struct irq_work *work, bool wait)
{
	irq_work_queue(work);
	if (wait)
		irq_work_sync(work);
}
