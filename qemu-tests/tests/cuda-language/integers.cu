// SPDX-License-Identifier: GPL-2.0
/* Functions of bits and integers, and conversions with a rounding of their own. */
#include <math.h>
#include <string.h>
#include "check.h"

#define N 64

struct row {
	int popc, popcll, clz, clzll, ffs, ffsll, mul24, mulhi, hadd, low, high, rz, rn, ru, rd, nan;
	unsigned int brev, perm, sad, umulhi, umin, bits;
	long long mul64hi, mixed;
	float rounded[4], back, ldg;
};

__device__ __constant__ unsigned int seeds[N];

__global__ void rows(row *out, const float *floats)
{
	unsigned int i = threadIdx.x, u = seeds[i];
	row *r = out + i;
	long long w = (long long)u << 29 ^ u;
	float f = floats[i];

	r->popc = __popc(u);
	r->popcll = __popcll(w);
	r->clz = __clz(u);
	r->clzll = __clzll(w);
	r->ffs = __ffs(u);
	r->ffsll = __ffsll(w);
	r->mul24 = __mul24(u, 12345);
	r->mulhi = __mulhi((int)u, -77777777);
	r->umulhi = __umulhi(u, 0xfedcba98);
	r->mul64hi = __mul64hi(w, -w * 3);
	r->hadd = __hadd((int)u, 0x7fffffff);
	r->brev = __brev(u);
	r->perm = __byte_perm(u, ~u, 0x6b24);
	r->sad = __sad((int)u, 5, 6);
	r->umin = min(u, 1000000);
	r->low = min((int)u, -3);
	r->high = max((int)u, -3);
	r->mixed = max(w, 5ll);
	r->rz = __float2int_rz(f);
	r->rn = __float2int_rn(f);
	r->ru = __float2int_ru(f);
	r->rd = __float2int_rd(f);
	r->nan = __float2int_rn(f - f == 0 ? 0.0f / (f - f) : 0);
	r->bits = __float_as_uint(f);
	r->back = __int2float_rn(u);
	r->rounded[0] = __fadd_rn(f, 1e-3f);
	r->rounded[1] = __fmul_rn(f, 1e-3f);
	r->rounded[2] = __frcp_rn(f + 0.3f);
	r->rounded[3] = __fmaf_rn(f, f, 1e-3f);
	r->ldg = __ldg(floats + i) + __ldg((const float2 *)floats + i / 2).y;
}

static unsigned int reversed(unsigned int x)
{
	unsigned int y = 0;

	for (int i = 0; i < 32; i++)
		y |= (x >> i & 1) << (31 - i);
	return y;
}

int main()
{
	unsigned int u[N], x = 1;
	row *r = managed<row>(N);
	float *f = managed<float>(N);

	for (int i = 0; i < N; i++) {
		x = x * 1664525 + 1013904223;
		u[i] = i < 32 ? x >> i : x;
		f[i] = ((int)x >> 8) / 1024.0f;
	}
	u[40] = 0;
	MUST(cudaMemcpyToSymbol(seeds, u, sizeof(u)));
	rows<<<1, N>>>(r, f);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < N; i++, r++) {
		long long w = (long long)u[i] << 29 ^ u[i];
		int s = u[i];
		unsigned int bits;

		CHECK(r->popc == __builtin_popcount(u[i]));
		CHECK(r->popcll == __builtin_popcountll(w));
		CHECK(r->clz == (u[i] ? __builtin_clz(u[i]) : 32));
		CHECK(r->clzll == (w ? __builtin_clzll(w) : 64));
		CHECK(r->ffs == __builtin_ffs(s));
		CHECK(r->ffsll == __builtin_ffsll(w));
		CHECK(r->mul24 == (int)((long long)(s << 8 >> 8) * 12345));
		CHECK(r->mulhi == (int)((long long)s * -77777777 >> 32));
		CHECK(r->umulhi == (unsigned int)((unsigned long long)u[i] * 0xfedcba98 >> 32));
		CHECK(r->mul64hi == (long long)((__int128)w * (-w * 3) >> 64));
		CHECK(r->hadd == (int)(((long long)s + 0x7fffffff) >> 1));
		CHECK(r->brev == reversed(u[i]));
		CHECK(r->perm == ((~u[i] >> 16 & 255) << 24 | (u[i] >> 31 ? 0xff0000u : 0) |
				  (u[i] >> 16 & 255) << 8 | (~u[i] & 255)), "%x %x", u[i], r->perm);
		CHECK(r->sad == (s > 5 ? u[i] - 5 : 5 - u[i]) + 6);
		CHECK(r->umin == (u[i] < 1000000 ? u[i] : 1000000));
		CHECK(r->low == (s < -3 ? s : -3) && r->high == (s > -3 ? s : -3));
		CHECK(r->mixed == (w > 5 ? w : 5));
		CHECK(r->rz == (int)truncf(f[i]) && r->rn == (int)rintf(f[i]));
		CHECK(r->ru == (int)ceilf(f[i]) && r->rd == (int)floorf(f[i]));
		CHECK(r->nan == 0);
		memcpy(&bits, f + i, sizeof(bits));
		CHECK(r->bits == bits && r->back == (float)s);
		CHECK(r->rounded[0] == f[i] + 1e-3f);
		CHECK(r->rounded[1] == f[i] * 1e-3f);
		CHECK(r->rounded[2] == 1 / (f[i] + 0.3f));
		CHECK(r->rounded[3] == fmaf(f[i], f[i], 1e-3f));
		CHECK(r->ldg == f[i] + f[i | 1]);
	}
	return wrong != 0;
}
