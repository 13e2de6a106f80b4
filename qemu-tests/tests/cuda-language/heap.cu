// SPDX-License-Identifier: GPL-2.0
/*
 * malloc(), free(), new and delete of device code: blocks are aligned and are nobody else's, what is
 * freed is taken again, a block outlives its launch, and a heap that is full says so.
 */
#include <new>
#include "check.h"

#define THREADS 256
#define ROUNDS	40

struct list {
	list *next;
	int value;
	__device__ list(list *behind, int what) : next(behind), value(what) { }
	__device__ virtual ~list() { value = -1; }
};

/* Blocks of many sizes, each full of its owner's number, which nobody may change. */
__global__ void churn(int *bad)
{
	unsigned int me = blockIdx.x * blockDim.x + threadIdx.x, size = me * 7 + 1;
	unsigned char *block[3] = { };

	for (int i = 0; i < ROUNDS; i++) {
		int slot = i % 3;

		for (int j = 0; block[slot] && j < block[slot][0]; j++)
			*bad += block[slot][j + 1] != (unsigned char)me;
		free(block[slot]);
		size = size * 1103515245 + 12345;
		block[slot] = (unsigned char *)malloc(1 + (size >> 16) % 100);
		*bad += !block[slot] || (unsigned long)block[slot] % 16;
		block[slot][0] = (size >> 16) % 100;
		memset(block[slot] + 1, me, block[slot][0]);
	}
	for (int i = 0; i < 3; i++)
		free(block[i]);
	free(NULL);
}

__global__ void build(list **heads)
{
	list *head = NULL;

	for (int i = 0; i < 10; i++)
		head = new list(head, threadIdx.x + i);
	heads[threadIdx.x] = head;
}

__global__ void sum(list **heads, int *sums)
{
	list *next;

	for (list *at = heads[threadIdx.x]; at; at = next) {
		sums[threadIdx.x] += at->value;
		next = at->next;
		delete at;
	}
}

/* As many times as the heap is large, nothing is lost; then all of it is taken. */
__global__ void fill(int *out)
{
	double *numbers;
	void *last = NULL, *at;
	void *volatile kept[3];		/* else the compiler has no need of them, and no heap */

	for (int i = 0; i < 1000; i++) {
		numbers = new double[10000];
		out[0] += !numbers;
		numbers[9999] = i;
		delete[] numbers;
	}
	while ((at = malloc(100000))) {
		*(void **)at = last;
		last = at;
		out[1]++;
	}
	kept[0] = malloc(100000);
	kept[1] = malloc(1ull << 40);
	kept[2] = malloc(~0ull);
	out[2] = !kept[0] && !kept[1] && !kept[2];
	for (; last; last = at) {
		at = *(void **)last;
		free(last);
	}
	kept[0] = malloc(100000);
	out[3] = kept[0] != NULL;
}

/* The optimiser makes calloc() of these; blocks were somebody's before. */
__global__ void zeroed(int *out, int n)
{
	int *volatile before = (int *)malloc(256), *block, *more;

	memset(before, 7, 256);
	free(before);
	block = (int *)malloc(256);
	if (!block)
		return;
	memset(block, 0, 256);
	more = new int[n]();
	for (int i = 0; i < 64; i++)
		out[threadIdx.x] += !block[i] + !more[i];
	free(block);
	delete[] more;
}

int main()
{
	int *out = managed<int>(THREADS);
	list **heads = managed<list *>(THREADS);
	size_t bytes = 0;

	MUST(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize));
	CHECK(bytes == 8 << 20, "%zu", bytes);
	churn<<<4, THREADS / 4>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(!out[0], "%d", out[0]);
	build<<<1, THREADS>>>(heads);
	sum<<<1, THREADS>>>(heads, out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		CHECK(out[i] == 10 * i + 45, "%d: %d", i, out[i]);
		out[i] = 0;
	}
	zeroed<<<1, THREADS>>>(out, 64);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		CHECK(out[i] == 128, "%d: %d", i, out[i]);
		out[i] = 0;
	}
	fill<<<1, 1>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(!out[0] && out[1] > 50 && out[2] && out[3], "%d %d %d %d", out[0], out[1], out[2], out[3]);
	return wrong != 0;
}
