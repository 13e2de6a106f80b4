/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the subjects of this test share: the API, the image of lib/cuda_kernels.c, registered as a
 * compiled program registers its own, and TAP.
 */
#ifndef CUDA_TEST_H
#define CUDA_TEST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda_runtime_api.h"
#include "tap.h"

#define PAGE	4096UL
#define BLOCK	(2UL << 20)

/* The call returns this. */
bool returns(cudaError_t want, cudaError_t got, const char *what);
#define RETURNS(want, call)	returns(want, call, #call)
/* The call works. */
#define WORKS(call)		returns(cudaSuccess, call, #call)

/* What a compiled program calls its kernels. */
void add(void);
void touch(void);
void take(void);
void global(void);
void print(void);
void block(void);
void trap(void);
void after(void);
void count(void);
void tally(void);
void unknown(void);		/* registered, but not in the image */
void plain(void);		/* in the image, but without its entry */
extern const char image[], image_end[];

/* As a compiler calls them. */
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int external,
		       size_t bytes, int constant, int global);
extern char variable[4];
extern char zeroes[32];
extern int32_t both;		/* __managed__ */

struct pair {
	int32_t a;
	int16_t b;
	int64_t c;
};

/* Launch with a list of arguments. */
#define LAUNCH(kernel, blocks, threads, stream, ...)					\
	cudaLaunchKernel((const void *)(kernel), (dim3){ blocks, 1, 1 },		\
			 (dim3){ threads, 1, 1 }, (void *[]){ __VA_ARGS__ }, 0, stream)

/* Of touch(): a byte of each of @n strides. */
cudaError_t launch_touch(void *p, unsigned long stride, int n, cudaStream_t stream);
bool on_virtual_clock(void);
/* Device time. */
uint64_t device_ns(void);

/* Subjects. */
void test_memory(void);
void test_neighbours(void);
void test_copies(void);
void test_arrays(void);
void test_launches(void);
void test_one_copy(void);
void test_forgets(void);
void test_endless(void);
void test_gives_up(void);
void test_variables(void);
void test_streams(void);
void test_events(void);
void test_graphs(void);
void test_captures(void);
void test_devices(void);
void test_peers(void);
void test_errors(void);
void test_managed(void);
void test_driver(void);
void test_no_memory(void);

/* tools/tests/fake/failing_malloc.c: an allocation of this program was made to fail. */
bool allocator_has_failed(void);

#endif
