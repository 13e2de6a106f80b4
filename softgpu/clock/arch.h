/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the device needs of the machine below it, which kernels for x86-64 give in two
 * ways: arch_x86.c is for a kernel on the bare machine or in a VM, arch_um.c for User Mode
 * Linux, where the kernel is a program like any other.  (FPU sections need no word here:
 * <asm/fpu/api.h> has both.)
 */
#ifndef SOFTGPU_ARCH_H
#define SOFTGPU_ARCH_H

#include <linux/irq_work.h>

/**
 * sgpu_arch_wide - may code between sgpu_fpu_begin() and sgpu_fpu_end() use AVX2 and FMA3?
 *
 * Return: the CPU has both, and its wide registers are kept for whoever is interrupted.
 */
bool sgpu_arch_wide(void);

/**
 * sgpu_arch_interrupt - run a function in hard interrupt context
 * @work: made by IRQ_WORK_INIT_HARD()
 * @wait: return after it has run
 *
 * Comes at once, or as soon as the CPU can take an interrupt; calls that come before it runs
 * are one.  Any context with interrupts on and no lock held that @work's function takes.
 */
void sgpu_arch_interrupt(struct irq_work *work, bool wait);

#endif
