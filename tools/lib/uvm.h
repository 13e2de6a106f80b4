/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libuvm: unified memory on a software GPU, as a CUDA-runtime-like C API.
 *
 * Everything goes through the user ABI of /dev/uvm, /dev/uvm-tools and
 * /dev/softgpuN.  Functions return 0 or a negative errno unless they say
 * otherwise; uvm_last_error() then explains in words.  One struct uvm is one
 * VA space with its GPUs; use it from one thread (the event queue has its own).
 */
#ifndef LIBUVM_UVM_H
#define LIBUVM_UVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/softgpu.h>
#include <linux/uvm.h>

#define UVM_PAGE_SIZE	4096UL
#define UVM_BLOCK_SIZE	(2UL << 20)
#define UVM_GPU_MAX	32

struct uvm;

/* ---- opening ---------------------------------------------------------- */

/**
 * uvm_open() - open a VA space and register GPUs with it
 * @out: the VA space
 * @gpus: indices of the GPUs
 * @count: how many
 *
 * On failure *@out is NULL and uvm_last_error(NULL) says why.
 */
int uvm_open(struct uvm **out, const int *gpus, int count);

/**
 * uvm_add_gpu() - register one more GPU
 * @u: the VA space
 * @gpu: index; 0 is returned if it is registered already
 *
 * Pinned memory that was allocated before is out of its reach.
 */
int uvm_add_gpu(struct uvm *u, int gpu);

/**
 * uvm_remove_gpu() - unregister a GPU
 * @u: the VA space
 * @gpu: index
 *
 * Its launches are stopped and forgotten, its images too; managed pages that it holds
 * move to system memory.  -EBUSY: free the explicit memory allocated with it first.
 */
int uvm_remove_gpu(struct uvm *u, int gpu);

/**
 * uvm_enable_peer_access() - let two GPUs reach each other's memory
 * @u: the VA space
 * @a: index of a registered GPU
 * @b: of another one
 *
 * Over NVLink they do so from the beginning, and this fails with -EEXIST.
 */
int uvm_enable_peer_access(struct uvm *u, int a, int b);
int uvm_disable_peer_access(struct uvm *u, int a, int b);

/**
 * uvm_close() - give everything back
 * @u: the VA space, may be NULL
 */
void uvm_close(struct uvm *u);

/**
 * uvm_last_error() - what went wrong last, in words
 * @u: the VA space, or NULL for a failed uvm_open()
 */
const char *uvm_last_error(const struct uvm *u);

/** uvm_fd() - the file descriptor of /dev/uvm */
int uvm_fd(const struct uvm *u);

/** uvm_gpu_fd() - the file descriptor of the GPU context, or -ENODEV */
int uvm_gpu_fd(const struct uvm *u, int gpu);

/** uvm_gpu_count() - how many /dev/softgpuN there are */
int uvm_gpu_count(void);

/* ---- managed memory --------------------------------------------------- */

/**
 * uvm_malloc_managed() - allocate managed memory
 * @u: the VA space
 * @bytes: size, rounded up to pages
 * @name: for events and messages, may be NULL
 *
 * Addresses are 2 MB aligned, and the same in every run of a program.
 * Returns NULL on failure.
 */
void *uvm_malloc_managed(struct uvm *u, size_t bytes, const char *name);

/**
 * uvm_leave_gap() - how far allocations are apart from now on
 * @u: the VA space
 * @bytes: at least, rounded up to 2 MB (2 MB)
 *
 * With 0 who runs over the end of one finds the next one's data, as with CUDA.
 */
void uvm_leave_gap(struct uvm *u, uint64_t bytes);

/** uvm_free() - free what a uvm_malloc_...() returned; NULL is fine */
int uvm_free(struct uvm *u, void *ptr);

/**
 * uvm_find_allocation() - which allocation holds an address
 * @u: the VA space
 * @address: virtual address
 * @name: out: name, copied
 * @name_bytes: room in @name
 * @offset: out: offset in the allocation
 *
 * Returns -ENOENT if none does.  Safe from the event thread.
 */
