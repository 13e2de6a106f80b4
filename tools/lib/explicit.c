// SPDX-License-Identifier: GPL-2.0
/* Explicit memory: device, pinned and mirrored allocations, and copies. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "internal.h"

/* Ordinary memory is copied through a pinned buffer of this size. */
#define EXPLICIT_STAGING	(1UL << 20)

static int explicit_alloc(struct uvm *u, int gpu, uint32_t kind, uint64_t bytes,
			  struct softgpu_alloc *out)
{
	int fd = uvm_gpu_fd(u, gpu);

	*out = (struct softgpu_alloc){ .size = sizeof(*out), .kind = kind, .bytes = bytes };
	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_ALLOC, out))
		return uvm_fail(u, errno, "%llu bytes of %s memory", (unsigned long long)bytes,
				kind == SOFTGPU_MEMORY_DEVICE ? "device" : "pinned");
	return 0;
}

static void explicit_release(struct uvm *u, int gpu, uint32_t handle)
{
	struct softgpu_free arg = { .size = sizeof(arg), .handle = handle };

	if (handle)
		ioctl(u->gpu_fd[gpu], SOFTGPU_IOC_FREE, &arg);
}

static int explicit_range(struct uvm *u, uint64_t base, uint64_t bytes)
{
	struct uvm_create_external_range arg = { .size = sizeof(arg), .base = base,
						 .length = bytes };

	if (ioctl(u->fd, UVM_IOC_CREATE_EXTERNAL_RANGE, &arg))
		return uvm_fail(u, errno, "external range of %llu bytes", (unsigned long long)bytes);
	return 0;
}

static void explicit_range_free(struct uvm *u, uint64_t base, uint64_t bytes)
{
	struct uvm_free_external_range arg = { .size = sizeof(arg), .base = base,
					       .length = bytes };

	ioctl(u->fd, UVM_IOC_FREE_EXTERNAL_RANGE, &arg);
}

/* Object @handle of GPU @owner becomes visible to GPU @gpu. */
static int explicit_map(struct uvm *u, uint64_t base, uint64_t bytes, int owner, uint32_t handle,
			int gpu)
{
	struct uvm_map_external arg = {
		.size = sizeof(arg), .base = base, .length = bytes,
		.softgpu_fd = u->gpu_fd[owner], .handle = handle, .gpu = gpu,
	};

	if (ioctl(u->fd, UVM_IOC_MAP_EXTERNAL, &arg))
		return uvm_fail(u, errno, "map of %llu bytes for gpu %d", (unsigned long long)bytes,
				gpu);
	return 0;
}

static int explicit_map_all(struct uvm *u, uint64_t base, uint64_t bytes, int owner,
			    uint32_t handle)
{
	int gpu, err = 0;

	for (gpu = 0; !err && gpu < UVM_GPU_MAX; gpu++)
		if (u->gpu_fd[gpu] >= 0)
			err = explicit_map(u, base, bytes, owner, handle, gpu);
	return err;
}

static int explicit_first_gpu(const struct uvm *u)
{
	int gpu;

	for (gpu = 0; gpu < UVM_GPU_MAX; gpu++)
		if (u->gpu_fd[gpu] >= 0)
			return gpu;
	return -1;
}

/* ---- allocations ------------------------------------------------------ */

void uvm_explicit_undo(struct uvm *u, struct uvm_allocation *a)
{
	if (a->kind == UVM_MEMORY_MANAGED)
		return;
	explicit_range_free(u, a->base, a->bytes);
	if (a->kind == UVM_MEMORY_MIRRORED) {
		explicit_range_free(u, a->host, a->bytes);
		munmap((void *)a->host, a->bytes);
	}
	explicit_release(u, a->gpu, a->device_handle);
	explicit_release(u, a->gpu, a->host_handle);
}

/* Device memory at @a->base, for its GPU alone. */
static int explicit_make_device(struct uvm *u, struct uvm_allocation *a)
{
	struct softgpu_alloc alloc;
	int err = explicit_alloc(u, a->gpu, SOFTGPU_MEMORY_DEVICE, a->bytes, &alloc);

	if (err)
		return err;
	a->device_handle = alloc.handle;
	err = explicit_range(u, a->base, a->bytes);
	return err ? err : explicit_map(u, a->base, a->bytes, a->gpu, alloc.handle, a->gpu);
}

