// SPDX-License-Identifier: GPL-2.0
/*
 * printf() of the device beside that of the host: each line is printed by both, with "d" and "h"
 * before it, and host.sh compares.  assert() ends a launch, and says where.
 */
#include <assert.h>
#include "check.h"

#define LINES(print, side)							\
	print(side " nothing\n");						\
	print(side " 100%% %c|%3c|%-3c|\n", 'a', 'b', 'c');			\
	print(side " %d %i %u %x %X\n", -1, 7, 4000000000u, 0xbeef, 0xBEEF);	\
	print(side " %5d|%-5d|%05d|%3d\n", 42, 42, -42, 123456);		\
	print(side " %ld %lu %lx %lld %llu %zu\n", -(1l << 40), 1ul << 40, 1ul << 63, -5ll,	\
	      ~0ull, (size_t)9);						\
	print(side " %hd %hhd %hu\n", (short)-3, (signed char)-4, (unsigned short)5);	\
	print(side " %f %.3f %8.2f|%-8.1f|%.0f %f\n", 1.5, -2.0626, 3.25, 4.5, 1e6, 0.1f); \
	print(side " %s|%6s|%-6s|%.2s\n", "one", "two", "three", "four");	\
	print(side " %*d|%-*d|%.*f\n", 6, 1, 6, 2, 2, 0.75);			\
	print(side " %d %s %f %ld %c %u %d %d %d %d %d %d\n", 1, "2", 3.0, 4l, '5', 6, 7, 8, 9,	\
	      10, 11, 12);

__global__ void lines() { LINES(printf, "d") }

__global__ void in_order() { printf("lane %d\n", threadIdx.x); }

__global__ void must(int *x)
{
	if (blockIdx.y != 2 || threadIdx.x != 3 || threadIdx.z != 1)
		return;
	assert(*x == 1);
	*x = 2;
}

int main()
{
	int *x = managed<int>(1);

	lines<<<1, 1>>>();
	MUST(cudaDeviceSynchronize());
	LINES(printf, "h")
	in_order<<<1, 3>>>();
	MUST(cudaDeviceSynchronize());
	*x = 1;
	must<<<dim3(1, 3), dim3(4, 1, 2)>>>(x);
	MUST(cudaDeviceSynchronize());
	CHECK(*x == 2, "%d", *x);
	must<<<dim3(1, 3), dim3(4, 1, 2)>>>(x);
	CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
	return wrong != 0;
}
