// SPDX-License-Identifier: GPL-2.0
/* Bodies of the trace events. */
#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "base/trace.h"
#endif
