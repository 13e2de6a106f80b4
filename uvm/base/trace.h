/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events of the driver: one per state change, with ids and addresses,
 * never pointers.  Raw values are recorded and decoded when printed, with
 * nothing that libtraceevent cannot parse.  @time_ns is driver time.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM uvm

#if !defined(UVM_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define UVM_TRACE_H

#include <linux/tracepoint.h>
#include <linux/uvm.h>
#include "base/types.h"

#ifndef UVM_TRACE_SYMBOLS
#define UVM_TRACE_SYMBOLS
/* Numbers, not enum names: the format file is read outside the kernel. */
#define uvm_trace_access(x) \
	__print_symbolic(x, { 0, "prefetch" }, { 1, "read" }, { 2, "write" }, { 3, "atomic" })
#define uvm_trace_fault_type(x) \
	__print_symbolic(x, { 0, "none" }, { 1, "invalid_pde" }, { 2, "invalid_pte" }, \
			 { 3, "ro_violation" }, { 4, "atomic_violation" }, { 5, "other" })
#define uvm_trace_cause(x) \
	__print_symbolic(x, { 0, "none" }, { 1, "fault" }, { 2, "prefetch" }, { 3, "eviction" }, \
			 { 4, "user" }, { 5, "cpu_fault" }, { 6, "policy" }, { 7, "unregister" }, \
			 { 8, "access_counter" })
/* Ids of types.h, since libtraceevent reads a negative number as a large one. */
#define uvm_trace_processor(x) \
	__print_symbolic(x, { 0, "cpu" }, { 1, "gpu0" }, { 2, "gpu1" }, { 3, "gpu2" }, \
			 { 4, "gpu3" }, { 5, "gpu4" }, { 6, "gpu5" }, { 7, "gpu6" }, \
			 { 8, "gpu7" }, { 255, "none" })
#define uvm_trace_chunk_op(x) \
	__print_symbolic(x, { 0, "alloc" }, { 1, "free" }, { 2, "split" }, { 3, "merge" })
#define uvm_trace_range_op(x) \
	__print_symbolic(x, { 0, "create" }, { 1, "split" }, { 2, "destroy" })
#define uvm_trace_pma_op(x) \
	__print_symbolic(x, { 0, "alloc" }, { 1, "free" }, { 2, "evict" })
#define uvm_trace_prot(x) \
	__print_symbolic(x, { 0, "none" }, { 1, "ro" }, { 2, "rw" }, { 3, "rwa" })

enum uvm_trace_chunk_op {
	UVM_TRACE_CHUNK_ALLOC,
	UVM_TRACE_CHUNK_FREE,
	UVM_TRACE_CHUNK_SPLIT,
	UVM_TRACE_CHUNK_MERGE,
};

enum uvm_trace_range_op {
	UVM_TRACE_RANGE_CREATE,
	UVM_TRACE_RANGE_SPLIT,
	UVM_TRACE_RANGE_DESTROY,
	UVM_TRACE_RANGE_MAP_EXTERNAL,
	UVM_TRACE_RANGE_UNMAP_EXTERNAL,
};

enum uvm_trace_pma_op {
	UVM_TRACE_PMA_ALLOC,
	UVM_TRACE_PMA_FREE,
	UVM_TRACE_PMA_EVICT,
};
#endif /* UVM_TRACE_SYMBOLS */

TRACE_EVENT(uvm_batch_begin,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch),
	TP_ARGS(time_ns, gpu, batch),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, batch)
		__field(u32, gpu)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->batch = batch;
		__entry->gpu = gpu;
	),
	TP_printk("time=%llu gpu=%u batch=%llu", __entry->time_ns, __entry->gpu, __entry->batch)
);