int uvm_find_allocation(struct uvm *u, uint64_t address, char *name, size_t name_bytes,
			uint64_t *offset);

/** uvm_footprint() - sum of all live allocations, in bytes, page granular */
uint64_t uvm_footprint(const struct uvm *u);

/**
 * uvm_prefetch() - migrate a span and wait for it
 * @u: the VA space
 * @ptr: start, rounded down to a page
 * @bytes: length, its end rounded up to a page
 * @processor: GPU index or UVM_PROCESSOR_CPU
 */
int uvm_prefetch(struct uvm *u, const void *ptr, size_t bytes, int processor);

/**
 * uvm_prefetch_async() - start migrating a span
 * @u: the VA space
 * @ptr: as uvm_prefetch()
 * @bytes: as uvm_prefetch()
 * @processor: as uvm_prefetch()
 * @fence: out: for uvm_wait_fence(); may be NULL
 */
int uvm_prefetch_async(struct uvm *u, const void *ptr, size_t bytes, int processor,
		       uint64_t *fence);

/**
 * uvm_prefetch_release() - start migrating a span, and say in memory when it is done
 * @u: the VA space
 * @ptr: as uvm_prefetch()
 * @bytes: as uvm_prefetch(); 0: there is nothing to do but to write the word
 * @processor: as uvm_prefetch()
 * @word: in memory of uvm_malloc_pinned()
 * @payload: written there when all has moved, for the CPU and for kernels to see
 *
 * On the virtual clock time stands still while the CPU only looks at the word: wait
 * for it with uvm_wait_fence() or let a kernel wait.
 */
int uvm_prefetch_release(struct uvm *u, const void *ptr, size_t bytes, int processor,
			 uint32_t *word, uint32_t payload);

/** uvm_wait_fence() - wait for one fence, or with 0 for all asynchronous work */
int uvm_wait_fence(struct uvm *u, uint64_t fence);

/**
 * uvm_fence_state() - is it done, without a wait
 * @u: the VA space
 * @fence: as uvm_wait_fence()
 * @done: out: all up to it is; false also while later work goes on
 */
int uvm_fence_state(struct uvm *u, uint64_t fence, bool *done);

/** uvm_advise() - set a policy of a span: UVM_ADVICE_*, processor */
int uvm_advise(struct uvm *u, const void *ptr, size_t bytes, unsigned int advice,
	       int processor);

/** uvm_unadvise() - unset it; NONE: for every processor, or there is none to name */
int uvm_unadvise(struct uvm *u, const void *ptr, size_t bytes, unsigned int advice,
		 int processor);

/**
 * uvm_discard() - the bytes of a span are not wanted any more
 * @u: the VA space
 * @ptr: as uvm_prefetch()
 * @bytes: as uvm_prefetch()
 * @unmap: unmap it, so that the next write is noticed; else migrate it before use
 */
int uvm_discard(struct uvm *u, const void *ptr, size_t bytes, bool unmap);

/** uvm_populate() - give pages that have no memory yet some of a processor's */
int uvm_populate(struct uvm *u, const void *ptr, size_t bytes, int processor);

/**
 * uvm_manage() - make managed memory of pages that the program has already
 * @u: the VA space
 * @ptr: start of a page
 * @bytes: length, whole pages
 * @name: as above
 *
 * For static variables.  They keep contents and address, are at the CPU at first, and no other
 * thread may use them meanwhile.  uvm_free() or uvm_close() makes ordinary memory of them again.
 */
int uvm_manage(struct uvm *u, void *ptr, size_t bytes, const char *name);

/* Range groups: memory that may or may not be migrated together. */
int uvm_group_create(struct uvm *u, uint64_t *group);
int uvm_group_destroy(struct uvm *u, uint64_t group);
/** uvm_group_set() - put a span into a group; 0 is none */
int uvm_group_set(struct uvm *u, const void *ptr, size_t bytes, uint64_t group);
/** uvm_group_set_migration() - to prevent it, the CPU must be the preferred location */
int uvm_group_set_migration(struct uvm *u, uint64_t group, bool allow);
int uvm_group_migrate(struct uvm *u, uint64_t group, int processor);

