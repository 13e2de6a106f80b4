// SPDX-License-Identifier: GPL-2.0
/*
 * What tools/cuda/device/inline is for the GPU, for the CPU: NVVM's intrinsics and functions of
 * libdevice, written anew from NVIDIA's documentation and by the compiler's built-in functions, so
 * that a mistake there is not one here.  uvm-retarget links it to a program's IR.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "oracle.h"

/* ---- special registers and meetings ----------------------------------- */

#define PLACES(register, place)							\
	uint32_t __nvvm_read_ptx_sreg_##register##_x(void) { return place.x; }	\
	uint32_t __nvvm_read_ptx_sreg_##register##_y(void) { return place.y; }	\
	uint32_t __nvvm_read_ptx_sreg_##register##_z(void) { return place.z; }
PLACES(tid, oracle_thread)
PLACES(ntid, oracle_block_size)
PLACES(ctaid, oracle_block)
PLACES(nctaid, oracle_grid_size)
uint32_t __nvvm_read_ptx_sreg_laneid(void) { return oracle_lane(); }
uint32_t __nvvm_read_ptx_sreg_warpsize(void) { return ORACLE_LANES; }

static uint32_t barrier(int predicate, uint32_t *of) { return oracle_barrier(predicate, of); }
void __nvvm_barrier0(void) { uint32_t of; barrier(0, &of); }
int __nvvm_barrier0_popc(int p) { uint32_t of; return barrier(p, &of); }
int __nvvm_barrier0_and(int p) { uint32_t of, n = barrier(p, &of); return n == of; }
int __nvvm_barrier0_or(int p) { uint32_t of; return barrier(p, &of) != 0; }
void __nvvm_membar_cta(void) { }
void __nvvm_membar_gl(void) { }
void __nvvm_membar_sys(void) { }

void __nvvm_bar_warp_sync(uint32_t m) { oracle_meet(ORACLE_SYNC, 0, m, 0, 0); }
bool __nvvm_vote_all_sync(uint32_t m, bool p) { return oracle_meet(ORACLE_ALL, p, m, 0, 0); }
bool __nvvm_vote_any_sync(uint32_t m, bool p) { return oracle_meet(ORACLE_ANY, p, m, 0, 0); }
bool __nvvm_vote_uni_sync(uint32_t m, bool p) { return oracle_meet(ORACLE_UNIFORM, p, m, 0, 0); }
int __nvvm_vote_ballot_sync(uint32_t m, bool p) { return oracle_meet(ORACLE_BALLOT, p, m, 0, 0); }

int __nvvm_match_any_sync_i32(int m, int value)
{
	return oracle_meet(ORACLE_MATCH_ANY, (uint32_t)value, m, 0, 0);
}

int __nvvm_match_any_sync_i64(int m, long long value)
{
	return oracle_meet(ORACLE_MATCH_ANY, value, m, 0, 0);
}

unsigned int __softuvm_match_all(unsigned int m, unsigned long long value)
{
	return oracle_meet(ORACLE_MATCH_ALL, value, m, 0, 0);
}

/* ---- atomics: one fiber runs at a time -------------------------------- */

#define ATOMIC(type, name, then)						\
	type __softuvm_atomic_##name(type *at, type value)			\
	{									\
		type old = *at;							\
										\
		*at = then;							\
		return old;							\
	}
ATOMIC(float, add_float, old + value)
ATOMIC(double, add_double, old + value)
ATOMIC(unsigned int, inc, old >= value ? 0 : old + 1)
ATOMIC(unsigned int, dec, !old || old > value ? value : old - 1)

/* ---- shuffles --------------------------------------------------------- */

/* PTX, shfl.sync: the segment's mask is in bits 8 to 12 of the last operand. */
static uint32_t width(int bounds)
{
	uint32_t mask = bounds >> 8 & 31;

	return 1u << __builtin_popcount(31 & ~mask);
}

#define SHUFFLE(name, what)							\
	int __nvvm_shfl_sync_##name##_i32(int m, int value, int by, int bounds)	\
	{									\
		return oracle_meet(what, (uint32_t)value, m, by, width(bounds)); \
	}									\
	float __nvvm_shfl_sync_##name##_f32(int m, float value, int by, int bounds) \
	{									\
		union { float f; uint32_t u; } bits = { value };		\
										\
		bits.u = oracle_meet(what, bits.u, m, by, width(bounds));	\
		return bits.f;							\
	}
SHUFFLE(idx, ORACLE_INDEX)
SHUFFLE(up, ORACLE_UP)
SHUFFLE(down, ORACLE_DOWN)
SHUFFLE(bfly, ORACLE_XOR)

/* ---- integers --------------------------------------------------------- */

typedef long long ll;
typedef unsigned long long ull;
typedef unsigned int uint;

