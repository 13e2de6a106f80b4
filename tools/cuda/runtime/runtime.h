/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of libuvmcuda share.  A program is one VA space of libuvm with all its GPUs.  Every
 * function of the API takes one lock: libuvm is for one thread at a time.
 */
#ifndef LIBUVMCUDA_RUNTIME_H
#define LIBUVMCUDA_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include <uvm.h>

#include "cuda_runtime_api.h"

/**
 * struct rt_nodes - a set of nodes of graphs
 * @list: each once, in the order in which they came
 * @count: how many
 * @room: for so many
 */
struct rt_nodes {
	struct CUgraphNode_st **list;
	size_t count;
	size_t room;
};

/**
 * struct CUstream_st - a stream: what was asked of it last, of each unit
 * @next: list, oldest first
 * @device: index
 * @flags: cudaStreamNonBlocking or 0
 * @thread: whose cudaStreamPerThread it is; 0: one of cudaStreamCreate() or a default one
 * @launch: last launch, 0: none that may still run
 * @copy: last copy, likewise
 * @fence: last migration, likewise
 * @window: hint, as cudaStreamSetAttribute() was given it
 * @policy: likewise, 0: never
 * @capture: what it is asked for goes there and is not done; NULL: it is done
 * @tips: nodes that the next one of a capture comes behind
 *
 * Launches of a GPU run in order, whatever their streams.  Copies and migrations run beside them
 * and beside each other.  Where order asks for it, the CPU waits before it starts the later one.
 */
struct CUstream_st {
	struct CUstream_st *next;
	int device;
	unsigned int flags;
	unsigned long thread;
	uint64_t launch;
	uint64_t copy;
	uint64_t fence;
	struct cudaAccessPolicyWindow window;
	enum cudaSynchronizationPolicy policy;
	struct rt_capture *capture;
	struct rt_nodes tips;
};

/**
 * struct rt_device - a GPU of the program
 * @gpu: index of /dev/softgpuN
 * @info: as it was when it was opened
 * @limit: bytes that SOFTUVM_VRAM leaves it, where that is no whole frames; else UINT64_MAX
 * @profile: its values, @info.profile_entries of them
 * @null: its default stream
 * @flags: cudaSetDeviceFlags()
 */
struct rt_device {
	int gpu;
	struct softgpu_info info;
	uint64_t limit;
	struct softgpu_profile_entry *profile;
	struct CUstream_st null;
	unsigned int flags;
};

/**
 * struct rt - the program
 * @u: its VA space, NULL until somebody needs it
 * @devices: its GPUs
 * @count: how many
 * @sticky: a kernel failed: that is what every call says until cudaDeviceReset()
 * @streams: those that the program made
 * @incomplete: there was no memory for what the compiler registers: no call works
 * @forked: this is a child of the process that opened it
 * @ended: at exit everything was closed
 * @null_is_thread: the default stream is cudaStreamPerThread
 */
struct rt {
	struct uvm *u;
	struct rt_device devices[UVM_GPU_MAX];
	int count;
	cudaError_t sticky;
	struct CUstream_st *streams;
	bool incomplete;
	bool forked;
	bool ended;
	bool null_is_thread;
};

extern struct rt rt;
/* cudaSetDevice() of this thread. */
extern _Thread_local int rt_current;

/* ---- errors.c --------------------------------------------------------- */

/* Take the lock; what every call says now: cudaSuccess, or why nothing works. */
cudaError_t rt_lock(void);
/* Open the GPUs, if nobody has; with the lock. */
cudaError_t rt_open(void);
/* Both. */
cudaError_t rt_enter(void);
/* Give the lock back, and keep an error for cudaGetLastError(). */
cudaError_t rt_leave(cudaError_t error);
/* Keep it, without the lock. */
cudaError_t rt_note(cudaError_t error);
/* Take the last one back: the driver API tells its errors, and keeps none. */
void rt_unnote(void);
/* Words on stderr, once each: "softuvm: ..." and what libuvm says of it. */
void rt_complain(const char *what);
/* Of a negative errno of libuvm. */
cudaError_t rt_error(int err);

/* ---- device.c --------------------------------------------------------- */