/* @faults: records fetched; @distinct: after merging; @bytes: moved to the GPU. */
TRACE_EVENT(uvm_batch_end,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u32 faults, u32 distinct,
		 u32 duplicates, u32 blocks, u64 bytes, u64 duration_ns),
	TP_ARGS(time_ns, gpu, batch, faults, distinct, duplicates, blocks, bytes, duration_ns),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, batch)
		__field(u64, bytes)
		__field(u64, duration_ns)
		__field(u32, gpu)
		__field(u32, faults)
		__field(u32, distinct)
		__field(u32, duplicates)
		__field(u32, blocks)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->batch = batch;
		__entry->bytes = bytes;
		__entry->duration_ns = duration_ns;
		__entry->gpu = gpu;
		__entry->faults = faults;
		__entry->distinct = distinct;
		__entry->duplicates = duplicates;
		__entry->blocks = blocks;
	),
	TP_printk("time=%llu gpu=%u batch=%llu faults=%u distinct=%u duplicates=%u blocks=%u bytes=%llu duration=%llu",
		  __entry->time_ns, __entry->gpu, __entry->batch, __entry->faults,
		  __entry->distinct, __entry->duplicates, __entry->blocks, __entry->bytes,
		  __entry->duration_ns)
);

/* @time_ns: the record's hardware timestamp.  @type, @access: as in the user ABI. */
DECLARE_EVENT_CLASS(uvm_fault_class,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u64 address, u8 type, u8 access,
		 u8 gpc, u16 client, u16 utlb, bool duplicate),
	TP_ARGS(time_ns, gpu, batch, address, type, access, gpc, client, utlb, duplicate),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, batch)
		__field(u64, address)
		__field(u32, gpu)
		__field(u16, client)
		__field(u16, utlb)
		__field(u8, gpc)
		__field(u8, type)
		__field(u8, access)
		__field(u8, duplicate)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->batch = batch;
		__entry->address = address;
		__entry->gpu = gpu;
		__entry->client = client;
		__entry->utlb = utlb;
		__entry->gpc = gpc;
		__entry->type = type;
		__entry->access = access;
		__entry->duplicate = duplicate;
	),
	TP_printk("time=%llu gpu=%u batch=%llu address=0x%llx type=%s access=%s gpc=%u client=%u utlb=%u duplicate=%u",
		  __entry->time_ns, __entry->gpu, __entry->batch, __entry->address,
		  uvm_trace_fault_type(__entry->type), uvm_trace_access(__entry->access),
		  __entry->gpc, __entry->client, __entry->utlb, __entry->duplicate)
);

DEFINE_EVENT(uvm_fault_class, uvm_fault,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u64 address, u8 type, u8 access,
		 u8 gpc, u16 client, u16 utlb, bool duplicate),
	TP_ARGS(time_ns, gpu, batch, address, type, access, gpc, client, utlb, duplicate)
);

DEFINE_EVENT(uvm_fault_class, uvm_fatal_fault,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u64 address, u8 type, u8 access,
		 u8 gpc, u16 client, u16 utlb, bool duplicate),
	TP_ARGS(time_ns, gpu, batch, address, type, access, gpc, client, utlb, duplicate)
);

/* One block served for a batch.  @block: its first address. */
TRACE_EVENT(uvm_block_service,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u64 va_space, u64 block, u32 faults,
		 u32 pages, u32 prefetched, u64 duration_ns),
	TP_ARGS(time_ns, gpu, batch, va_space, block, faults, pages, prefetched, duration_ns),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, batch)
		__field(u64, va_space)
		__field(u64, block)
		__field(u64, duration_ns)
		__field(u32, gpu)
		__field(u32, faults)
		__field(u32, pages)
		__field(u32, prefetched)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->batch = batch;
		__entry->va_space = va_space;
		__entry->block = block;
		__entry->duration_ns = duration_ns;
		__entry->gpu = gpu;
		__entry->faults = faults;
		__entry->pages = pages;
		__entry->prefetched = prefetched;
	),
	TP_printk("time=%llu gpu=%u batch=%llu va_space=%llu block=0x%llx faults=%u pages=%u prefetched=%u duration=%llu",
		  __entry->time_ns, __entry->gpu, __entry->batch, __entry->va_space,
		  __entry->block, __entry->faults, __entry->pages, __entry->prefetched,
		  __entry->duration_ns)
);

