/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of libuvm share. */
#ifndef LIBUVM_INTERNAL_H
#define LIBUVM_INTERNAL_H

#include <pthread.h>

#include "uvm.h"

enum uvm_memory_kind {
	UVM_MEMORY_MANAGED,
	UVM_MEMORY_DEVICE,
	UVM_MEMORY_PINNED,
	UVM_MEMORY_MIRRORED,	/* pinned for the CPU, device for the GPU, at one address */
};

/**
 * struct uvm_allocation - one allocation
 * @next: list, newest first
 * @base: address
 * @bytes: size, whole pages
 * @kind: enum uvm_memory_kind
 * @gpu: with whom explicit memory was allocated
 * @device_handle: device memory, 0 for none
 * @host_handle: pinned memory, 0 for none
 * @host: mirrored: where GPUs see the pinned side
 * @in_place: managed or pinned, it took the place of memory of the program
 * @name: for people
 */
struct uvm_allocation {
	struct uvm_allocation *next;
	uint64_t base;
	uint64_t bytes;
	enum uvm_memory_kind kind;
	int gpu;
	uint32_t device_handle;
	uint32_t host_handle;
	uint64_t host;
	bool in_place;
	char name[48];
};

/**
 * struct uvm_pending - a launch nobody has waited for yet
 * @next: list, oldest first
 * @gpu: index
 * @id: launch id
 * @image: handle of its image
 * @entry: kernel
 */
struct uvm_pending {
	struct uvm_pending *next;
	int gpu;
	uint32_t image;
	uint64_t id;
	char entry[64];
};

/**
 * struct uvm_loaded - an image that a GPU has, for who asks after a line
 * @next: list, newest first
 * @gpu: index
 * @id: handle
 * @bytes: of @data
 * @data: a copy of the ELF file
 */
struct uvm_loaded {
	struct uvm_loaded *next;
	int gpu;
	uint32_t id;
	size_t bytes;
	char data[];
};

/**
 * struct uvm_reader - a thread that reads records
 * @fd: the file, non-blocking; -1 if there is none
 * @stop: eventfd that ends the thread
 * @thread: the thread
 * @lock: held while records are read and handed over
 * @record: bytes of a record
 * @fn: the listener
 * @arg: its argument
 */
struct uvm_reader {
	int fd;
	int stop;
	pthread_t thread;
	pthread_mutex_t lock;
	size_t record;
	void (*fn)(void *arg, const void *record);
	void *arg;
};

/* Start the thread on @r->fd; 0 or a negative errno. */
int uvm_reader_start(struct uvm_reader *r, size_t record,
		     void (*fn)(void *arg, const void *record), void *arg);
/* Hand over what there is. */
int uvm_reader_drain(struct uvm_reader *r);
/* Hand over what there is, end the thread, close the file. */
int uvm_reader_stop(struct uvm_reader *r);

/**
 * struct uvm_timeline - who listens to a GPU
 * @reader: the file
 * @fn: the listener
 * @arg: its argument
 */
struct uvm_timeline {
	struct uvm_reader reader;
	uvm_timeline_fn fn;
	void *arg;
};

/**
 * struct uvm_found - what the next uvm_synchronize() has to tell
 * @error: of the first launch that failed, or 0
 * @text: the same in words
 * @failed: a launch failed, and @failure says how
 * @failure: which and how
 */
struct uvm_found {
	int error;
	char text[512];
	bool failed;
	struct uvm_failure failure;
};

struct uvm {
	int fd;
	int gpu_fd[UVM_GPU_MAX];
	pthread_mutex_t alloc_lock;
	struct uvm_allocation *allocations;
	uint64_t footprint;
	uint64_t gap;
	struct uvm_pending *pending;
	struct uvm_pending **pending_tail;
	struct uvm_loaded *loaded;
	unsigned int pending_count[UVM_GPU_MAX];
	uint64_t last_launch[UVM_GPU_MAX];
	uint64_t last_copy[UVM_GPU_MAX];
	struct uvm_totals totals;
	bool failed;
	struct uvm_failure failure;
	struct uvm_found found;
	struct uvm_reader events;
	uvm_event_fn event_fn;
	void *event_arg;
	struct uvm_timeline timelines[UVM_GPU_MAX];
	void *staging;
	char error[512];
};

/* Record an error in words; returns -@err. */
int uvm_fail(struct uvm *u, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Where the instruction at @pc comes from: "FILE:LINE in FUNCTION", FILE as the compiler was told
 * it, and ", called at FILE:LINE in FUNCTION" where that was inlined; "FUNCTION" where the image
 * has no lines.  @image: the ELF file's contents.  False if it does not say; then @text may be
 * anything.
 */
bool uvm_source_line(const void *image, size_t bytes, uint64_t pc, char *text, size_t room);

/* Reserve address space, and leave @gap behind it; MAP_FAILED if there is none. */
void *uvm_reserve(size_t bytes, uint64_t gap);
/* Pages are the unit of the driver: widen a span to whole ones. */
void uvm_span_pages(const void *ptr, size_t bytes, uint64_t *base, uint64_t *length);
/* A record with reserved addresses, NULL after uvm_fail(); and into the list. */
struct uvm_allocation *uvm_allocation_new(struct uvm *u, size_t bytes, const char *name);
void uvm_allocation_add(struct uvm *u, struct uvm_allocation *a);
/* Take what is not managed out of the GPUs' page tables, and give it back. */
void uvm_explicit_undo(struct uvm *u, struct uvm_allocation *a);
/* Pinned memory in the place of the program's at @a, with its contents. */
int uvm_explicit_register(struct uvm *u, struct uvm_allocation *a);
/* Ordinary memory in the place of @a, with its contents. */
void uvm_in_place_undo(struct uvm_allocation *a);
/* Wait for the launches on a GPU; uvm_synchronize() still tells how they ended. */
int uvm_wait_launches(struct uvm *u, int gpu);

/* Forget all allocations (closing), and launches on a GPU that leaves. */
void uvm_free_all(struct uvm *u);
void uvm_forget_launches(struct uvm *u, int gpu);

#endif