int __nv_abs(int x) { return x < 0 ? (int)(0u - x) : x; }
ll __nv_llabs(ll x) { return x < 0 ? (ll)(0ull - x) : x; }
int __nv_min(int a, int b) { return b < a ? b : a; }
int __nv_max(int a, int b) { return b > a ? b : a; }
uint __nv_umin(uint a, uint b) { return b < a ? b : a; }
uint __nv_umax(uint a, uint b) { return b > a ? b : a; }
ll __nv_llmin(ll a, ll b) { return b < a ? b : a; }
ll __nv_llmax(ll a, ll b) { return b > a ? b : a; }
ull __nv_ullmin(ull a, ull b) { return b < a ? b : a; }
ull __nv_ullmax(ull a, ull b) { return b > a ? b : a; }
int __nv_mulhi(int a, int b) { return (__int128)a * b >> 32; }
uint __nv_umulhi(uint a, uint b) { return (unsigned __int128)a * b >> 32; }
ll __nv_mul64hi(ll a, ll b) { return (__int128)a * b >> 64; }
ull __nv_umul64hi(ull a, ull b) { return (unsigned __int128)a * b >> 64; }
uint __nv_umul24(uint a, uint b) { return (a % (1 << 24)) * (b % (1 << 24)); }

static ll sign24(int x)
{
	ll low = x & 0xffffff;

	return low >= 0x800000 ? low - 0x1000000 : low;
}

int __nv_mul24(int a, int b) { return sign24(a) * sign24(b); }
int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
uint __nv_uhadd(uint a, uint b) { return (a & b) + ((a ^ b) >> 1); }
uint __nv_urhadd(uint a, uint b) { return (a | b) - ((a ^ b) >> 1); }
uint __nv_sad(int a, int b, uint c) { ll d = (ll)a - b; return (d < 0 ? -d : d) + c; }
uint __nv_usad(uint a, uint b, uint c) { ll d = (ll)a - b; return (d < 0 ? -d : d) + c; }
int __nv_popc(int x) { return __builtin_popcount(x); }
int __nv_popcll(ll x) { return __builtin_popcountll(x); }
int __nv_clz(int x) { return x ? __builtin_clz(x) : 32; }
int __nv_clzll(ll x) { return x ? __builtin_clzll(x) : 64; }
int __nv_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
int __nv_ffsll(ll x) { return x ? __builtin_ctzll(x) + 1 : 0; }
uint __nv_brev(uint x) { return __builtin_bitreverse32(x); }
ull __nv_brevll(ull x) { return __builtin_bitreverse64(x); }

uint __nv_byte_perm(uint a, uint b, uint selector)
{
	union { uint word[2]; int8_t byte[8]; } from = { { a, b } };
	union { uint word; int8_t byte[4]; } to;

	for (int i = 0; i < 4; i++) {
		int digit = selector >> 4 * i, byte = from.byte[digit & 7];

		to.byte[i] = digit & 8 ? byte >> 7 : byte;
	}
	return to.word;
}

/* PTX in asm(), of which clang's header makes __funnelshift_l() and its like. */
uint __ptx_shf_l_wrap_b32(uint low, uint high, uint by)
{
	return by % 32 ? high << by % 32 | low >> (32 - by % 32) : high;
}

uint __ptx_shf_r_wrap_b32(uint low, uint high, uint by)
{
	return by % 32 ? low >> by % 32 | high << (32 - by % 32) : low;
}

uint __ptx_shf_l_clamp_b32(uint low, uint high, uint by)
{
	return by < 32 ? __ptx_shf_l_wrap_b32(low, high, by) : low;
}

uint __ptx_shf_r_clamp_b32(uint low, uint high, uint by)
{
	return by < 32 ? __ptx_shf_r_wrap_b32(low, high, by) : high;
}

/* ---- floats ----------------------------------------------------------- */

/* @s: the suffix of the compiler's names. These are defined exactly. */
#define FAMILY(type, s)								\
	type __nv_sqrt##s(type x) { return __builtin_sqrt##s(x); }		\
	type __nv_fabs##s(type x) { return __builtin_fabs##s(x); }		\
	type __nv_ceil##s(type x) { return __builtin_ceil##s(x); }		\
	type __nv_floor##s(type x) { return __builtin_floor##s(x); }		\
	type __nv_trunc##s(type x) { return __builtin_trunc##s(x); }		\
	type __nv_round##s(type x) { return __builtin_round##s(x); }		\
	type __nv_rint##s(type x) { return __builtin_rint##s(x); }		\
	type __nv_nearbyint##s(type x) { return __builtin_nearbyint##s(x); }	\
	type __nv_fmin##s(type x, type y) { return __builtin_fmin##s(x, y); }	\
	type __nv_fmax##s(type x, type y) { return __builtin_fmax##s(x, y); }	\
	type __nv_fdim##s(type x, type y) { return __builtin_fdim##s(x, y); }	\
	type __nv_fmod##s(type x, type y) { return __builtin_fmod##s(x, y); }	\
	type __nv_remainder##s(type x, type y) { return __builtin_remainder##s(x, y); } \
	type __nv_nextafter##s(type x, type y) { return __builtin_nextafter##s(x, y); } \
	type __nv_copysign##s(type x, type y) { return __builtin_copysign##s(x, y); } \
	type __nv_scalbn##s(type x, int n) { return __builtin_scalbn##s(x, n); } \
	type __nv_ldexp##s(type x, int n) { return __builtin_ldexp##s(x, n); }	\
	type __nv_logb##s(type x) { return __builtin_logb##s(x); }		\
	type __nv_frexp##s(type x, int *e) { return __builtin_frexp##s(x, e); }	\
	type __nv_modf##s(type x, type *whole) { return __builtin_modf##s(x, whole); } \
	type __nv_fma##s(type x, type y, type z) { return __builtin_fma##s(x, y, z); }
