// SPDX-License-Identifier: GPL-2.0
/* Which variant of the hottest lane loops runs; see SGPU_WIDE. */
#include <kunit/visibility.h>
#include <linux/export.h>
#include "clock/arch.h"
#include "isa/exec.h"

bool sgpu_wide;

void sgpu_exec_use_wide(bool wanted)
{
	sgpu_wide = wanted && sgpu_arch_wide();
}
EXPORT_SYMBOL_IF_KUNIT(sgpu_exec_use_wide);
