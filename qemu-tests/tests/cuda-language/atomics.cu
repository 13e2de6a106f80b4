// SPDX-License-Identifier: GPL-2.0
/* Atomics of all types that CUDA has, in global and shared memory, in each scope. */
#include "check.h"

#define THREADS 256
#define BLOCKS 4
#define ALL (THREADS * BLOCKS)

template<class T> struct cells { T add, sub, min, max, and_, or_, xor_, exch, cas, block, system; };

template<class T> __global__ void integers(cells<T> *c)
{
	__shared__ T here;
	T i = blockIdx.x * blockDim.x + threadIdx.x, seen;

	atomicAdd(&c->add, i);
	atomicSub(&c->sub, (T)2);
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

struct others { unsigned int inc, dec, most; float add, exch; int lowest; unsigned int highest; };

__global__ void other_types(others *o)
{
	atomicMax(&o->most, atomicInc(&o->inc, 9));
	atomicDec(&o->dec, 5);
	atomicAdd(&o->add, 0.5f);
	atomicExch(&o->exch, 2.5f);
	/* Signs tell the two kinds apart. */
	atomicMin(&o->lowest, -1);
	atomicMax(&o->highest, 0x80000000u);
}

int main()
{
	others *o = managed<others>(1);

	of_type<int>("int");
	of_type<unsigned int>("unsigned int");
	of_type<long long>("long long");
	of_type<unsigned long long>("unsigned long long");
	o->highest = 7;
	other_types<<<BLOCKS, THREADS>>>(o);
	MUST(cudaDeviceSynchronize());
	CHECK(o->inc == ALL % 10, "%u", o->inc);
	CHECK(o->most == 9, "%u", o->most);
	/* 0 becomes 5 first: after 1 + 6 n steps it is 5 again. */
	CHECK(o->dec == 5 - (ALL - 1) % 6, "%u", o->dec);
	CHECK(o->add == ALL / 2, "%d", (int)o->add);
	CHECK(o->exch == 2.5f, "%d", (int)o->exch);
	CHECK(o->lowest == -1 && o->highest == 0x80000000u, "%d", o->lowest);
	return wrong != 0;
}