/* ---- looking at managed memory ----------------------------------------- */

/**
 * uvm_residency() - where the pages of a span are, and who has them mapped and how
 * @u: the VA space
 * @ptr: as uvm_prefetch()
 * @bytes: as uvm_prefetch()
 * @pages: out: one per page; see &struct uvm_page_residency
 *
 * Only looks: nothing moves, no page counts as used, no simulated time passes.
 */
int uvm_residency(struct uvm *u, const void *ptr, size_t bytes, struct uvm_page_residency *pages);

/*
 * uvm_pattern() - in what order a policy has seen the data of the range of @ptr come to GPUs
 *
 * Return: 0 and @found; -ENOENT, without an error message, if no policy looks at that; or a negative
 * errno.
 */
int uvm_pattern(struct uvm *u, const void *ptr, struct uvm_get_pattern *found);

/** uvm_pattern_name() - how users write an enum uvm_pattern, NULL behind the last */
const char *uvm_pattern_name(unsigned int pattern);

/**
 * uvm_next_managed() - go through the managed allocations, by address
 * @u: the VA space
 * @address: in: where to look from; out: where the allocation begins
 * @bytes: out: its size, whole pages
 * @name: out: its name, copied
 * @room: bytes in @name
 *
 * Returns -ENOENT behind the last.
 */
int uvm_next_managed(struct uvm *u, uint64_t *address, uint64_t *bytes, char *name, size_t room);

/**
 * uvm_evict() - bring the pages of a span home from a GPU, as an eviction does
 * @u: the VA space
 * @ptr: as uvm_prefetch()
 * @bytes: as uvm_prefetch()
 * @gpu: index
 * @freed: out: bytes of GPU memory given back; may be NULL
 *
 * GPU memory goes in the pieces that the driver evicts (2 MB, if no parameter says else).
 */
int uvm_evict(struct uvm *u, const void *ptr, size_t bytes, int gpu, uint64_t *freed);

/** uvm_validate_range() - 0 if a span lies in one managed or external range, else -ENOENT */
int uvm_validate_range(struct uvm *u, const void *ptr, size_t bytes);

/** uvm_pageable_access() - 1 if GPUs reach what malloc() returns; 0 here */
int uvm_pageable_access(struct uvm *u);

/* ---- explicit memory -------------------------------------------------- */

/**
 * uvm_malloc_device() - allocate memory of one GPU, as cudaMalloc() does
 * @u: the VA space
 * @gpu: index
 * @bytes: size; GPU memory comes in pieces of 2 MB
 * @name: for events and messages, may be NULL
 *
 * It never moves, reads as zero, and only that GPU can use it, and whom uvm_share_device()
 * lets.  Managed memory is evicted to make room.  Returns NULL on failure.
 */
void *uvm_malloc_device(struct uvm *u, int gpu, size_t bytes, const char *name);

/**
 * uvm_share_device() - let a peer of its GPU use device memory
 * @u: the VA space
 * @ptr: what uvm_malloc_device() returned
 * @gpu: index of a GPU
 *
 * At the same address, atomics included.  -EOPNOTSUPP: the GPUs are not peers, see
 * uvm_enable_peer_access(); when they are no more the GPU has lost it.
 */
int uvm_share_device(struct uvm *u, const void *ptr, int gpu);
/** uvm_unshare_device() - no longer; -ENOENT: it does not use it */
int uvm_unshare_device(struct uvm *u, const void *ptr, int gpu);

/**
 * uvm_malloc_pinned() - allocate system memory that GPUs reach as it is
 * @u: the VA space
 * @bytes: size
 * @name: as above
 *
 * As cudaMallocHost(): the same address for the CPU and all GPUs of the VA space.
 * It counts against RLIMIT_MEMLOCK.  Returns NULL on failure.
 */
void *uvm_malloc_pinned(struct uvm *u, size_t bytes, const char *name);

