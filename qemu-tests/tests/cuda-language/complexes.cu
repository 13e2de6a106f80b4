// SPDX-License-Identifier: GPL-2.0
/* cuComplex.h against the C++ library's complex numbers, in both precisions. */
#include <complex>
#include <cuComplex.h>
#include "check.h"

struct row {
	cuDoubleComplex sum, difference, product, quotient, conjugate, with_sum;
	cuFloatComplex product_float, quotient_float;
	double size;
	float size_float;
};

__global__ void compute(const cuDoubleComplex *in, row *out)
{
	cuDoubleComplex a = in[threadIdx.x], b = in[threadIdx.x + 1];
	cuFloatComplex x = cuComplexDoubleToFloat(a), y = cuComplexDoubleToFloat(b);
	row *r = out + threadIdx.x;

	r->sum = cuCadd(a, b);
	r->difference = cuCsub(a, b);
	r->product = cuCmul(a, b);
	r->quotient = cuCdiv(a, b);
	r->conjugate = make_cuDoubleComplex(cuCreal(cuConj(a)), cuCimag(cuConj(a)));
	r->with_sum = cuCfma(a, b, a);
	r->product_float = cuCmulf(x, y);
	r->quotient_float = cuCdivf(x, y);
	r->size = cuCabs(a);
	r->size_float = cuCabsf(x);
}

template<class Pair> static double error(Pair got, std::complex<double> want)
{
	return std::abs(std::complex<double>(got.x, got.y) - want) / (std::abs(want) + 1e-300);
}

int main()
{
	cuDoubleComplex *in = managed<cuDoubleComplex>(33);
	row *r = managed<row>(32);

	for (int i = 0; i < 33; i++)
		in[i] = make_cuDoubleComplex((i % 7 - 2.75) * 1e3, (i % 5 - 1.5) / 16);
	in[9] = make_cuDoubleComplex(0, 1e30);
	in[11] = make_cuDoubleComplex(-1e30, 0.5);
	compute<<<1, 32>>>(in, r);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 32; i++, r++) {
		std::complex<double> a(in[i].x, in[i].y), b(in[i + 1].x, in[i + 1].y);

		CHECK(error(r->sum, a + b) < 1e-14 && error(r->difference, a - b) < 1e-14, "%d", i);
		CHECK(error(r->product, a * b) < 1e-14 && error(r->quotient, a / b) < 1e-14, "%d", i);
		CHECK(error(r->conjugate, std::conj(a)) == 0, "%d", i);
		CHECK(error(r->with_sum, a * b + a) < 1e-14, "%d", i);
		CHECK(error(r->product_float, a * b) < 1e-5, "%d: %g %g", i, r->product_float.x, r->product_float.y);
		CHECK(error(r->quotient_float, a / b) < 1e-5, "%d: %g", i, r->quotient_float.x);
		CHECK(fabs(r->size / std::abs(a) - 1) < 1e-14, "%d: %g", i, r->size);
		CHECK(fabs(r->size_float / std::abs(a) - 1) < 1e-6, "%d: %g", i, r->size_float);
	}
	return wrong != 0;
}