/* @src, @dst: processor ids of types.h. */
DECLARE_EVENT_CLASS(uvm_transfer_class,
	TP_PROTO(u64 time_ns, u64 va_space, u64 address, u64 bytes, unsigned int src,
		 unsigned int dst, u8 cause),
	TP_ARGS(time_ns, va_space, address, bytes, src, dst, cause),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, address)
		__field(u64, bytes)
		__field(u8, src)
		__field(u8, dst)
		__field(u8, cause)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->address = address;
		__entry->bytes = bytes;
		__entry->src = src;
		__entry->dst = dst;
		__entry->cause = cause;
	),
	TP_printk("time=%llu va_space=%llu address=0x%llx bytes=%llu src=%s dst=%s cause=%s",
		  __entry->time_ns, __entry->va_space, __entry->address, __entry->bytes,
		  uvm_trace_processor(__entry->src), uvm_trace_processor(__entry->dst),
		  uvm_trace_cause(__entry->cause))
);

/* Pages change residency. */
DEFINE_EVENT(uvm_transfer_class, uvm_migration,
	TP_PROTO(u64 time_ns, u64 va_space, u64 address, u64 bytes, unsigned int src,
		 unsigned int dst, u8 cause),
	TP_ARGS(time_ns, va_space, address, bytes, src, dst, cause)
);

/* One copy is pushed to a copy engine. */
DEFINE_EVENT(uvm_transfer_class, uvm_copy,
	TP_PROTO(u64 time_ns, u64 va_space, u64 address, u64 bytes, unsigned int src,
		 unsigned int dst, u8 cause),
	TP_ARGS(time_ns, va_space, address, bytes, src, dst, cause)
);

/* A root chunk is evicted. */
TRACE_EVENT(uvm_eviction,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 root, u32 blocks, u32 pages, u64 duration_ns),
	TP_ARGS(time_ns, gpu, root, blocks, pages, duration_ns),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, root)
		__field(u64, duration_ns)
		__field(u32, gpu)
		__field(u32, blocks)
		__field(u32, pages)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->root = root;
		__entry->duration_ns = duration_ns;
		__entry->gpu = gpu;
		__entry->blocks = blocks;
		__entry->pages = pages;
	),
	TP_printk("time=%llu gpu=%u root=0x%llx blocks=%u pages=%u duration=%llu",
		  __entry->time_ns, __entry->gpu, __entry->root, __entry->blocks,
		  __entry->pages, __entry->duration_ns)
);

TRACE_EVENT(uvm_policy_ejected,
	TP_PROTO(u64 time_ns, unsigned int gpu, const char *policy, u32 wrong),
	TP_ARGS(time_ns, gpu, policy, wrong),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u32, gpu)
		__field(u32, wrong)
		__array(char, policy, 32)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->gpu = gpu;
		__entry->wrong = wrong;
		strscpy(__entry->policy, policy, sizeof(__entry->policy));
	),
	TP_printk("time=%llu gpu=%u policy=%s wrong=%u",
		  __entry->time_ns, __entry->gpu, __entry->policy, __entry->wrong)
);

/* @flushed: records discarded from the fault buffer before it. */
TRACE_EVENT(uvm_replay,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 batch, u32 flushed),
	TP_ARGS(time_ns, gpu, batch, flushed),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, batch)
		__field(u32, gpu)
		__field(u32, flushed)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->batch = batch;
		__entry->gpu = gpu;
		__entry->flushed = flushed;
	),
	TP_printk("time=%llu gpu=%u batch=%llu flushed=%u", __entry->time_ns, __entry->gpu,
		  __entry->batch, __entry->flushed)
);

/* @mapping: second pass, which only maps. */
TRACE_EVENT(uvm_cpu_fault,
	TP_PROTO(u64 time_ns, u64 va_space, u64 address, u8 access, bool mapping,
		 u64 duration_ns),
	TP_ARGS(time_ns, va_space, address, access, mapping, duration_ns),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, address)
		__field(u64, duration_ns)
		__field(u8, access)
		__field(u8, mapping)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->address = address;
		__entry->duration_ns = duration_ns;
		__entry->access = access;
		__entry->mapping = mapping;
	),
	TP_printk("time=%llu va_space=%llu address=0x%llx access=%s mapping=%u duration=%llu",
		  __entry->time_ns, __entry->va_space, __entry->address,
		  uvm_trace_access(__entry->access), __entry->mapping, __entry->duration_ns)
);