/**
 * uvm_host_register() - let GPUs reach memory that the program has already
 * @u: the VA space
 * @ptr: start, rounded down to a page
 * @bytes: length, its end rounded up to a page
 * @name: as above
 *
 * As cudaHostRegister(): the pages are pinned, and have the same address for the CPU and all GPUs.
 * They are replaced by pinned ones with the same contents, so no other thread may use them
 * meanwhile, and a child that is forked does not have them.  -EEXIST: a page of it is already known to
 * GPUs.  uvm_free() of the first page, or uvm_close(), gives it back to the program.
 */
int uvm_host_register(struct uvm *u, void *ptr, size_t bytes, const char *name);

/**
 * uvm_malloc_mirrored() - allocate two buffers under one address
 * @u: the VA space
 * @gpu: index
 * @bytes: size
 * @name: as above
 *
 * The CPU finds pinned memory there, the GPU device memory; uvm_mirror_to_gpu() and
 * uvm_mirror_to_cpu() copy.  A program written for managed memory can so be run with
 * explicit copies.  Returns NULL on failure.
 */
void *uvm_malloc_mirrored(struct uvm *u, int gpu, size_t bytes, const char *name);

/** uvm_mirror_to_gpu() - copy a span of mirrored memory from CPU to GPU, and wait */
int uvm_mirror_to_gpu(struct uvm *u, const void *ptr, size_t bytes);

/** uvm_mirror_to_cpu() - the reverse */
int uvm_mirror_to_cpu(struct uvm *u, const void *ptr, size_t bytes);

/**
 * uvm_memcpy() - copy by a copy engine of a GPU, and wait
 * @u: the VA space
 * @gpu: index
 * @dst: device, pinned, managed or ordinary memory
 * @src: likewise; not both ordinary
 * @bytes: how many
 * @direction: SOFTGPU_COPY_HTOD, DTOH or DTOD: which engine
 *
 * After all launches on that GPU.  Ordinary memory goes through a pinned buffer.
 */
int uvm_memcpy(struct uvm *u, int gpu, void *dst, const void *src, size_t bytes,
	       unsigned int direction);

/**
 * uvm_memcpy_async() - start a copy of at most SOFTGPU_COPY_MAX bytes
 * @u: the VA space
 * @gpu: index
 * @dst: memory that the GPU can reach
 * @src: likewise
 * @bytes: how many
 * @direction: as uvm_memcpy()
 * @id: out: for uvm_memcpy_wait()
 *
 * Beside launches: whoever needs an order waits.
 */
int uvm_memcpy_async(struct uvm *u, int gpu, void *dst, const void *src, size_t bytes,
		     unsigned int direction, uint64_t *id);

/** uvm_memcpy_wait() - wait for a copy; its error */
int uvm_memcpy_wait(struct uvm *u, int gpu, uint64_t id);

/**
 * uvm_memcpy_state() - what is known of a copy
 * @u: the VA space
 * @gpu: index
 * @id: of uvm_memcpy_async()
 * @wait: until it has ended, else look
 * @state: out: SOFTGPU_COPY_RUNNING, or how and when it ended; of old ones that is known as of
 *	launches (&struct softgpu_wait)
 *
 * The copy is in no sum until uvm_memcpy_wait() has been called, once.
 */
int uvm_memcpy_state(struct uvm *u, int gpu, uint64_t id, bool wait, struct softgpu_copy_wait *state);

/** uvm_last_copy() - the last copy by a GPU; 0: there was none */
uint64_t uvm_last_copy(const struct uvm *u, int gpu);

/**
 * uvm_access_counters() - count a GPU's accesses to memory that is not its own
 * @u: the VA space
 * @gpu: the GPU
 * @enable: count, whatever the parameters say; else as they say
 * @granularity: bytes per counter: 64K, 2M, 16M, 16G; 0: 2M
 * @threshold: accesses that make an event, at most 65535; 0: the parameter
 */
int uvm_access_counters(struct uvm *u, int gpu, bool enable, uint64_t granularity,
			unsigned int threshold);

