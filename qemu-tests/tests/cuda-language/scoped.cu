// SPDX-License-Identifier: GPL-2.0
/* cuda::atomic and cuda::atomic_ref: all operations, in kernels and on the CPU, and between both. */
#include <cuda/atomic>
#include <cuda/std/atomic>
#include "check.h"

#define THREADS 64
#define BLOCKS 4

enum class state : unsigned int { idle, taken };

struct pair {
	short a, b;
};

struct values {
	cuda::atomic<int, cuda::thread_scope_device> sum, least, most, bits, ored, xored, lock;
	cuda::atomic<unsigned long long> wide;
	cuda::atomic<float, cuda::thread_scope_block> real;
	cuda::atomic<double> real_most;
	cuda::atomic<unsigned char> byte;
	cuda::atomic<short> half;
	cuda::atomic<state> named;
	cuda::atomic<pair> both;
	cuda::atomic<int *> pointer;
	cuda::std::atomic<bool> flag;
	cuda::std::atomic_flag once;
	int locked, winners, first, plain;
};

/* Each thread moves a pair on, whose halves stay apart by one. */
__device__ void step(cuda::atomic<pair> *both)
{
	pair old = both->load(cuda::memory_order_relaxed), next;

	do {
		next.a = old.a + 1;
		next.b = next.a + 1;
	} while (!both->compare_exchange_weak(old, next, cuda::std::memory_order_acq_rel));
}

__global__ void change(values *a)
{
	__shared__ cuda::atomic<int, cuda::thread_scope_block> of_block;
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	cuda::atomic_ref<int, cuda::thread_scope_device> plain(a->plain);
	bool done = false;
	state idle = state::idle;

	if (!threadIdx.x)
		of_block.store(0, cuda::memory_order_relaxed);
	__syncthreads();
	a->sum.fetch_add(i, cuda::memory_order_relaxed);
	a->least.fetch_min(-i);
	a->most.fetch_max(i, cuda::memory_order_acq_rel);
	a->bits &= ~(1 << i % 5);
	a->ored |= 1 << i % 7;
	a->xored ^= i;
	a->wide += 1ull << 33;
	a->wide.fetch_sub(1);
	a->real.fetch_add(0.5f);
	a->real_most.fetch_max(i * 0.25);
	a->byte++;
	--a->half;
	a->pointer.fetch_add(1);
	plain += 2;
	step(&a->both);
	++of_block;
	if (a->named.compare_exchange_strong(idle, state::taken))
		atomicAdd(&a->winners, 1);
	if (!a->once.test_and_set())
		atomicAdd(&a->first, 1);
	while (!done)
		if (!a->lock.exchange(1, cuda::memory_order_acquire)) {
			a->locked++;
			cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
			a->lock.store(0, cuda::memory_order_release);
			done = true;
		}
	__syncthreads();
	if (!threadIdx.x && of_block == blockDim.x)
		a->sum += 1000000;
}

__global__ void wait(values *a, int *out)
{
	if (blockIdx.x) {
		a->flag.wait(false);
		*out = a->plain;
	} else {
		a->plain = 77;
		a->flag.store(true, cuda::std::memory_order_release);
		a->flag.notify_all();
	}
}

static void begin(values *a, int *at)
{
	const pair start = { 10, 11 };

	a->bits = 31;
	a->wide = 5;
	a->pointer = at;
	a->both.store(start);
	a->byte = 250;
	a->half.store(3, cuda::memory_order_relaxed);
	a->named = state::idle;
}

int main()
{
	int *out = managed<int>(1), n = THREADS * BLOCKS;
	values *a;

	MUST(cudaMallocManaged(&a, sizeof(*a)));
	MUST(cudaMemset(a, 0, sizeof(*a)));
	MUST(cudaDeviceSynchronize());
	begin(a, out);
	CHECK(a->ored.fetch_or(128) == 0 && a->ored.load() == 128);
	CHECK(a->sum.fetch_add(3) == 0 && a->sum.exchange(0) == 3);
	change<<<BLOCKS, THREADS>>>(a);
	MUST(cudaDeviceSynchronize());
	CHECK(a->sum == n * (n - 1) / 2 + BLOCKS * 1000000, "%d", a->sum.load());
	CHECK(a->least == 1 - n && a->most == n - 1, "%d %d", (int)a->least, (int)a->most);
	CHECK(a->bits == 0 && a->ored == 255 && a->xored == 0, "%d %d", (int)a->bits, (int)a->ored);
	CHECK(a->wide == 5 + ((unsigned long long)n << 33) - n, "%llx", a->wide.load());
	CHECK(a->real == n * 0.5f && a->real_most == (n - 1) * 0.25, "%f", a->real.load());
	CHECK(a->byte == (unsigned char)(250 + n) && a->half == 3 - n, "%d", (int)a->byte);
	CHECK(a->pointer == out + n);
	CHECK(a->both.load().a == 10 + n && a->both.load().b == 11 + n, "%d", a->both.load().a);
	CHECK(a->named.load() == state::taken && a->winners == 1, "%d", a->winners);
	CHECK(a->once.test() && a->first == 1, "%d", a->first);
	CHECK(a->plain == 2 * n && a->locked == n, "%d %d", a->plain, a->locked);
	wait<<<2, 1>>>(a, out);
	MUST(cudaDeviceSynchronize());
	CHECK(*out == 77 && a->flag, "%d", *out);
	return wrong != 0;
}