/* GPU page tables of one block change.  @prot: enum uvm_prot. */
DECLARE_EVENT_CLASS(uvm_map_class,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 va_space, u64 block, u32 pages,
		 u32 big_pages, u8 prot),
	TP_ARGS(time_ns, gpu, va_space, block, pages, big_pages, prot),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, block)
		__field(u32, gpu)
		__field(u32, pages)
		__field(u32, big_pages)
		__field(u8, prot)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->block = block;
		__entry->gpu = gpu;
		__entry->pages = pages;
		__entry->big_pages = big_pages;
		__entry->prot = prot;
	),
	TP_printk("time=%llu gpu=%u va_space=%llu block=0x%llx pages=%u big_pages=%u prot=%s",
		  __entry->time_ns, __entry->gpu, __entry->va_space, __entry->block,
		  __entry->pages, __entry->big_pages, uvm_trace_prot(__entry->prot))
);

DEFINE_EVENT(uvm_map_class, uvm_map,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 va_space, u64 block, u32 pages,
		 u32 big_pages, u8 prot),
	TP_ARGS(time_ns, gpu, va_space, block, pages, big_pages, prot)
);

DEFINE_EVENT(uvm_map_class, uvm_unmap,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 va_space, u64 block, u32 pages,
		 u32 big_pages, u8 prot),
	TP_ARGS(time_ns, gpu, va_space, block, pages, big_pages, prot)
);

/* @op: enum uvm_trace_chunk_op. */
TRACE_EVENT(uvm_chunk,
	TP_PROTO(u64 time_ns, unsigned int gpu, u8 op, u64 address, u32 bytes),
	TP_ARGS(time_ns, gpu, op, address, bytes),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, address)
		__field(u32, gpu)
		__field(u32, bytes)
		__field(u8, op)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->address = address;
		__entry->gpu = gpu;
		__entry->bytes = bytes;
		__entry->op = op;
	),
	TP_printk("time=%llu gpu=%u op=%s address=0x%llx bytes=%u", __entry->time_ns,
		  __entry->gpu, uvm_trace_chunk_op(__entry->op), __entry->address,
		  __entry->bytes)
);

/* @op: enum uvm_trace_pma_op; @frames: how many; @first: address of the first. */
TRACE_EVENT(uvm_pma,
	TP_PROTO(u64 time_ns, unsigned int gpu, u8 op, u32 frames, u64 first),
	TP_ARGS(time_ns, gpu, op, frames, first),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, first)
		__field(u32, gpu)
		__field(u32, frames)
		__field(u8, op)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->first = first;
		__entry->gpu = gpu;
		__entry->frames = frames;
		__entry->op = op;
	),
	TP_printk("time=%llu gpu=%u op=%s frames=%u first=0x%llx", __entry->time_ns,
		  __entry->gpu, uvm_trace_pma_op(__entry->op), __entry->frames, __entry->first)
);

/* The prefetcher's answer for one block. */
TRACE_EVENT(uvm_prefetch,
	TP_PROTO(u64 time_ns, u64 va_space, u64 block, unsigned int dst, u32 faulted,
		 u32 prefetched),
	TP_ARGS(time_ns, va_space, block, dst, faulted, prefetched),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, block)
		__field(u32, faulted)
		__field(u32, prefetched)
		__field(u8, dst)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->block = block;
		__entry->faulted = faulted;
		__entry->prefetched = prefetched;
		__entry->dst = dst;
	),
	TP_printk("time=%llu va_space=%llu block=0x%llx dst=%s faulted=%u prefetched=%u",
		  __entry->time_ns, __entry->va_space, __entry->block,
		  uvm_trace_processor(__entry->dst), __entry->faulted, __entry->prefetched)
);

