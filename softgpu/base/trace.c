// SPDX-License-Identifier: GPL-2.0
/* Instantiates the trace events of softgpu. */
#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "base/trace.h"
#endif
