/* SPDX-License-Identifier: GPL-2.0 */
/* Marks for a profiler that is not there. */
#ifndef SOFTUVM_NVTOOLSEXT_H
#define SOFTUVM_NVTOOLSEXT_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;

static inline void nvtxMarkA(const char *text)
{
	(void)text;
}

static inline int nvtxRangePushA(const char *text)
{
	(void)text;
	return 0;
}

static inline int nvtxRangePop(void)
{
	return 0;
}

static inline nvtxRangeId_t nvtxRangeStartA(const char *text)
{
	(void)text;
	return 0;
}

static inline void nvtxRangeEnd(nvtxRangeId_t id)
{
	(void)id;
}

#define nvtxMark	nvtxMarkA
#define nvtxRangePush	nvtxRangePushA
#define nvtxRangeStart	nvtxRangeStartA

#endif
