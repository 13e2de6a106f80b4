// SPDX-License-Identifier: GPL-2.0
/*
 * Arguments of launches: a slot of 8 bytes for each parameter, then copies of structures, which slots
 * point to.  The device takes 4 KB; a structure that does not fit in there goes to GPU memory.
 */
#include <string.h>

#include <linux/softgpu_kernel_abi.h>

#include "runtime.h"

/* CUDA C++ programming guide, function parameters: 32764 bytes since CUDA 12.1. */
#define ARGUMENT_BYTES	32768
#define ARGUMENT_COPIES	32	/* launches that have such a structure and may not have ended */

/**
 * struct argument_copies - GPU memory for the structures of launches, used in turn
 * @memory: of @launch each, NULL: not needed yet
 * @launch: who has it
 * @next: the one to take
 */
struct argument_copies {
	void *memory[ARGUMENT_COPIES];
	uint64_t launch[ARGUMENT_COPIES];
	unsigned int next;
};

static struct argument_copies argument_copies[UVM_GPU_MAX];

void rt_arguments_forget(void)
{
	memset(argument_copies, 0, sizeof(argument_copies));
}

static size_t argument_align(size_t at)
{
	return (at + 15) & ~15UL;
}

/* Where each structure goes; *@beside: bytes of those for which there is no room in the block. */
static void argument_place(const struct rt_function *f, size_t room, size_t *inside, size_t *beside)
{
	*inside = f->param_count * 8UL;
	*beside = 0;
	for (uint32_t i = 0; i < f->param_count; i++) {
		size_t bytes = f->params[i].bytes;

		if (!f->params[i].by_address)
			continue;
		if (argument_align(*inside) + bytes <= room)
			*inside = argument_align(*inside) + bytes;
		else
			*beside = argument_align(*beside) + bytes;
	}
}

/* The next piece of memory, when the launch that had it has ended.  One that is forgotten has. */
static cudaError_t argument_take(int device, struct argument_copies *copies, unsigned int *n)
{
	struct softgpu_wait state;

	*n = copies->next;
	if (!copies->memory[*n])
		return rt_allocate_own(&copies->memory[*n], ARGUMENT_BYTES, device);
	uvm_launch_state(rt.u, rt.devices[device].gpu, copies->launch[*n], true, &state);
	return cudaSuccess;
}

static void argument_fill(const struct rt_function *f, void **args, size_t room,
			  struct rt_arguments *a, unsigned char *beside, uint64_t beside_at)
{
	size_t inside = f->param_count * 8UL, out = 0;

	memset(a->block, 0, inside);
	for (uint32_t i = 0; i < f->param_count; i++) {
		const struct rt_param *p = &f->params[i];
		uint64_t address;

		if (!p->by_address) {
			memcpy(a->block + 8 * i, args[i], p->bytes < 8 ? p->bytes : 8);
			continue;
		}
		if (argument_align(inside) + p->bytes <= room) {
			inside = argument_align(inside);
			address = SGPU_WINDOW_ARGS + inside;
			memcpy(a->block + inside, args[i], p->bytes);
			inside += p->bytes;
		} else {
			out = argument_align(out);
			address = beside_at + out;
			memcpy(beside + out, args[i], p->bytes);
			out += p->bytes;
		}
		memcpy(a->block + 8 * i, &address, 8);
	}
	/* the device wants some */
	a->bytes = inside ? (inside + 7) & ~7UL : 8;
}

cudaError_t rt_arguments(const struct rt_function *f, void **args, int device, size_t room,
			 struct rt_arguments *a)
{
	struct argument_copies *copies = &argument_copies[device];
	static unsigned char data[ARGUMENT_BYTES];
	size_t inside, beside;
	cudaError_t error;
	unsigned int n;

	a->copy = NULL;
	argument_place(f, room, &inside, &beside);
	if (inside > room || beside > sizeof(data))
		return cudaErrorInvalidValue;
	if (!beside) {
		argument_fill(f, args, room, a, NULL, 0);
		return cudaSuccess;
	}
	error = argument_take(device, copies, &n);
	if (error)
		return error;
	argument_fill(f, args, room, a, data, (uintptr_t)copies->memory[n]);
	copies->next = (n + 1) % ARGUMENT_COPIES;
	copies->launch[n] = 0;
	a->copy = &copies->launch[n];
	return rt_error(uvm_memcpy(rt.u, rt.devices[device].gpu, copies->memory[n], data, beside,
				   SOFTGPU_COPY_HTOD));
}