/* Pinned memory: for the CPU at @a->base, for GPUs at @gpu_base. */
static int explicit_make_pinned(struct uvm *u, struct uvm_allocation *a, uint64_t gpu_base)
{
	struct softgpu_alloc alloc;
	int err = explicit_alloc(u, a->gpu, SOFTGPU_MEMORY_PINNED, a->bytes, &alloc);

	if (err)
		return err;
	a->host_handle = alloc.handle;
	if (mmap((void *)a->base, a->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
		 u->gpu_fd[a->gpu], (off_t)alloc.mmap_offset) == MAP_FAILED)
		return uvm_fail(u, errno, "mmap of %llu pinned bytes", (unsigned long long)a->bytes);
	err = explicit_range(u, gpu_base, a->bytes);
	return err ? err : explicit_map_all(u, gpu_base, a->bytes, a->gpu, alloc.handle);
}

int uvm_explicit_register(struct uvm *u, struct uvm_allocation *a)
{
	struct uvm_allocation copy;
	int err;

	a->gpu = explicit_first_gpu(u);
	if (a->gpu < 0)
		return uvm_fail(u, ENODEV, "register without a gpu");
	/* filled where nobody looks, then put in place */
	copy = *a;
	copy.base = (uintptr_t)mmap(NULL, a->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if ((void *)copy.base == MAP_FAILED)
		return uvm_fail(u, errno, "address space");
	err = explicit_make_pinned(u, &copy, a->base);
	if (!err) {
		memcpy((void *)copy.base, (void *)a->base, a->bytes);
		if (mremap((void *)copy.base, a->bytes, a->bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			   (void *)a->base) == MAP_FAILED)
			err = uvm_fail(u, errno, "register");
	}
	a->host_handle = copy.host_handle;
	if (err) {
		uvm_explicit_undo(u, a);
		munmap((void *)copy.base, a->bytes);
	}
	return err;
}

static int explicit_make(struct uvm *u, struct uvm_allocation *a)
{
	int err;

	switch (a->kind) {
	case UVM_MEMORY_DEVICE:
		return explicit_make_device(u, a);
	case UVM_MEMORY_PINNED:
		return explicit_make_pinned(u, a, a->base);
	default:
		/* the two page tables differ: the GPU finds its copy where the CPU has its own */
		a->host = (uintptr_t)uvm_reserve(a->bytes, u->gap);
		if ((void *)a->host == MAP_FAILED) {
			a->host = 0;
			return uvm_fail(u, errno, "address space");
		}
		err = explicit_make_pinned(u, a, a->host);
		return err ? err : explicit_make_device(u, a);
	}
}

static void *explicit_new(struct uvm *u, int gpu, size_t bytes, const char *name,
			  enum uvm_memory_kind kind)
{
	struct uvm_allocation *a = uvm_allocation_new(u, bytes, name);

	if (!a)
		return NULL;
	a->kind = kind;
	a->gpu = gpu;
	if (explicit_make(u, a)) {
		char saved[sizeof(u->error)];

		memcpy(saved, u->error, sizeof(saved));
		uvm_explicit_undo(u, a);
		munmap((void *)a->base, a->bytes);
		free(a);
		memcpy(u->error, saved, sizeof(saved));
		return NULL;
	}
	uvm_allocation_add(u, a);
	return (void *)a->base;
}

void *uvm_malloc_device(struct uvm *u, int gpu, size_t bytes, const char *name)
{
	return explicit_new(u, gpu, bytes, name, UVM_MEMORY_DEVICE);
}

void *uvm_malloc_pinned(struct uvm *u, size_t bytes, const char *name)
{
	int gpu = explicit_first_gpu(u);

	if (gpu < 0) {
		uvm_fail(u, ENODEV, "pinned memory without a gpu");
		return NULL;
	}
	return explicit_new(u, gpu, bytes, name, UVM_MEMORY_PINNED);
}

void *uvm_malloc_mirrored(struct uvm *u, int gpu, size_t bytes, const char *name)
{
	return explicit_new(u, gpu, bytes, name, UVM_MEMORY_MIRRORED);
}

/* ---- peers ------------------------------------------------------------ */

static struct uvm_allocation *explicit_device(struct uvm *u, const void *ptr)
{
	struct uvm_allocation *a;

	pthread_mutex_lock(&u->alloc_lock);
	for (a = u->allocations; a; a = a->next)
		if (a->kind == UVM_MEMORY_DEVICE && a->base == (uintptr_t)ptr)
			break;
	pthread_mutex_unlock(&u->alloc_lock);
	if (!a)
		uvm_fail(u, EINVAL, "%p is no device memory", ptr);
	return a;
}

int uvm_share_device(struct uvm *u, const void *ptr, int gpu)
{
	struct uvm_allocation *a = explicit_device(u, ptr);

	return a ? explicit_map(u, a->base, a->bytes, a->gpu, a->device_handle, gpu) : -EINVAL;
}

int uvm_unshare_device(struct uvm *u, const void *ptr, int gpu)
{
	struct uvm_allocation *a = explicit_device(u, ptr);
	struct uvm_unmap_external arg = { .size = sizeof(arg), .gpu = gpu };

	if (!a || a->gpu == gpu)
		return a ? uvm_fail(u, EINVAL, "gpu %d's own memory", gpu) : -EINVAL;
	arg.base = a->base;
	arg.length = a->bytes;
	if (ioctl(u->fd, UVM_IOC_UNMAP_EXTERNAL, &arg))
		return uvm_fail(u, errno, "unmap of '%s' for gpu %d", a->name, gpu);
	return 0;
}

/* ---- copies ----------------------------------------------------------- */

static int explicit_copy_start(struct uvm *u, int gpu, uint64_t dst, uint64_t src, uint64_t bytes,
			       unsigned int direction, uint64_t *id)
{
	struct softgpu_copy arg = { .size = sizeof(arg), .direction = direction, .dst = dst,
				    .src = src, .bytes = bytes };
	int fd = uvm_gpu_fd(u, gpu);

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_COPY, &arg))
		return uvm_fail(u, errno, "copy of %llu bytes", (unsigned long long)bytes);
	*id = arg.copy_id;
	u->last_copy[gpu] = arg.copy_id;
	return 0;
}

int uvm_memcpy_wait(struct uvm *u, int gpu, uint64_t id)
{
	struct softgpu_copy_wait w = { .size = sizeof(w), .copy_id = id };
	int fd = uvm_gpu_fd(u, gpu);

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_COPY_WAIT, &w))
		return uvm_fail(u, errno, "wait for a copy");
	u->totals.copies++;
	u->totals.copy_time_ns += w.end_ns - w.start_ns;
	u->totals.copy_bytes += w.state == SOFTGPU_COPY_DONE ? w.bytes : 0;
	if (w.state == SOFTGPU_COPY_DONE)
		return 0;
	if (w.fault)
		return uvm_fail(u, w.error, "copy failed: %s of %#llx",
				w.access ? "write" : "read", (unsigned long long)w.address);
	return uvm_fail(u, w.error ? w.error : EIO, "copy failed");
}

uint64_t uvm_last_copy(const struct uvm *u, int gpu)
{
	return gpu >= 0 && gpu < UVM_GPU_MAX ? u->last_copy[gpu] : 0;
}

int uvm_memcpy_state(struct uvm *u, int gpu, uint64_t id, bool wait, struct softgpu_copy_wait *state)
{
	int fd = uvm_gpu_fd(u, gpu);

	*state = (struct softgpu_copy_wait){
		.size = sizeof(*state), .flags = wait ? 0 : SOFTGPU_WAIT_POLL, .copy_id = id,
	};
	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_COPY_WAIT, state))
		return uvm_fail(u, errno, "state of copy %llu", (unsigned long long)id);
	return 0;
}

int uvm_memcpy_async(struct uvm *u, int gpu, void *dst, const void *src, size_t bytes,
		     unsigned int direction, uint64_t *id)
{
	return explicit_copy_start(u, gpu, (uintptr_t)dst, (uintptr_t)src, bytes, direction, id);
}

