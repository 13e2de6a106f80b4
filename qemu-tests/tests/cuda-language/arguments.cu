// SPDX-License-Identifier: GPL-2.0
/* Parameters of kernels: many, structures, and as many bytes as CUDA 12.1 takes. */
#include "check.h"

template<int N> struct block {
	int data[N];
};

typedef block<1024> small;	/* 4 KB: all that launches took before */
typedef block<8180> large;

template<class T> __global__ void sum(T all, long *out)
{
	long s = 0;

	for (unsigned int i = threadIdx.x; i < sizeof(T) / sizeof(int); i += blockDim.x)
		s += all.data[i];
	atomicAdd((unsigned long long *)out, (unsigned long long)s);
}

/* One in the block of a launch, one beside it, and between them what has a slot. */
__global__ void mixed(block<3> a, small b, char c, block<500> d, double e, long *out)
{
	out[0] = a.data[2];
	out[1] = b.data[1023];
	out[2] = c;
	out[3] = d.data[499];
	out[4] = (long)e;
}

/* What a thread changes is its own. */
__global__ void change(large all, int *out)
{
	all.data[threadIdx.x + 1] += all.data[0];
	out[threadIdx.x] = all.data[threadIdx.x] + all.data[threadIdx.x + 1];
}

template<class T> static void numbers(T *all, int first)
{
	for (unsigned int i = 0; i < sizeof(*all) / sizeof(int); i++)
		all->data[i] = first + i;
}

template<class T> static void sums(const char *what)
{
	const long n = sizeof(T) / sizeof(int);
	long *out = managed<long>(100);
	static T all;

	/* More launches than structures are kept for, each with its own. */
	for (int i = 0; i < 100; i++) {
		out[i] = 0;
		numbers(&all, i);
		sum<<<1, 32>>>(all, out + i);
		numbers(&all, -1);
	}
	MUST(cudaDeviceSynchronize());
	for (long i = 0; i < 100; i++)
		CHECK(out[i] == i * n + n * (n - 1) / 2, "%s %ld: %ld", what, i, out[i]);
}

int main()
{
	long *out = managed<long>(5);
	int *changed = managed<int>(4);
	block<3> a;
	static small b;
	block<500> d;
	static large l;

	sums<small>("4 KB");
	sums<large>("32 KB");
	numbers(&a, 1);
	numbers(&b, 2);
	numbers(&d, 3);
	mixed<<<1, 1>>>(a, b, 'x', d, 7.0, out);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 3 && out[1] == 1025 && out[2] == 'x' && out[3] == 502 && out[4] == 7,
	      "%ld %ld %ld %ld %ld", out[0], out[1], out[2], out[3], out[4]);
	numbers(&l, 10);
	change<<<1, 4>>>(l, changed);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 4; i++)
		CHECK(changed[i] == (i ? 10 + i + 11 + i + 10 : 10 + 11 + 10), "%d: %d", i, changed[i]);
	/* All of it is gone, and comes again. */
	MUST(cudaDeviceReset());
	sums<large>("again");
	return wrong != 0;
}