/** uvm_clear_access_counters() - let them begin at 0; UVM_PROCESSOR_NONE: of all GPUs */
int uvm_clear_access_counters(struct uvm *u, int gpu);

/* ---- kernels ---------------------------------------------------------- */

struct uvm_dim3 {
	uint32_t x, y, z;
};

/* One dimension: the others count as 1. */
#define UVM_DIM(n)	((struct uvm_dim3){ .x = (n) })

/**
 * uvm_load_image() - load a kernel image on a GPU
 * @u: the VA space
 * @gpu: index
 * @image: ELF bytes
 * @bytes: how many
 * @id: out: handle
 */
int uvm_load_image(struct uvm *u, int gpu, const void *image, size_t bytes, uint32_t *id);

/** uvm_load_image_file() - the same, from a file */
int uvm_load_image_file(struct uvm *u, int gpu, const char *path, uint32_t *id);

/** uvm_unload_image() - forget an image */
int uvm_unload_image(struct uvm *u, int gpu, uint32_t id);

/**
 * struct uvm_launch_params - one kernel launch
 * @gpu: index
 * @image: handle
 * @entry: function name
 * @grid: blocks; a zero in y or z counts as 1
 * @block: threads per block, likewise
 * @shared_bytes: dynamic shared memory per block
 * @args: argument block; the kernel gets a pointer to a copy
 * @args_bytes: its size
 * @instruction_limit: warp instructions, 0 for the default
 * @name: of the kernel in messages, NULL: @entry
 */
struct uvm_launch_params {
	int gpu;
	uint32_t image;
	const char *entry;
	struct uvm_dim3 grid;
	struct uvm_dim3 block;
	uint32_t shared_bytes;
	const void *args;
	uint32_t args_bytes;
	uint64_t instruction_limit;
	const char *name;
};

/**
 * uvm_launch() - start a kernel; launches of one GPU run one after the other
 * @u: the VA space
 * @launch: what to run
 *
 * Returns when it is queued; while the queue is full it waits.
 */
int uvm_launch(struct uvm *u, const struct uvm_launch_params *launch);

/**
 * uvm_synchronize() - wait for all launches
 * @u: the VA space
 *
 * Returns the error of the first launch that failed (see uvm_failure()).
 */
int uvm_synchronize(struct uvm *u);

/** uvm_last_launch() - the last launch on a GPU, for uvm_launch_state(); 0: there was none */
uint64_t uvm_last_launch(const struct uvm *u, int gpu);

/**
 * uvm_launch_state() - what is known of a launch
 * @u: the VA space
 * @gpu: index
 * @id: of uvm_last_launch(), right after uvm_launch()
 * @wait: until it has ended, else look
 * @state: out: SOFTGPU_LAUNCH_RUNNING, or how and when it ended; see &struct softgpu_wait for
 *	what is known of old ones
 *
 * uvm_synchronize() tells of its failure all the same.
 */
int uvm_launch_state(struct uvm *u, int gpu, uint64_t id, bool wait, struct softgpu_wait *state);

/**
 * uvm_gpu_output() - text that kernels printed since the last call
 * @u: the VA space
 * @gpu: index
 * @text: where to; not NUL terminated
 * @room: bytes there
 *
 * Returns the number of bytes, 0 if there is nothing, or a negative errno.
 */
long uvm_gpu_output(struct uvm *u, int gpu, char *text, size_t room);

/**
 * struct uvm_failure - how a launch failed
 * @gpu: index
 * @entry: kernel, by its name in messages
 * @wait: state, reason, address, access, pc, block and thread
 */
struct uvm_failure {
	int gpu;
	char entry[64];
	struct softgpu_wait wait;
};

/** uvm_failure() - the first failed launch of the last uvm_synchronize(), or NULL */
const struct uvm_failure *uvm_failure(const struct uvm *u);

/** uvm_fail_reason_name() - SOFTGPU_FAIL_* in words */
const char *uvm_fail_reason_name(unsigned int reason);

