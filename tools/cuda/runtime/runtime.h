/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of libuvmcuda share.  A program is one VA space of libuvm with all its GPUs.  Every
 * function of the API takes one lock: libuvm is for one thread at a time.
 */
#ifndef LIBUVMCUDA_RUNTIME_H
#define LIBUVMCUDA_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <uvm.h>

#include "cuda_runtime_api.h"

/**
 * struct CUstream_st - a stream: what was asked of it last, of each unit
 * @next: list, oldest first
 * @device: index
 * @flags: cudaStreamNonBlocking or 0
 * @priority: as asked for; nothing depends on it
 * @launch: last launch, 0: none that may still run
 * @copy: last copy, likewise
 * @fence: last migration, likewise
 *
 * Launches of a GPU run in order, whatever their streams.  Copies and migrations run beside them
 * and beside each other.  Where order asks for it, the CPU waits before it starts the later one.
 */
struct CUstream_st {
	struct CUstream_st *next;
	int device;
	unsigned int flags;
	int priority;
	uint64_t launch;
	uint64_t copy;
	uint64_t fence;
};

/**
 * struct rt_device - a GPU of the program
 * @gpu: index of /dev/softgpuN
 * @info: as it was when it was opened
 * @profile: its values, @info.profile_entries of them
 * @null: its default stream
 * @flags: cudaSetDeviceFlags()
 */
struct rt_device {
	int gpu;
	struct softgpu_info info;
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
 * @owner: the process that opened it
 * @ended: at exit everything was closed
 */
struct rt {
	struct uvm *u;
	struct rt_device devices[UVM_GPU_MAX];
	int count;
	cudaError_t sticky;
	struct CUstream_st *streams;
	pid_t owner;
	bool ended;
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
 * @pages: what was said of its pages, NULL: nothing yet
 * @chunk: what of libuvm it lies in, NULL: registered
 */
struct rt_memory {
	uint64_t base;
	uint64_t bytes;
	uint64_t room;
	enum rt_kind kind;
	int device;
	unsigned int flags;
	bool registered;
	struct rt_page *pages;
	struct rt_chunk *chunk;
};

/* Of which allocation an address is, NULL: of none. */
struct rt_memory *rt_find(const void *ptr);
/* The same for a span of bytes, which must lie in it. */
struct rt_memory *rt_find_span(const void *ptr, size_t bytes);
/* Allocate; with the lock. */
cudaError_t rt_allocate(void **out, size_t bytes, enum rt_kind kind, int device, unsigned int flags);
/* Memory that the program had already: pinned or managed now. */
void rt_remember(void *ptr, size_t bytes, enum rt_kind kind, unsigned int flags);
/* Give one of them back. */
void rt_forget(struct rt_memory *m);
/* Give everything back. */
void rt_free_all(void);
/* The most managed memory that lived at once. */
uint64_t rt_footprint(void);

/* ---- fill.c ----------------------------------------------------------- */

/* Set GPU or managed memory, by a GPU, and wait. */
cudaError_t rt_fill(int gpu, char *at, int value, size_t bytes);

/* ---- granule.c -------------------------------------------------------- */

struct rt_chunk;

/* Room for @bytes; where it is goes to @base, NULL: there is none, and libuvm says why. */
struct rt_chunk *rt_chunk_take(enum rt_kind kind, int gpu, uint64_t bytes, uint64_t *base,
			       uint64_t *room);
void rt_chunk_give(struct rt_chunk *chunk, uint64_t base, uint64_t room);
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

/* The stream that a handle means, NULL: it is none. */
struct CUstream_st *rt_stream(cudaStream_t stream);
/* Wait until a unit may start on the next work of a stream. */
cudaError_t rt_stream_before(struct CUstream_st *stream, enum rt_unit unit);
/* Wait for all that was asked of a stream. */
cudaError_t rt_stream_finish(struct CUstream_st *stream);
/* Wait for all work of all streams, print what kernels printed, find errors. */
cudaError_t rt_finish(void);
void rt_streams_free(void);
/* The last launch of a GPU that somebody may still wait for, 0: none. */
uint64_t rt_last_pending(int device);
/* How all launches ended; what does not has to be waited for. */
cudaError_t rt_collect(void);
/* Text of kernels goes to stdout. */
void rt_print_output(void);

/* ---- event.c ---------------------------------------------------------- */

/* Launches are forgotten after a while: ask now how they ended whose end somebody wants. */
void rt_events_resolve_old(void);
void rt_events_free(void);

/* ---- module.c --------------------------------------------------------- */

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
	uint32_t param_count;
	int shared_max;
	int carveout;
	struct rt_param params[];
};

/**
 * struct rt_image - what is known of the image of a module
 * @shared_bytes: static shared memory
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
cudaError_t rt_module_load(struct rt_module *module, int device, uint32_t *image);
const struct rt_image *rt_module_image(const struct rt_module *module);
/* Where a variable is on the current device, and its size. */
cudaError_t rt_symbol(const void *host, void **at, size_t *bytes);
/* __managed__ variables become managed memory; the GPUs are open. */
cudaError_t rt_manage_variables(void);
/* Images are gone, and variables; the next launch loads them again. */
void rt_modules_forget(void);

/* ---- launch.c --------------------------------------------------------- */

/* Blocks of a launch that fit on an SM. */
int rt_occupancy(const struct rt_device *d, const struct rt_function *f, uint64_t threads,
		 uint64_t shared);

/* ---- peer.c ----------------------------------------------------------- */

void rt_peers_forget(void);

/* ---- environment.c ---------------------------------------------------- */

/* What the environment asks for, once the GPUs are open. */
cudaError_t rt_environment_begin(void);
/* At the end of the program, before the VA space is closed. */
void rt_environment_end(void);

#endif
