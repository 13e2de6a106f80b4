// SPDX-License-Identifier: GPL-2.0
/* A kernel with nothing inlined: clang 14 describes no function of it (source_line_test). */
#include <stdint.h>

void plain(uint32_t *words)
{
	words[0] = words[1];
}