/* The GPU of this thread, and one by number; NULL: there is none. */
struct rt_device *rt_device(void);
struct rt_device *rt_device_at(int device);
/* A value of its profile by name, 0 if it has none. */
uint64_t rt_profile(const struct rt_device *d, const char *name);
/* Bytes of its memory that the program can use, of @info that was read now. */
uint64_t rt_usable(const struct rt_device *d, const struct softgpu_info *info);
/* Its compute capability, as 61 for 6.1. */
int rt_capability(const struct rt_device *d);
/* Read what never changes; the GPUs are open. */
cudaError_t rt_read_devices(void);
/* Which GPUs the program sees; cudaErrorNoDevice: none. */
cudaError_t rt_find_devices(void);

/* ---- memory.c --------------------------------------------------------- */

enum rt_kind {
	RT_MANAGED,
	RT_DEVICE,
	RT_PINNED,
	RT_KINDS,
};

/**
 * struct rt_page - what was said last of a page of managed memory
 * @accessed_by: bit per device, the CPU's first
 * @preferred: location, cudaInvalidDeviceId: none
 * @prefetched: the last prefetch went there; likewise
 * @read_mostly: it is
 */
struct rt_page {
	uint64_t accessed_by;
	signed char preferred;
	signed char prefetched;
	bool read_mostly;
};

/**
 * struct rt_memory - what a program allocated
 * @base: where
 * @bytes: as asked for
 * @room: as taken
 * @kind: enum rt_kind
 * @device: of cudaMalloc(), else who was current
 * @flags: of cudaMallocManaged(), cudaHostAlloc() and cudaHostRegister()
 * @registered: it was the program's before
 * @own: of the runtime itself, which cudaFree() does not free: variables, arrays, objects
 * @pages: what was said of its pages, NULL: nothing yet
 * @chunk: what of libuvm it lies in, NULL: registered
 * @pool: of cudaMallocAsync()
 */
struct rt_memory {
	uint64_t base;
	uint64_t bytes;
	uint64_t room;
	enum rt_kind kind;
	int device;
	unsigned int flags;
	bool registered;
	bool own;
	struct rt_page *pages;
	struct rt_chunk *chunk;
	struct CUmemPoolHandle_st *pool;
};

/* Of which allocation an address is, NULL: of none. */
struct rt_memory *rt_find(const void *ptr);
/* The same for a span of bytes, which must lie in it. */
struct rt_memory *rt_find_span(const void *ptr, size_t bytes);
/* Allocate; with the lock. */
cudaError_t rt_allocate(void **out, size_t bytes, enum rt_kind kind, int device, unsigned int flags);
/* The same from a pool. */
cudaError_t rt_allocate_from(void **out, size_t bytes, struct CUmemPoolHandle_st *pool, int device);
/* Of a GPU, for the runtime itself: the program cannot free it. */
cudaError_t rt_allocate_own(void **out, size_t bytes, int device);
/* Free what the program has of a GPU, or managed; NULL is nothing. */
cudaError_t rt_free(void *ptr);
/* Memory that the program had already: pinned or managed now. */
cudaError_t rt_remember(void *ptr, size_t bytes, enum rt_kind kind, unsigned int flags);
/* Give one of them back. */
void rt_forget(struct rt_memory *m);
/* Give everything back. */
void rt_free_all(void);
/*
 * On stderr, once, what memory there was not: a program that did not look uses what it never got, and one
 * that did may end for that.
 */
void rt_explain_memory(void);
/* The most managed memory that lived at once. */
uint64_t rt_footprint(void);

/* ---- pool.c ----------------------------------------------------------- */

/* So much more is used of a pool, and so much less. */
void rt_pool_used(struct CUmemPoolHandle_st *pool, uint64_t add, uint64_t sub);
/* Bit per device that uses its memory, but for its own. */
uint32_t rt_pool_users(const struct CUmemPoolHandle_st *pool);
void rt_pools_free(void);

/* ---- copy.c ----------------------------------------------------------- */

/* How far a box reaches, of at least one byte; false: farther than there are addresses. */
bool rt_extent(size_t width, size_t height, size_t depth, size_t pitch, size_t slice, size_t *bytes);

