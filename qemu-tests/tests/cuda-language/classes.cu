// SPDX-License-Identifier: GPL-2.0
/* Templates, classes, virtual and other pointers to functions, lambdas, structs by value, recursion. */
#include "check.h"

struct shape {
	__device__ virtual int area() const { return 0; }
};

struct square : shape {
	int side;
	__device__ square(int side) : side(side) { }
	__device__ int area() const override { return side * side; }
};

struct box : shape {
	int a, b;
	__device__ box(int a, int b) : a(a), b(b) { }
	__device__ int area() const override { return a * b; }
};

__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
typedef int (*of_int)(int);
__device__ of_int functions[] = { twice, thrice };

template<class T, int N> struct vector {
	T at[N];
	__host__ __device__ T sum() const
	{
		T s = 0;
		for (int i = 0; i < N; i++)
			s += at[i];
		return s;
	}
	__host__ __device__ vector operator+(const vector &o) const
	{
		vector v = *this;
		for (int i = 0; i < N; i++)
			v.at[i] += o.at[i];
		return v;
	}
};

template<class T> __global__ void add(vector<T, 5> a, char between, vector<T, 5> b, T *out)
{
	a.at[0] += threadIdx.x;	/* its own copy */
	out[threadIdx.x] = (a + b).sum() + between;
}

__global__ void calls(int *out)
{
	unsigned int i = threadIdx.x;
	square s(i);
	box b(i, 3);
	const shape *of = i & 1 ? (const shape *)&s : &b;

	out[i] = of->area() + functions[i % 2](i);
}

template<class F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

/* The compiler cannot make a loop of it. */
__device__ __attribute__((noinline)) int ways(int n) { return n < 2 ? 1 : ways(n - 1) + ways(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = ways(threadIdx.x % 8); }

__global__ void __launch_bounds__(64, 2) many(char a, short b, int c, long long d, float e, bool f,
					      int *out, unsigned char g, const int *const in, dim3 h)
{
	*out = a + b + c + (int)d + (int)e + f + g + in[1] + h.x + h.y + h.z;
}

int main()
{
	int *out = managed<int>(64), base = 100, ways_of[8] = { 1, 1, 2, 3, 5, 8, 13, 21 };
	vector<int, 5> a = { { 1, 2, 3, 4, 5 } }, b = { { 10, 20, 30, 40, 50 } };

	add<<<1, 64>>>(a, (char)-1, b, out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		CHECK(out[i] == 164 + i, "%d: %d", i, out[i]);
	calls<<<1, 64>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		CHECK(out[i] == (i & 1 ? i * i + 3 * i : 3 * i + 2 * i), "%d: %d", i, out[i]);
	apply<<<1, 64>>>(out, [=] __device__ (int i) { return base + i; });
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		CHECK(out[i] == 100 + i, "%d: %d", i, out[i]);
	recursive<<<1, 64>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 64; i++)
		CHECK(out[i] == ways_of[i % 8], "%d: %d", i, out[i]);
	out[1] = 1000;
	many<<<1, 1>>>(-1, -2, 30, 4000000000ll - 4000000000ll, 5.5f, true, out, 200, out,
		       dim3(1, 2, 3));
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == -1 - 2 + 30 + 5 + 1 + 200 + 1000 + 6, "%d", out[0]);
	return wrong != 0;
}