/* @op: enum uvm_trace_range_op; @end: last byte. */
TRACE_EVENT(uvm_va_range,
	TP_PROTO(u64 time_ns, u64 va_space, u8 op, u64 start, u64 end),
	TP_ARGS(time_ns, va_space, op, start, end),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, start)
		__field(u64, end)
		__field(u8, op)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->start = start;
		__entry->end = end;
		__entry->op = op;
	),
	TP_printk("time=%llu va_space=%llu op=%s start=0x%llx end=0x%llx", __entry->time_ns,
		  __entry->va_space, uvm_trace_range_op(__entry->op), __entry->start,
		  __entry->end)
);

/* A fault is skipped, because a processor keeps the page. */
TRACE_EVENT(uvm_throttle,
	TP_PROTO(u64 time_ns, u64 va_space, u64 address, unsigned int processor),
	TP_ARGS(time_ns, va_space, address, processor),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, va_space)
		__field(u64, address)
		__field(u8, processor)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->va_space = va_space;
		__entry->address = address;
		__entry->processor = processor;
	),
	TP_printk("time=%llu va_space=%llu address=0x%llx processor=%s", __entry->time_ns,
		  __entry->va_space, __entry->address, uvm_trace_processor(__entry->processor))
);

/* A granule of system memory was accessed by a GPU often enough to tell. */
TRACE_EVENT(uvm_access_counter,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 va_space, u64 address, u32 sub_granularity,
		 u32 count, u32 bank, u32 tag),
	TP_ARGS(time_ns, gpu, va_space, address, sub_granularity, count, bank, tag),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u32, gpu)
		__field(u64, va_space)
		__field(u64, address)
		__field(u32, sub_granularity)
		__field(u32, count)
		__field(u32, bank)
		__field(u32, tag)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->gpu = gpu;
		__entry->va_space = va_space;
		__entry->address = address;
		__entry->sub_granularity = sub_granularity;
		__entry->count = count;
		__entry->bank = bank;
		__entry->tag = tag;
	),
	TP_printk("time=%llu gpu=%u va_space=%llu address=0x%llx sub=0x%x count=%u bank=%u tag=%u",
		  __entry->time_ns, __entry->gpu, __entry->va_space, __entry->address,
		  __entry->sub_granularity, __entry->count, __entry->bank, __entry->tag)
);

/*
 * What a concurrency policy lets a GPU run, told when it comes into force (@window 0) and when
 * a window has ended.  @extra: blocks on each SM beyond its resources; @sms: SMs that issue,
 * both as the device has them; the others, as struct uvm_concurrency_query: what that was
 * decided on.
 */
TRACE_EVENT(uvm_concurrency,
	TP_PROTO(u64 time_ns, unsigned int gpu, u64 window, u32 extra, u32 sms, u64 evicted,
		 u64 lifetime_ns, u64 lifetime_before_ns, u64 arrived, u64 returned),
	TP_ARGS(time_ns, gpu, window, extra, sms, evicted, lifetime_ns, lifetime_before_ns,
		arrived, returned),
	TP_STRUCT__entry(
		__field(u64, time_ns)
		__field(u64, window)
		__field(u64, evicted)
		__field(u64, lifetime_ns)
		__field(u64, lifetime_before_ns)
		__field(u64, arrived)
		__field(u64, returned)
		__field(u32, gpu)
		__field(u32, extra)
		__field(u32, sms)
	),
	TP_fast_assign(
		__entry->time_ns = time_ns;
		__entry->window = window;
		__entry->evicted = evicted;
		__entry->lifetime_ns = lifetime_ns;
		__entry->lifetime_before_ns = lifetime_before_ns;
		__entry->arrived = arrived;
		__entry->returned = returned;
		__entry->gpu = gpu;
		__entry->extra = extra;
		__entry->sms = sms;
	),
	TP_printk("time=%llu gpu=%u window=%llu extra=%u sms=%u evicted=%llu lifetime_ns=%llu lifetime_before_ns=%llu arrived=%llu returned=%llu",
		  __entry->time_ns, __entry->gpu, __entry->window, __entry->extra, __entry->sms,
		  __entry->evicted, __entry->lifetime_ns, __entry->lifetime_before_ns,
		  __entry->arrived, __entry->returned)
);

#endif /* UVM_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
