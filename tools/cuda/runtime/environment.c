// SPDX-License-Identifier: GPL-2.0
/* What the environment asks of a program: memory, parameters, a report, events, a trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

cudaError_t rt_environment_begin(void)
{
	return cudaSuccess;
}

void rt_environment_end(void)
{
}