FAMILY(float, f)
FAMILY(double, )

#define CAST(name, to_type, from_type)						\
	to_type __nv_##name(from_type x)					\
	{									\
		union { from_type from; to_type to; } u = { .from = x };	\
										\
		return u.to;							\
	}
CAST(float_as_int, int, float)
CAST(float_as_uint, uint, float)
CAST(int_as_float, float, int)
CAST(uint_as_float, float, uint)
CAST(double_as_longlong, ll, double)
CAST(longlong_as_double, double, ll)
int __nv_double2hiint(double x) { return __nv_double_as_longlong(x) >> 32; }
int __nv_double2loint(double x) { return __nv_double_as_longlong(x); }
double __nv_hiloint2double(int high, int low)
{
	return __nv_longlong_as_double((ull)(uint)high << 32 | (uint)low);
}

int __nv_isnanf(float x) { return x != x; }
int __nv_isnand(double x) { return x != x; }
int __nv_isinff(float x) { return __builtin_isinf(x) != 0; }
int __nv_isinfd(double x) { return __builtin_isinf(x) != 0; }
int __nv_finitef(float x) { return __builtin_isfinite(x) != 0; }
int __nv_isfinited(double x) { return __builtin_isfinite(x) != 0; }
int __nv_signbitf(float x) { return __builtin_signbit(x) != 0; }
int __nv_signbitd(double x) { return __builtin_signbit(x) != 0; }

/* CUDA's conversions saturate; NaN is 0, or the highest bit where 64 bits take part. */
#define CONVERT_ROUNDED(r, round, name, type, from, least, below, most)		\
	type __nv_##name##_##r(from x)						\
	{									\
		double y = round((double)x);					\
										\
		if (y != y)							\
			return sizeof(from) == 8 || sizeof(type) == 8 ?		\
				       (type)(1ULL << (8 * sizeof(type) - 1)) : 0; \
		return y < least ? (type)least : y >= below ? most : (type)y;	\
	}
#define CONVERT(...)								\
	CONVERT_ROUNDED(rn, __builtin_rint, __VA_ARGS__)			\
	CONVERT_ROUNDED(rz, __builtin_trunc, __VA_ARGS__)			\
	CONVERT_ROUNDED(ru, __builtin_ceil, __VA_ARGS__)			\
	CONVERT_ROUNDED(rd, __builtin_floor, __VA_ARGS__)
CONVERT(float2int, int, float, -0x1p31, 0x1p31, INT32_MAX)
CONVERT(float2uint, uint, float, 0.0, 0x1p32, UINT32_MAX)
CONVERT(float2ll, ll, float, -0x1p63, 0x1p63, INT64_MAX)
CONVERT(float2ull, ull, float, 0.0, 0x1p64, UINT64_MAX)
CONVERT(double2int, int, double, -0x1p31, 0x1p31, INT32_MAX)
CONVERT(double2uint, uint, double, 0.0, 0x1p32, UINT32_MAX)
CONVERT(double2ll, ll, double, -0x1p63, 0x1p63, INT64_MAX)
CONVERT(double2ull, ull, double, 0.0, 0x1p64, UINT64_MAX)

#define PLAIN(name, to, from) to __nv_##name(from x) { return x; }
PLAIN(int2float_rn, float, int)
PLAIN(uint2float_rn, float, uint)
PLAIN(ll2float_rn, float, ll)
PLAIN(ull2float_rn, float, ull)
PLAIN(int2double_rn, double, int)
PLAIN(uint2double_rn, double, uint)
PLAIN(ll2double_rn, double, ll)
PLAIN(ull2double_rn, double, ull)
PLAIN(double2float_rn, float, double)

#define ARITHMETIC(letter, type, root, fused)					\
	type __nv_##letter##add_rn(type a, type b) { return a + b; }		\
	type __nv_##letter##sub_rn(type a, type b) { return a - b; }		\
	type __nv_##letter##mul_rn(type a, type b) { return a * b; }		\
	type __nv_##letter##div_rn(type a, type b) { return a / b; }		\
	type __nv_##letter##sqrt_rn(type a) { return root(a); }			\
	type __nv_##letter##rcp_rn(type a) { return 1 / a; }			\
	type __nv_##fused##_rn(type a, type b, type c) { return __nv_##fused(a, b, c); }
ARITHMETIC(f, float, __builtin_sqrtf, fmaf)
ARITHMETIC(d, double, __builtin_sqrt, fma)
float __nv_saturatef(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }
