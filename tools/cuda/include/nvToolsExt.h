/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Marks for a profiler that is not there.  Names and numbers are those of NVTX 2 and 3
 * (docs.nvidia.com/nvtx, and NVIDIA/NVTX: nvToolsExt.h).
 */
#ifndef SOFTUVM_NVTOOLSEXT_H
#define SOFTUVM_NVTOOLSEXT_H

#include <stdint.h>

#define NVTX_VERSION	3

typedef uint64_t nvtxRangeId_t;

enum nvtxColorType_t {
	NVTX_COLOR_UNKNOWN = 0,
	NVTX_COLOR_ARGB = 1
};

enum nvtxMessageType_t {
	NVTX_MESSAGE_UNKNOWN = 0,
	NVTX_MESSAGE_TYPE_ASCII = 1,
	NVTX_MESSAGE_TYPE_UNICODE = 2,
	NVTX_MESSAGE_TYPE_REGISTERED = 3
};

enum nvtxPayloadType_t {
	NVTX_PAYLOAD_UNKNOWN = 0,
	NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
	NVTX_PAYLOAD_TYPE_INT64 = 2,
	NVTX_PAYLOAD_TYPE_DOUBLE = 3
};

typedef struct nvtxEventAttributes_v2 {
	uint16_t version;
	uint16_t size;
	uint32_t category;
	int32_t colorType;
	uint32_t color;
	int32_t payloadType;
	int32_t reserved0;
	union {
		uint64_t ullValue;
		int64_t llValue;
		double dValue;
	} payload;
	int32_t messageType;
	union {
		const char *ascii;
		const void *unicode;
	} message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE	((uint16_t)sizeof(nvtxEventAttributes_t))

static inline void nvtxMarkA(const char *text)
{
	(void)text;
}

static inline void nvtxMarkEx(const nvtxEventAttributes_t *event)
{
	(void)event;
}

static inline int nvtxRangePushA(const char *text)
{
	(void)text;
	return 0;
}

static inline int nvtxRangePushEx(const nvtxEventAttributes_t *event)
{
	(void)event;
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

static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *event)
{
	(void)event;
	return 0;
}

static inline void nvtxRangeEnd(nvtxRangeId_t id)
{
	(void)id;
}

static inline void nvtxNameOsThreadA(uint32_t thread, const char *text)
{
	(void)thread;
	(void)text;
}

static inline void nvtxNameCategoryA(uint32_t category, const char *text)
{
	(void)category;
	(void)text;
}

#define nvtxMark		nvtxMarkA
#define nvtxRangePush		nvtxRangePushA
#define nvtxRangeStart		nvtxRangeStartA
#define nvtxNameOsThread	nvtxNameOsThreadA
#define nvtxNameCategory	nvtxNameCategoryA

#endif
