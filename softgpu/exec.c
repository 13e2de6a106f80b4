// SPDX-License-Identifier: GPL-2.0
/* Which variant of the hottest lane loops runs; see SGPU_WIDE. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include <asm/cpufeature.h>
#include <asm/fpu/xstate.h>
#include "exec.h"

bool sgpu_wide;

void sgpu_exec_use_wide(bool wanted)
{
	sgpu_wide = wanted && boot_cpu_has(X86_FEATURE_AVX2) && boot_cpu_has(X86_FEATURE_FMA) &&
		    cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM, NULL);
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_use_wide);
