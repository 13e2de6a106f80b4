// SPDX-License-Identifier: GPL-2.0
/* User Mode Linux, see arch.h. */
#include <linux/hardirq.h>
#include <asm/cpufeature.h>
#include "clock/arch.h"

/* The host saves all registers of a program that it interrupts. */
bool sgpu_arch_wide(void)
{
	return boot_cpu_has(X86_FEATURE_AVX2) && boot_cpu_has(X86_FEATURE_FMA);
}

/*
 * No CPU can interrupt itself here: irq_work waits for the next tick, up to 10 ms.  So be
 * the interrupt.  There is one CPU, and it always waits.
 */
void sgpu_arch_interrupt(struct irq_work *work, bool wait)
{
	unsigned long flags;

	local_irq_save(flags);
	__irq_enter_raw();
	work->func(work);
	__irq_exit_raw();
	local_irq_restore(flags);
}