/* ---- fill.c ----------------------------------------------------------- */

/* Set GPU or managed memory to a byte, by a GPU, and wait. */
cudaError_t rt_fill(int gpu, char *at, int value, size_t bytes);
/* Elements of 1, 2 or 4 bytes, of any memory of the program, in a stream's order; takes the lock. */
cudaError_t rt_fill_elements(void *ptr, unsigned int value, unsigned int element, size_t count,
			     cudaStream_t stream);

/**
 * struct rt_fill_job - a box to set
 * @ptr: where
 * @pitch: bytes from row to row
 * @value: of an element
 * @element: bytes of one, 1, 2 or 4
 * @width: bytes of a row, whole elements
 * @height: rows
 */
struct rt_fill_job {
	char *ptr;
	size_t pitch;
	unsigned int value;
	unsigned int element;
	size_t width;
	size_t height;
};

/* ---- granule.c -------------------------------------------------------- */

struct rt_chunk;

/* Room for @bytes; where it is goes to @base, NULL: there is none, and libuvm says why. */
struct rt_chunk *rt_chunk_take(enum rt_kind kind, int gpu, const struct CUmemPoolHandle_st *pool,
			       uint64_t bytes, uint64_t *base, uint64_t *room);
void rt_chunk_give(struct rt_chunk *chunk, uint64_t base, uint64_t room);
/* Memory of a GPU, of a pool or (NULL) of cudaMalloc(): another one uses it, or no longer. */
int rt_chunks_open(int gpu, const struct CUmemPoolHandle_st *pool, int user);
void rt_chunks_close(int gpu, const struct CUmemPoolHandle_st *pool, int user);
/* Device memory of a GPU that is taken, whole granules. */
uint64_t rt_chunk_bytes(int gpu);
/* The most that was taken at once, of all GPUs. */
uint64_t rt_chunk_peak(void);

/* ---- stream.c --------------------------------------------------------- */

enum rt_unit {
	RT_LAUNCH,
	RT_COPY,
	RT_MIGRATE,
	RT_HOST,	/* the CPU itself */
};

/* The stream that a handle means; cudaErrorInvalidResourceHandle: it is none. */
cudaError_t rt_stream(cudaStream_t stream, struct CUstream_st **s);
/* A new one, on the GPU of this thread; NULL: no memory. */
struct CUstream_st *rt_stream_new(unsigned int flags);
/* stream_thread.c: this thread's own. */
cudaError_t rt_stream_of_thread(struct CUstream_st **s);
/* Wait until a unit may start on the next work of a stream. */
cudaError_t rt_stream_before(struct CUstream_st *stream, enum rt_unit unit);
/* Nothing of it runs, as far as one can see without waiting. */
bool rt_stream_idle(const struct CUstream_st *stream);
/* Wait for all that was asked of a stream. */
cudaError_t rt_stream_finish(struct CUstream_st *stream);
/* Wait for all work of all streams, print what kernels printed, find errors. */
cudaError_t rt_finish(void);
/* Streams of the program are gone, and what was said of the default ones. */
void rt_streams_free(void);
/* Is it one of those, or a default one? */
bool rt_is_stream(const struct CUstream_st *stream);
/* The last launch of a GPU that somebody may still wait for, 0: none. */
uint64_t rt_last_pending(int device);
/* How all launches ended; what does not has to be waited for. */
cudaError_t rt_collect(void);
/* Text of kernels goes to stdout. */
void rt_print_output(void);

/* ---- attribute.c ------------------------------------------------------ */

/* May a stream or a launch have this attribute, which changes nothing? */
cudaError_t rt_hint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value);

/* ---- event.c ---------------------------------------------------------- */

/* Launches and copies are forgotten after a while: ask now when those ended that events are of. */
void rt_events_resolve_old(void);
void rt_events_free(void);

/* ---- module.c --------------------------------------------------------- */

#define RT_BLOCK_THREADS	1024	/* of all compute capabilities */

/**
 * struct rt_param - of a kernel
 * @bytes: its size
 * @by_address: a structure, handed over by the address of a copy
 */
