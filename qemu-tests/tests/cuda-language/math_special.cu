// SPDX-License-Identifier: GPL-2.0
/*
 * Math functions by C++'s names, which are overloaded for float and double, where arguments are
 * zeros, infinities, NaN, the largest and the smallest: as the C library's of the host.
 */
#include <cmath>
#include <string.h>
#include "check.h"

#define OF_ONE(F)								\
	F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh)	\
	F(atanh) F(exp) F(exp2) F(expm1) F(log) F(log2) F(log10) F(log1p) F(cbrt) F(sqrt)	\
	F(ceil) F(floor) F(trunc) F(round) F(rint) F(nearbyint) F(fabs) F(erf) F(erfc)	\
	F(lgamma) F(logb)
/* Of zeros of two signs fmin() and fmax() may give any, and so may nextafter() here. */
#define OF_TWO(F)								\
	F(pow) F(atan2) F(fmod) F(hypot) F(remainder) F(fmin) F(fmax) F(fdim) F(copysign)	\
	F(nextafter)

#define VALUES	22
#define COUNT(name) + 1
static const int ones = 0 OF_ONE(COUNT), twos = 0 OF_TWO(COUNT);

template<class T> struct values { T at[VALUES]; };

template<class T> __global__ void of_one(T *out, values<T> of)
{
	T x = of.at[threadIdx.x];

	out += threadIdx.x;
#define CALL(name) *out = name(x); out += VALUES;
	OF_ONE(CALL)
#undef CALL
}

template<class T> __global__ void of_two(T *out, values<T> of)
{
	T x = of.at[threadIdx.x], y = of.at[blockIdx.x];

	out += threadIdx.x * VALUES + blockIdx.x;
#define CALL(name) *out = name(x, y); out += VALUES * VALUES;
	OF_TWO(CALL)
#undef CALL
}

template<class T> static bool same(T got, T want, bool any_zero)
{
	if (got != got || want != want)
		return got != got && want != want;
	if (got == want)
		return any_zero || got || std::signbit(got) == std::signbit(want);
	return std::abs(got - want) <= std::abs(want) * std::numeric_limits<T>::epsilon() * 32 +
				       std::numeric_limits<T>::denorm_min() * 2;
}

template<class T> static void compare(const char *type)
{
	typedef std::numeric_limits<T> limits;
	T inf = limits::infinity(), *out = managed<T>(VALUES * VALUES * twos + VALUES * ones), x, y;
	const values<T> of = { { 0, -(T)0.0, inf, -inf, limits::quiet_NaN(), 1, -1, (T)0.5, (T)-0.5,
				 (T)2.5, (T)-2.5, 3, -3, 1000000, -1000000, limits::max(),
				 -limits::max(), limits::denorm_min(), -limits::denorm_min(),
				 limits::min(), (T)89.5, (T)710.2 } };

	of_one<<<1, VALUES>>>(out, of);
	MUST(cudaDeviceSynchronize());
#define COMPARE(name) for (int i = 0; i < VALUES; i++, out++) {			\
		x = of.at[i];							\
		CHECK(same(*out, (T)std::name(x), false), #name "(%s %g) is %g, not %g", type, x, \
		      *out, std::name(x));					\
	}
	OF_ONE(COMPARE)
#undef COMPARE
	of_two<<<VALUES, VALUES>>>(out, of);
	MUST(cudaDeviceSynchronize());
#define COMPARE(name) for (int i = 0; i < VALUES * VALUES; i++, out++) {	\
		x = of.at[i / VALUES];						\
		y = of.at[i % VALUES];						\
		CHECK(same(*out, (T)std::name(x, y), x == 0 && y == 0 && #name[0] != 'c' &&	\
			   strcmp(#name, "atan2")),				\
		      #name "(%s %g, %g) is %g, not %g", type, x, y, *out, std::name(x, y));	\
	}
	OF_TWO(COMPARE)
#undef COMPARE
}

int main()
{
	compare<float>("float");
	compare<double>("double");
	return wrong != 0;
}