static int explicit_copy(struct uvm *u, int gpu, uint64_t dst, uint64_t src, uint64_t bytes,
			 unsigned int direction)
{
	uint64_t id = 0, part;
	int err = 0;

	for (; !err && bytes; bytes -= part, dst += part, src += part) {
		part = bytes < SOFTGPU_COPY_MAX ? bytes : SOFTGPU_COPY_MAX;
		err = explicit_copy_start(u, gpu, dst, src, part, direction, &id);
		if (!err)
			err = uvm_memcpy_wait(u, gpu, id);
	}
	return err;
}

/* Can GPUs reach it?  Memory that is not ours they cannot. */
static bool explicit_is_ours(struct uvm *u, const void *ptr)
{
	uint64_t offset;
	char name[1];

	return !uvm_find_allocation(u, (uintptr_t)ptr, name, sizeof(name), &offset);
}

/* Ordinary memory on one side: through a pinned buffer, piece by piece. */
static int explicit_copy_staged(struct uvm *u, int gpu, char *dst, const char *src, size_t bytes,
				unsigned int direction, bool to_gpu)
{
	size_t part;
	int err = 0;

	if (!u->staging)
		u->staging = uvm_malloc_pinned(u, EXPLICIT_STAGING, "staging");
	if (!u->staging)
		return -ENOMEM;
	for (; !err && bytes; bytes -= part, dst += part, src += part) {
		part = bytes < EXPLICIT_STAGING ? bytes : EXPLICIT_STAGING;
		if (to_gpu)
			memcpy(u->staging, src, part);
		err = explicit_copy(u, gpu, to_gpu ? (uintptr_t)dst : (uintptr_t)u->staging,
				    to_gpu ? (uintptr_t)u->staging : (uintptr_t)src, part, direction);
		if (!err && !to_gpu)
			memcpy(dst, u->staging, part);
	}
	return err;
}

int uvm_memcpy(struct uvm *u, int gpu, void *dst, const void *src, size_t bytes,
	       unsigned int direction)
{
	bool dst_ours = explicit_is_ours(u, dst), src_ours = explicit_is_ours(u, src);
	int err = uvm_wait_launches(u, gpu);

	if (err)
		return err;
	if (dst_ours && src_ours)
		return explicit_copy(u, gpu, (uintptr_t)dst, (uintptr_t)src, bytes, direction);
	if (!dst_ours && !src_ours)
		return uvm_fail(u, EINVAL, "copy between %p and %p, neither of which is a GPU's",
				src, dst);
	return explicit_copy_staged(u, gpu, dst, src, bytes, direction, dst_ours);
}

/* The mirrored allocation that holds a span, and where its pinned side is. */
static struct uvm_allocation *explicit_mirror(struct uvm *u, const void *ptr, size_t bytes)
{
	struct uvm_allocation *a;
	uint64_t at = (uintptr_t)ptr;

	pthread_mutex_lock(&u->alloc_lock);
	for (a = u->allocations; a; a = a->next)
		if (a->kind == UVM_MEMORY_MIRRORED && at >= a->base && bytes <= a->bytes &&
		    at - a->base <= a->bytes - bytes)
			break;
	pthread_mutex_unlock(&u->alloc_lock);
	if (!a)
		uvm_fail(u, EINVAL, "%p+%zu is not mirrored", ptr, bytes);
	return a;
}

int uvm_mirror_to_gpu(struct uvm *u, const void *ptr, size_t bytes)
{
	struct uvm_allocation *a = explicit_mirror(u, ptr, bytes);
	uint64_t at = (uintptr_t)ptr;
	int err;

	if (!a)
		return -EINVAL;
	err = uvm_wait_launches(u, a->gpu);
	return err ? err : explicit_copy(u, a->gpu, at, a->host + (at - a->base), bytes,
					 SOFTGPU_COPY_HTOD);
}

int uvm_mirror_to_cpu(struct uvm *u, const void *ptr, size_t bytes)
{
	struct uvm_allocation *a = explicit_mirror(u, ptr, bytes);
	uint64_t at = (uintptr_t)ptr;
	int err;

	if (!a)
		return -EINVAL;
	err = uvm_wait_launches(u, a->gpu);
	return err ? err : explicit_copy(u, a->gpu, a->host + (at - a->base), at, bytes,
					 SOFTGPU_COPY_DTOH);
}