struct rt_param {
	uint32_t bytes;
	uint32_t by_address;
};

/**
 * struct rt_function - a kernel
 * @next: list
 * @host: what the program calls it
 * @module: where it is
 * @name: mangled
 * @shown: as people wrote it
 * @entry: name of its entry, "": the image has no such kernel
 * @shared_bytes: static shared memory that it has
 * @threads: of a block at most: __launch_bounds__
 * @param_count: of @params
 * @shared_max: cudaFuncAttributeMaxDynamicSharedMemorySize
 * @carveout: cudaFuncAttributePreferredSharedMemoryCarveout
 * @params: its parameters
 */
struct rt_function {
	struct rt_function *next;
	const void *host;
	struct rt_module *module;
	const char *name;
	const char *shown;
	char entry[32];
	uint32_t shared_bytes;
	uint32_t threads;
	uint32_t param_count;
	int shared_max;
	int carveout;
	struct rt_param params[];
};

/**
 * struct rt_image - what is known of the image of a module
 * @shared_bytes: where dynamic shared memory begins
 * @stack_bytes: of a thread
 * @registers: of a thread
 * @constant_bytes: constants and constant variables
 */
struct rt_image {
	uint64_t shared_bytes;
	uint64_t stack_bytes;
	uint64_t registers;
	uint64_t constant_bytes;
};

/* The kernel that a program calls so; NULL: none. */
struct rt_function *rt_function(const void *host);
/* Its image on a device, loaded when first asked for. */
/* Was it @function of the device library that failed? */
bool rt_failed_in(const struct uvm_failure *failure, const char *function);
cudaError_t rt_module_load(struct rt_module *module, int device, uint32_t *image);
const struct rt_image *rt_module_image(const struct rt_module *module);
/* Where a variable is on the current device, and its size. */
cudaError_t rt_symbol(const void *host, void **at, size_t *bytes);
/* __managed__ variables become managed memory; the GPUs are open. */
cudaError_t rt_manage_variables(void);
/* Images are gone, and variables; the next launch loads them again. */
void rt_modules_forget(void);

/* ---- argument.c ------------------------------------------------------- */

#define RT_ARGUMENTS_MAX	4096	/* softgpu_launch.args_bytes */

/**
 * struct rt_arguments - of a launch
 * @block: what the device takes
 * @bytes: of it
 * @copy: where the launch has to be told, as there is more in GPU memory; NULL: there is not
 */
struct rt_arguments {
	unsigned char block[RT_ARGUMENTS_MAX];
	uint32_t bytes;
	uint64_t *copy;
};

/* Arguments of a kernel on a device, @room bytes of a block at most. */
cudaError_t rt_arguments(const struct rt_function *f, void **args, int device, size_t room,
			 struct rt_arguments *a);
/* The memory that they were copied to is gone. */
void rt_arguments_forget(void);

/* ---- launch.c --------------------------------------------------------- */

/**
 * struct rt_launch - how often a kernel runs
 * @grid: blocks
 * @block: threads of each
 * @shared: bytes of dynamic shared memory
 * @together: all blocks at once, with a barrier of the grid
 */
struct rt_launch {
	dim3 grid, block;
	size_t shared;
	bool together;
};

/* Shared memory of a block, with @dynamic bytes that the launch asks for. */
uint64_t rt_shared(const struct rt_function *f, uint64_t dynamic);
/* Blocks of a launch that fit on an SM. */
int rt_occupancy(const struct rt_device *d, const struct rt_function *f, uint64_t threads,
		 uint64_t shared);

/* ---- peer.c ----------------------------------------------------------- */

/* One of two devices uses memory of the other, or no longer. */
cudaError_t rt_peers_join(int a, int b);
void rt_peers_part(int a, int b);
/* Bit per device that has opened what cudaMalloc() gives of a GPU. */
uint32_t rt_peer_users(int gpu);
void rt_peers_forget(void);

/* ---- environment.c ---------------------------------------------------- */

/* What the environment asks for, once the GPUs are open. */
cudaError_t rt_environment_begin(void);
/* At the end of the program, before the VA space is closed. */
void rt_environment_end(void);

#endif
