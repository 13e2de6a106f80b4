/* SPDX-License-Identifier: GPL-2.0 */
/* Explicit memory and copies by raw ioctls, for the tests of both. */
#ifndef TEST_EXPLICIT_H
#define TEST_EXPLICIT_H

#include "common.h"

#define DEVICE	SOFTGPU_MEMORY_DEVICE
#define PINNED	SOFTGPU_MEMORY_PINNED

/* A memory object, mapped for GPU 0 and, if pinned, for the CPU. */
struct object {
	uint32_t handle;
	uint64_t bytes;
	uint64_t gpu;			/* GPU address */
	char *cpu;			/* CPU address of pinned memory */
};

static UNUSED long object_alloc(int gpu, uint32_t kind, uint64_t bytes, uint32_t flags,
				struct softgpu_alloc *out)
{
	struct softgpu_alloc arg = { .size = sizeof(arg), .flags = flags, .kind = kind,
				     .bytes = bytes };
	long ret = try_ioctl(gpu, SOFTGPU_IOC_ALLOC, &arg);

	if (out)
		*out = arg;
	return ret;
}

static UNUSED long object_free(int gpu, uint32_t handle)
{
	struct softgpu_free arg = { .size = sizeof(arg), .handle = handle };

	return try_ioctl(gpu, SOFTGPU_IOC_FREE, &arg);
}

static UNUSED long range_create(int uvm, uint64_t base, uint64_t length)
{
	struct uvm_create_external_range arg = { .size = sizeof(arg), .base = base,
						 .length = length };

	return try_ioctl(uvm, UVM_IOC_CREATE_EXTERNAL_RANGE, &arg);
}

static UNUSED long range_free(int uvm, uint64_t base, uint64_t length)
{
	struct uvm_free_external_range arg = { .size = sizeof(arg), .base = base,
					       .length = length };

	return try_ioctl(uvm, UVM_IOC_FREE_EXTERNAL_RANGE, &arg);
}

/* What @p has allocated, for GPU @gpu. */
static UNUSED long range_map_for(const struct pair *p, uint64_t base, uint64_t length,
				 uint32_t handle, uint64_t offset, uint32_t flags, int gpu)
{
	struct uvm_map_external arg = {
		.size = sizeof(arg), .flags = flags, .base = base, .length = length,
		.offset = offset, .softgpu_fd = p->gpu, .handle = handle, .gpu = gpu,
	};

	return try_ioctl(p->uvm, UVM_IOC_MAP_EXTERNAL, &arg);
}

static UNUSED long range_map(const struct pair *p, uint64_t base, uint64_t length,
			     uint32_t handle, uint64_t offset, uint32_t flags)
{
	return range_map_for(p, base, length, handle, offset, flags, 0);
}

static UNUSED long range_unmap(int uvm, uint64_t base, uint64_t length, int gpu)
{
	struct uvm_unmap_external arg = { .size = sizeof(arg), .base = base, .length = length,
					  .gpu = gpu };

	return try_ioctl(uvm, UVM_IOC_UNMAP_EXTERNAL, &arg);
}

/* Allocated, mapped at a fresh address of the GPU, for the CPU likewise. */
static UNUSED struct object object_make(const struct pair *p, uint32_t kind, uint64_t bytes)
{
	struct softgpu_alloc alloc;
	struct object o = { .bytes = bytes, .gpu = fresh_address(bytes) };

	must(!object_alloc(p->gpu, kind, bytes, 0, &alloc));
	o.handle = alloc.handle;
	must(!range_create(p->uvm, o.gpu, bytes));
	must(!range_map(p, o.gpu, bytes, o.handle, 0, 0));
	if (kind == PINNED) {
		o.cpu = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->gpu,
			     alloc.mmap_offset);
		must(o.cpu != MAP_FAILED);
	}
	return o;
}

static UNUSED void object_end(const struct pair *p, struct object *o)
{
	must(!range_free(p->uvm, o->gpu, o->bytes));
	must(!object_free(p->gpu, o->handle));
	if (o->cpu)
		munmap(o->cpu, o->bytes);
}

static UNUSED long copy_start(int gpu, uint64_t dst, uint64_t src, uint64_t bytes,
			      uint32_t direction, uint64_t *id)
{
	struct softgpu_copy arg = { .size = sizeof(arg), .direction = direction, .dst = dst,
				    .src = src, .bytes = bytes };
	long ret = try_ioctl(gpu, SOFTGPU_IOC_COPY, &arg);

	*id = arg.copy_id;
	return ret;
}

static UNUSED long copy_wait(int gpu, uint64_t id, uint32_t flags, struct softgpu_copy_wait *w)
{
	*w = (struct softgpu_copy_wait){ .size = sizeof(*w), .flags = flags, .copy_id = id };
	return try_ioctl(gpu, SOFTGPU_IOC_COPY_WAIT, w);
}

/* Copy and wait: 0, or minus the errno of the ioctl or of the copy. */
static UNUSED long copy(int gpu, uint64_t dst, uint64_t src, uint64_t bytes, uint32_t direction,
			struct softgpu_copy_wait *w)
{
	struct softgpu_copy_wait own;
	uint64_t id;
	long ret;

	w = w ? w : &own;
	ret = copy_start(gpu, dst, src, bytes, direction, &id);
	if (!ret)
		ret = copy_wait(gpu, id, 0, w);
	return ret ? ret : -(long)w->error;
}

static UNUSED void knob(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/debug/softgpu/gpu0/%s", name);
	fd = open(path, O_WRONLY);
	must(fd >= 0);
	must(write(fd, value, strlen(value)) > 0);
	close(fd);
}

static UNUSED long counter_of(int gpu, const char *name)
{
	char path[128];
	long value = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/softgpu/gpu%d/%s", gpu, name);
	file = fopen(path, "r");
	must(file);
	must(fscanf(file, "%ld", &value) == 1);
	fclose(file);
	return value;
}

static UNUSED long counter(const char *name)
{
	return counter_of(0, name);
}

#endif
