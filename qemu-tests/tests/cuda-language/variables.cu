// SPDX-License-Identifier: GPL-2.0
/* __device__ and __constant__ variables: initial values, pointers among them, from the host. */
#include "check.h"

struct list { int value; const char *name; list *next; int *of[2]; };

__device__ int plain = 3, zero;
static __device__ int hidden[3] = { 1, 2, 3 };
__device__ int *pointer = &hidden[2];
__device__ list second = { 5, "second", nullptr, { &zero, hidden + 1 } };
__device__ list first = { 4, "first", &second, { &plain, nullptr } };
__device__ const char *const words[] = { "one", "two", "three" };
__constant__ float factors[4] = { 0.5f, 1, 2, 4 };
__constant__ int n;
namespace inner { __device__ long long big = 1ll << 40; }

__global__ void use(int *out, float *f)
{
	unsigned int i = threadIdx.x;
	static __device__ int calls = 10;

	atomicAdd(&calls, 1);
	__syncthreads();
	if (i < 4)
		f[i] = factors[i] * n;
	if (i)
		return;
	out[0] = plain++;
	out[1] = *pointer;
	out[2] = first.next->value;
	out[3] = first.next->name[0];
	out[4] = *first.next->of[1];
	out[5] = words[2][4];
	out[6] = inner::big >> 38;
	out[7] = calls;
	out[8] = *first.of[0];
	hidden[0] = 100;
	zero -= 7;
}

__global__ void look(int *out)
{
	out[0] = plain;
	out[1] = zero;
	out[2] = hidden[0];
	out[3] = hidden[1];
}

int main()
{
	int *out = managed<int>(16), value = 6, three[3];
	float *f = managed<float>(4), doubled[2] = { 10, 20 };
	const int want[] = { 3, 3, 5, 's', 2, 'e', 4, 42, 4 };
	void *at;

	MUST(cudaMemcpyToSymbol(n, &value, sizeof(value)));
	MUST(cudaMemcpyToSymbol(factors, doubled, sizeof(doubled), 2 * sizeof(float)));
	use<<<1, 32>>>(out, f);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 9; i++)
		CHECK(out[i] == want[i], "%d: %d", i, out[i]);
	CHECK(f[0] == 3 && f[1] == 6 && f[2] == 60 && f[3] == 120, "%d", (int)f[3]);
	MUST(cudaMemcpyFromSymbol(&value, plain, sizeof(value)));
	CHECK(value == 4, "%d", value);
	MUST(cudaMemcpyFromSymbol(three, hidden, sizeof(three)));
	CHECK(three[0] == 100 && three[1] == 2 && three[2] == 3, "%d", three[0]);
	value = 50;
	MUST(cudaMemcpyToSymbol(hidden, &value, sizeof(value), sizeof(int)));
	MUST(cudaGetSymbolAddress(&at, plain));
	value = 9;
	MUST(cudaMemcpy(at, &value, sizeof(value), cudaMemcpyHostToDevice));
	look<<<1, 1>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 9 && out[1] == -7 && out[2] == 100 && out[3] == 50, "%d", out[0]);
	return wrong != 0;
}