/**
 * struct uvm_totals - sums over all launches and copies that were waited for
 * @launches: how many
 * @gpu_time_ns: end minus start, summed
 * @instructions: warp instructions
 * @copies: copies of uvm_memcpy() and the like
 * @copy_time_ns: end minus start, summed
 * @copy_bytes: bytes they copied
 */
struct uvm_totals {
	uint64_t launches;
	uint64_t gpu_time_ns;
	uint64_t instructions;
	uint64_t copies;
	uint64_t copy_time_ns;
	uint64_t copy_bytes;
};

/** uvm_launch_totals() - sums since uvm_open() or the last reset */
struct uvm_totals uvm_launch_totals(const struct uvm *u);

/** uvm_reset_totals() - start them again */
void uvm_reset_totals(struct uvm *u);

/* ---- information and control ------------------------------------------ */

/** uvm_gpu_info() - facts about a GPU */
int uvm_gpu_info(struct uvm *u, int gpu, struct softgpu_info *info);

/** uvm_gpu_profile() - one profile value; -ENOENT behind the last */
int uvm_gpu_profile(struct uvm *u, int gpu, uint32_t index,
		    struct softgpu_profile_entry *entry);

/**
 * uvm_vram_limit() - leave so much GPU memory for managed pages
 * @u: the VA space
 * @gpu: index
 * @bytes: rounded up to 2 MB; 0 for all
 * @usable: out: what is left, may be NULL
 */
int uvm_vram_limit(struct uvm *u, int gpu, uint64_t bytes, uint64_t *usable);

/** uvm_param_set() - run-time parameter of this VA space */
int uvm_param_set(struct uvm *u, const char *name, const char *value);

/** uvm_param_get() - parameter number @index; -ENOENT behind the last */
int uvm_param_get(struct uvm *u, uint32_t index, struct uvm_get_param *param);
/* One of the values that parameter number @param may have; ENOENT past the last. */
int uvm_choice_get(struct uvm *u, uint32_t param, uint32_t index, struct uvm_get_choice *choice);
/** uvm_policy_number() - what the eviction policy of a GPU tells of itself; -ENOENT past the last */
int uvm_policy_number(struct uvm *u, int gpu, uint32_t index, struct uvm_get_policy_number *number);
/**
 * uvm_set_stays() - tell eviction_policy=min the future of a GPU's memory
 * @u: the VA space
 * @gpu: index
 * @pages: by ascending addresses
 * @nr_pages: how many; 0: nothing is known
 * @ends: for each page: when its stays end; see <linux/uvm.h>
 * @nr_stays: how many
 */
int uvm_set_stays(struct uvm *u, int gpu, const struct uvm_page_stays *pages,
		    uint32_t nr_pages, const uint32_t *ends, uint32_t nr_stays);
/**
 * struct uvm_uses - when memory is used
 * @used: which 64 KB, by ascending addresses; @nr_used of them, 0: nothing is known
 * @uses: for each: when; see <linux/uvm.h>
 * @launches: with which position each launch begins
 * @nr_used: how many
 * @nr_uses: likewise
 * @nr_launches: likewise
 */
struct uvm_uses {
	const struct uvm_used *used;
	const struct uvm_use *uses;
	const uint32_t *launches;
	uint32_t nr_used;
	uint32_t nr_uses;
	uint32_t nr_launches;
};

/* Tell eviction_policy=fnu the future of a GPU's memory. */
int uvm_set_uses(struct uvm *u, int gpu, const struct uvm_uses *uses);
/*
 * The values that a parameter may have, as text: "a|b|c" or "1...20".  It ends with "..." if @size is
 * too small for all.  Returns @text.
 */
char *uvm_param_values(struct uvm *u, const struct uvm_get_param *param, char *text, size_t size);

/** uvm_stats_read() - counters of this VA space; @reset starts them again */
int uvm_stats_read(struct uvm *u, struct uvm_stats *stats, bool reset);

