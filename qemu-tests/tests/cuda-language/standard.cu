// SPDX-License-Identifier: GPL-2.0
/* Names of cuda::std in device code, a latch and a semaphore. */
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/array>
#include <cuda/std/cassert>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include "check.h"

#define THREADS 64

template<class T> struct larger {
	typedef cuda::std::conditional_t<sizeof(T) < 4, cuda::std::int32_t, cuda::std::uint64_t> type;
};

static_assert(cuda::std::is_same<larger<short>::type, int>::value, "");
static_assert(cuda::std::is_integral<cuda::std::size_t>::value, "");

template<class F, class... A> __device__ auto call(F &&f, A &&...a)
{
	return cuda::std::forward<F>(f)(cuda::std::forward<A>(a)...);
}

__device__ cuda::std::tuple<int, float> both(int i) { return cuda::std::make_tuple(i, i * 0.5f); }

__global__ void names(float *out)
{
	int i = threadIdx.x, other = 1000;
	cuda::std::array<int, 3> a = { { i, 2 * i, 5 } }, b = a;
	cuda::std::pair<int, short> p = cuda::std::make_pair(i, (short)3);
	float least = cuda::std::numeric_limits<float>::max();

	b[1] = 7;
	for (int element : a)
		least = element < least ? element : least;
	cuda::std::swap(i, other);
	out[threadIdx.x] = cuda::std::get<0>(both(other)) + cuda::std::get<1>(both(i)) + a[0] + b[1] +
			   p.first + p.second + least + call(cuda::std::plus<int>(), 1, 2) +
			   (a == b) + b.size() + a.back() + cuda::std::identity()(i) +
			   (cuda::std::numeric_limits<cuda::std::int8_t>::min() == -128);
}

/* Two at a time are behind the semaphore; all wait for the last. */
__global__ void gates(int *out)
{
	__shared__ alignas(8) char latch_space[64], gate_space[64];
	__shared__ int inside, most;
	auto *latch = (cuda::latch<cuda::thread_scope_block> *)latch_space;
	auto *gate = (cuda::counting_semaphore<cuda::thread_scope_block, 2> *)gate_space;

	if (!threadIdx.x) {
		new (latch) cuda::latch<cuda::thread_scope_block>(THREADS);
		new (gate) cuda::counting_semaphore<cuda::thread_scope_block, 2>(2);
		inside = most = 0;
	}
	__syncthreads();
	gate->acquire();
	atomicMax(&most, atomicAdd(&inside, 1) + 1);
	__nanosleep(100);
	atomicSub(&inside, 1);
	gate->release();
	latch->arrive_and_wait();
	out[threadIdx.x] = most <= 2 && !inside;
}

int main()
{
	float *out = managed<float>(THREADS);
	int *right = managed<int>(THREADS);

	names<<<1, THREADS>>>(out);
	gates<<<1, THREADS>>>(right);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++) {
		float same = i == 3 && 2 * i == 7;
		float must = i + 500 + i + 7 + i + 3 + (i < 5 ? i : 5) + 3 + same + 3 + 5 + 1000 + 1;

		CHECK(out[i] == must, "%d: %g, not %g", i, out[i], must);
		CHECK(right[i] == 1, "%d", i);
	}
	return wrong != 0;
}
