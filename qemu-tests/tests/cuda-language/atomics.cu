// SPDX-License-Identifier: GPL-2.0
/* Atomics of all types that CUDA has, in global and shared memory, in each scope. */
#include <string.h>
#include "check.h"

#define THREADS 256
#define BLOCKS 4
#define ALL (THREADS * BLOCKS)

template<class T> struct cells { T add, sub, min, max, and_, or_, xor_, exch, cas, block, system; };

/* CUDA subtracts from 32 bits only. */
__device__ void less(int *at, int by) { atomicSub(at, by); }
__device__ void less(unsigned int *at, unsigned int by) { atomicSub(at, by); }
__device__ void less(unsigned long long *at, unsigned long long by) { atomicAdd(at, -by); }

template<class T> __global__ void integers(cells<T> *c)
{
	__shared__ T here;
	T i = blockIdx.x * blockDim.x + threadIdx.x, seen;

	atomicAdd(&c->add, i);
	less(&c->sub, (T)2);
	atomicMin(&c->min, (T)(i + 10));
	atomicMax(&c->max, i);
	atomicAnd(&c->and_, ~((T)1 << i % 20));
	atomicOr(&c->or_, (T)1 << i % 20);
	atomicXor(&c->xor_, i);
	atomicExch(&c->exch, (T)77);
	do {
		seen = c->cas;
	} while (atomicCAS(&c->cas, seen, seen + 3) != seen);
	if (threadIdx.x == 0)
		here = 0;
	__syncthreads();
	atomicAdd_block(&here, (T)1);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd_system(&c->block, here);
	atomicMax_system(&c->system, i);
}

template<class T> static void of_type(const char *name)
{
	cells<T> *c = managed<cells<T>>(1);
	T of_all = 0;

	c->min = 100;
	c->and_ = ~(T)0;
	for (int i = 0; i < ALL; i++)
		of_all ^= i;
	integers<<<BLOCKS, THREADS>>>(c);
	MUST(cudaDeviceSynchronize());
	CHECK(c->add == (T)(ALL * (ALL - 1) / 2), "%s", name);
	CHECK(c->sub == (T)(-2 * ALL), "%s", name);
	CHECK(c->min == 10, "%s", name);
	CHECK(c->max == ALL - 1, "%s", name);
	CHECK(c->and_ == (T)~(T)0xfffff, "%s", name);
	CHECK(c->or_ == 0xfffff, "%s", name);
	CHECK(c->xor_ == of_all, "%s", name);
	CHECK(c->exch == 77, "%s", name);
	CHECK(c->cas == 3 * ALL, "%s", name);
	CHECK(c->block == ALL, "%s", name);
	CHECK(c->system == ALL - 1, "%s", name);
}

struct others { unsigned int inc, dec, most; float add, exch; int lowest; unsigned int highest; long long low, high; };

__global__ void other_types(others *o)
{
	atomicMax(&o->most, atomicInc(&o->inc, 9));
	atomicDec(&o->dec, 5);
	atomicAdd(&o->add, 0.5f);
	atomicExch(&o->exch, 2.5f);
	/* Signs tell the two kinds apart. */
	atomicMin(&o->lowest, -1);
	atomicMax(&o->highest, 0x80000000u);
	atomicMin(&o->low, -(1LL << 40));
	atomicMax(&o->high, 1LL << 40);
}

/* All threads have one address: an atomic of each type takes what one of integers takes. */
template<class T> __device__ void one_more(T *at) { atomicAdd(at, (T)1); }
__device__ void one_more(unsigned int *at) { atomicInc(at, ~0u); }
__device__ void one_more(unsigned short *at) { atomicDec((unsigned int *)at, 1u << 20); }

template<class T> __global__ void contended(T *at) { one_more(at); }

template<class T> static float time_of(T *at)
{
	cudaEvent_t from, to;
	float ms;

	MUST(cudaEventCreate(&from));
	MUST(cudaEventCreate(&to));
	contended<<<8, THREADS>>>(at);
	MUST(cudaEventRecord(from));
	contended<<<8, THREADS>>>(at);
	MUST(cudaEventRecord(to));
	MUST(cudaDeviceSynchronize());
	MUST(cudaEventElapsedTime(&ms, from, to));
	return ms;
}

static void many_at_once()
{
	struct all { int i; unsigned int inc; unsigned short dec[2]; float f; double d; } *a = managed<all>(1);
	float least = time_of(&a->i), inc = time_of(&a->inc), dec = time_of(a->dec);
	float single = time_of(&a->f), full = time_of(&a->d);
	unsigned int down;

	memcpy(&down, a->dec, sizeof(down));
	CHECK(a->i == 16 * THREADS && a->inc == 16 * THREADS, "%d %u", a->i, a->inc);
	CHECK(down == (1u << 20) + 1 - 16 * THREADS, "%u", down);
	CHECK(a->f == 16 * THREADS && a->d == 16 * THREADS, "%f %f", a->f, a->d);
	CHECK(inc < 2 * least && dec < 2 * least && single < 2 * least && full < 2 * least,
	      "%f %f %f %f %f", least, inc, dec, single, full);
}

int main()
{
	others *o = managed<others>(1);

	of_type<int>("int");
	of_type<unsigned int>("unsigned int");
	of_type<unsigned long long>("unsigned long long");
	o->highest = 7;
	o->low = 7;
	o->high = -7;
	other_types<<<BLOCKS, THREADS>>>(o);
	MUST(cudaDeviceSynchronize());
	CHECK(o->inc == ALL % 10, "%u", o->inc);
	CHECK(o->most == 9, "%u", o->most);
	/* 0 becomes 5 first: after 1 + 6 n steps it is 5 again. */
	CHECK(o->dec == 5 - (ALL - 1) % 6, "%u", o->dec);
	CHECK(o->add == ALL / 2, "%d", (int)o->add);
	CHECK(o->exch == 2.5f, "%d", (int)o->exch);
	CHECK(o->lowest == -1 && o->highest == 0x80000000u, "%d", o->lowest);
	many_at_once();
	CHECK(o->low == -(1LL << 40) && o->high == 1LL << 40, "%lld %lld", o->low, o->high);
	return wrong != 0;
}