/** uvm_gpu_stats() - counters of one GPU over all VA spaces; needs no VA space */
int uvm_gpu_stats(int gpu, struct uvm_stats *stats);

/**
 * uvm_processor_counters() - counters by processor
 * @u: of this VA space since it was opened; NULL: over all since load
 * @processor: UVM_PROCESSOR_CPU or the index of a GPU
 * @counters: out
 */
int uvm_processor_counters(struct uvm *u, int processor, struct uvm_counters *counters);

/** uvm_wait_quiet() - wait until GPUs, fault rings and the driver are idle */
int uvm_wait_quiet(struct uvm *u);

/** uvm_phase_name() - name of an enum uvm_phase, NULL behind the last */
const char *uvm_phase_name(unsigned int phase);

/* ---- events ----------------------------------------------------------- */

/* Every type but UVM_EVENT_PHASE, of which there are many. */
#define UVM_EVENTS_USUAL	(((1ULL << UVM_EVENT_COUNT) - 2) & ~(1ULL << UVM_EVENT_PHASE))

/**
 * typedef uvm_event_fn - called for every event, in order, from one thread at
 * a time: the event thread or the caller of uvm_events_drain().
 */
typedef void (*uvm_event_fn)(void *arg, const struct uvm_event *event);

/**
 * uvm_events_start() - listen to this VA space
 * @u: the VA space
 * @mask: bit per enum uvm_event_type, 0 for UVM_EVENTS_USUAL
 * @fn: called for each event
 * @arg: for @fn
 *
 * A thread drains the queue: on the virtual clock a full queue stops the clock.
 */
int uvm_events_start(struct uvm *u, uint64_t mask, uvm_event_fn fn, void *arg);

/** uvm_events_drain() - when it returns, all events up to now were given to @fn */
int uvm_events_drain(struct uvm *u);

/** uvm_events_dropped() - records lost (real clock only) */
uint64_t uvm_events_dropped(struct uvm *u);

/** uvm_events_threshold() - wake the thread for so many events at a time (1) */
int uvm_events_threshold(struct uvm *u, uint32_t entries);

/** uvm_events_enable() - from now on listen to the types of @mask too, or not any more */
int uvm_events_enable(struct uvm *u, uint64_t mask, bool on);

/** uvm_events_flush() - drain, with the events of copies that are done but not yet noticed */
int uvm_events_flush(struct uvm *u);

/** uvm_events_stop() - drain, and stop listening */
int uvm_events_stop(struct uvm *u);

/** typedef uvm_timeline_fn - as uvm_event_fn, for what a GPU does */
typedef void (*uvm_timeline_fn)(void *arg, const struct softgpu_timeline_record *record);

/**
 * uvm_timeline_start() - listen to a whole GPU, whoever uses it
 * @u: a VA space that has the GPU
 * @gpu: index
 * @mask: bit per enum softgpu_timeline_type
 * @min_stall_ns: leave out shorter stalls of SMs
 * @fn: called for each record, from a thread of its own per GPU
 * @arg: for @fn
 */
int uvm_timeline_start(struct uvm *u, int gpu, uint64_t mask, uint64_t min_stall_ns,
		       uvm_timeline_fn fn, void *arg);

/** uvm_timeline_stop() - take what is there, and stop listening */
int uvm_timeline_stop(struct uvm *u, int gpu);

/* ---- kernels built into the library ----------------------------------- */

/**
 * struct uvm_image - a kernel image linked into the program
 * @name: file name without suffix
 * @data: ELF bytes
 * @bytes: how many
 */
struct uvm_image {
	const char *name;
	const void *data;
	size_t bytes;
};

/** uvm_images() - all of them; ends with a NULL name (libuvm-kernels.a) */
const struct uvm_image *uvm_images(void);

/** uvm_find_image() - by name, or NULL (libuvm-kernels.a) */
const struct uvm_image *uvm_find_image(const char *name);

/** uvm_load_builtin() - load one of them by name (libuvm-kernels.a) */
int uvm_load_builtin(struct uvm *u, int gpu, const char *name, uint32_t *id);

#endif
