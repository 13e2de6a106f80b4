/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of the device.  Addresses are device addresses; identifiers are
 * indices, never pointers, so that a trace of the virtual clock is repeatable.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM softgpu

#if !defined(SOFTGPU_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SOFTGPU_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(softgpu_launch,
	TP_PROTO(unsigned int gpu, u64 instance, u64 launch, u64 blocks, u32 threads, u64 time_ns),
	TP_ARGS(gpu, instance, launch, blocks, threads, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, instance)
		__field(u64, launch)
		__field(u64, blocks)
		__field(u32, threads)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->instance = instance;
		__entry->launch = launch;
		__entry->blocks = blocks;
		__entry->threads = threads;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u instance=%#llx launch=%llu blocks=%llu threads=%u time_ns=%llu",
		  __entry->gpu, __entry->instance, __entry->launch, __entry->blocks,
		  __entry->threads, __entry->time_ns)
);

TRACE_EVENT(softgpu_launch_done,
	TP_PROTO(unsigned int gpu, u64 instance, u64 launch, u32 reason, u64 instructions,
		 u64 time_ns),
	TP_ARGS(gpu, instance, launch, reason, instructions, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, instance)
		__field(u64, launch)
		__field(u32, reason)
		__field(u64, instructions)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->instance = instance;
		__entry->launch = launch;
		__entry->reason = reason;
		__entry->instructions = instructions;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u instance=%#llx launch=%llu reason=%u instructions=%llu time_ns=%llu",
		  __entry->gpu, __entry->instance, __entry->launch, __entry->reason,
		  __entry->instructions, __entry->time_ns)
);

TRACE_EVENT(softgpu_block_dispatch,
	TP_PROTO(unsigned int gpu, u64 instance, u64 launch, u64 block, u32 sm, u64 time_ns),
	TP_ARGS(gpu, instance, launch, block, sm, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, instance)
		__field(u64, launch)
		__field(u64, block)
		__field(u32, sm)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->instance = instance;
		__entry->launch = launch;
		__entry->block = block;
		__entry->sm = sm;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u instance=%#llx launch=%llu block=%llu sm=%u time_ns=%llu",
		  __entry->gpu, __entry->instance, __entry->launch, __entry->block, __entry->sm,
		  __entry->time_ns)
);

TRACE_EVENT(softgpu_block_switch,
	TP_PROTO(unsigned int gpu, u64 launch, u32 sm, u64 out, u64 in, u64 time_ns,
		 u64 duration_ns),
	TP_ARGS(gpu, launch, sm, out, in, time_ns, duration_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, launch)
		__field(u32, sm)
		__field(u64, out)
		__field(u64, in)
		__field(u64, time_ns)
		__field(u64, duration_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->launch = launch;
		__entry->sm = sm;
		__entry->out = out;
		__entry->in = in;
		__entry->time_ns = time_ns;
		__entry->duration_ns = duration_ns;
	),
	TP_printk("gpu=%u launch=%llu sm=%u out=%lld in=%llu time_ns=%llu duration_ns=%llu",
		  __entry->gpu, __entry->launch, __entry->sm, (s64)__entry->out, __entry->in,
		  __entry->time_ns, __entry->duration_ns)
);

TRACE_EVENT(softgpu_access_counter,
	TP_PROTO(unsigned int gpu, u64 instance, u64 va, u32 sub, u32 count, u32 bank, u32 tag,
		 u32 put, u64 time_ns),
	TP_ARGS(gpu, instance, va, sub, count, bank, tag, put, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, instance)
		__field(u64, va)
		__field(u32, sub)
		__field(u32, count)
		__field(u32, bank)
		__field(u32, tag)
		__field(u32, put)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->instance = instance;
		__entry->va = va;
		__entry->sub = sub;
		__entry->count = count;
		__entry->bank = bank;
		__entry->tag = tag;
		__entry->put = put;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u instance=%#llx va=%#llx sub=%#x count=%u bank=%u tag=%u put=%u time_ns=%llu",
		  __entry->gpu, __entry->instance, __entry->va, __entry->sub, __entry->count,
		  __entry->bank, __entry->tag, __entry->put, __entry->time_ns)
);

/* @access: FAULT_ACCESS_*, @type: FAULT_TYPE_* (fault_format.h) */
TRACE_EVENT(softgpu_fault,
	TP_PROTO(unsigned int gpu, u64 instance, u64 va, u32 type, u32 access, u32 gpc, u32 client,
		 u32 put, u64 time_ns),
	TP_ARGS(gpu, instance, va, type, access, gpc, client, put, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, instance)
		__field(u64, va)
		__field(u32, type)
		__field(u32, access)
		__field(u32, gpc)
		__field(u32, client)
		__field(u32, put)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->instance = instance;
		__entry->va = va;
		__entry->type = type;
		__entry->access = access;
		__entry->gpc = gpc;
		__entry->client = client;
		__entry->put = put;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u instance=%#llx va=%#llx type=%s access=%s gpc=%u client=%u put=%u time_ns=%llu",
		  __entry->gpu, __entry->instance, __entry->va,
		  __print_symbolic(__entry->type, { 0, "invalid_pde" }, { 1, "invalid_pde_size" },
				   { 2, "invalid_pte" }, { 3, "va_limit" }, { 4, "unbound" },
				   { 6, "ro_violation" }, { 7, "wo_violation" },
				   { 0xd, "region" }, { 0xf, "atomic_violation" }),
		  __print_symbolic(__entry->access, { 0, "read" }, { 1, "write" },
				   { 2, "atomic" }, { 3, "prefetch" }, { 4, "atomic_weak" }),
		  __entry->gpc, __entry->client, __entry->put, __entry->time_ns)
);

TRACE_EVENT(softgpu_replay,
	TP_PROTO(unsigned int gpu, u32 waiting, u64 time_ns),
	TP_ARGS(gpu, waiting, time_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, waiting)
		__field(u64, time_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->waiting = waiting;
		__entry->time_ns = time_ns;
	),
	TP_printk("gpu=%u waiting=%u time_ns=%llu", __entry->gpu, __entry->waiting,
		  __entry->time_ns)
);

TRACE_EVENT(softgpu_tlb_invalidate,
	TP_PROTO(unsigned int gpu, u64 pdb, u64 va, u32 log2_pages),
	TP_ARGS(gpu, pdb, va, log2_pages),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u64, pdb)
		__field(u64, va)
		__field(u32, log2_pages)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->pdb = pdb;
		__entry->va = va;
		__entry->log2_pages = log2_pages;
	),
	TP_printk("gpu=%u pdb=%#llx va=%#llx log2_pages=%u", __entry->gpu, __entry->pdb,
		  __entry->va, __entry->log2_pages)
);

#define sgpu_show_aperture(aperture) \
	__print_symbolic(aperture, { 0, "vid" }, { 1, "sys" }, { 2, "peer" })

/* apertures: enum rm_aperture */
TRACE_EVENT(softgpu_copy,
	TP_PROTO(unsigned int gpu, u32 engine, u64 bytes, u32 src_ap, u64 src, u32 dst_ap, u64 dst,
		 u64 time_ns, u64 duration_ns),
	TP_ARGS(gpu, engine, bytes, src_ap, src, dst_ap, dst, time_ns, duration_ns),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, engine)
		__field(u64, bytes)
		__field(u32, src_ap)
		__field(u64, src)
		__field(u32, dst_ap)
		__field(u64, dst)
		__field(u64, time_ns)
		__field(u64, duration_ns)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->engine = engine;
		__entry->bytes = bytes;
		__entry->src_ap = src_ap;
		__entry->src = src;
		__entry->dst_ap = dst_ap;
		__entry->dst = dst;
		__entry->time_ns = time_ns;
		__entry->duration_ns = duration_ns;
	),
	TP_printk("gpu=%u engine=%u bytes=%llu src=%s:%#llx dst=%s:%#llx time_ns=%llu duration_ns=%llu",
		  __entry->gpu, __entry->engine, __entry->bytes,
		  sgpu_show_aperture(__entry->src_ap), __entry->src,
		  sgpu_show_aperture(__entry->dst_ap), __entry->dst,
		  __entry->time_ns, __entry->duration_ns)
);

TRACE_EVENT(softgpu_channel_error,
	TP_PROTO(unsigned int gpu, u32 channel, u32 error, u32 method),
	TP_ARGS(gpu, channel, error, method),
	TP_STRUCT__entry(
		__field(u32, gpu)
		__field(u32, channel)
		__field(u32, error)
		__field(u32, method)
	),
	TP_fast_assign(
		__entry->gpu = gpu;
		__entry->channel = channel;
		__entry->error = error;
		__entry->method = method;
	),
	TP_printk("gpu=%u channel=%u error=%u method=%#x", __entry->gpu, __entry->channel,
		  __entry->error, __entry->method)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
