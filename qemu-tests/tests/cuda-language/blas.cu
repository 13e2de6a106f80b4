// SPDX-License-Identifier: GPL-2.0
/*
 * cuBLAS: each call in both precisions, with gaps, backwards, transposed, with scalars of the CPU and of
 * the GPU, against loops of the CPU.  Numbers are small integers, so sums are exact in any order.
 */
#include <cublas_v2.h>
#include <math.h>
#include "check.h"

#define GOOD(call) CHECK((call) == CUBLAS_STATUS_SUCCESS, "")
#define ALL 4096

static cublasHandle_t handle;

/* The calls of one precision by one name. */
#define CALL2(name, S, ...) cublas##S##name(handle, __VA_ARGS__)
#define CALLS(real, S, s)									\
	struct of_##real {									\
		typedef real T;									\
		template<class... A> static cublasStatus_t axpy(A... a) { return CALL2(axpy, S, a...); } \
		template<class... A> static cublasStatus_t copy(A... a) { return CALL2(copy, S, a...); } \
		template<class... A> static cublasStatus_t swap(A... a) { return CALL2(swap, S, a...); } \
		template<class... A> static cublasStatus_t scal(A... a) { return CALL2(scal, S, a...); } \
		template<class... A> static cublasStatus_t rot(A... a) { return CALL2(rot, S, a...); } \
		template<class... A> static cublasStatus_t dot(A... a) { return CALL2(dot, S, a...); } \
		template<class... A> static cublasStatus_t nrm2(A... a) { return CALL2(nrm2, S, a...); } \
		template<class... A> static cublasStatus_t asum(A... a) { return CALL2(asum, S, a...); } \
		template<class... A> static cublasStatus_t amax(A... a) { return cublasI##s##amax(handle, a...); } \
		template<class... A> static cublasStatus_t amin(A... a) { return cublasI##s##amin(handle, a...); } \
		template<class... A> static cublasStatus_t gemv(A... a) { return CALL2(gemv, S, a...); } \
		template<class... A> static cublasStatus_t symv(A... a) { return CALL2(symv, S, a...); } \
		template<class... A> static cublasStatus_t ger(A... a) { return CALL2(ger, S, a...); } \
		template<class... A> static cublasStatus_t gemm(A... a) { return CALL2(gemm, S, a...); } \
		template<class... A> static cublasStatus_t many(A... a) { return CALL2(gemmBatched, S, a...); } \
		template<class... A> static cublasStatus_t strided(A... a)			\
		{ return CALL2(gemmStridedBatched, S, a...); }					\
		template<class... A> static cublasStatus_t syrk(A... a) { return CALL2(syrk, S, a...); } \
		template<class... A> static cublasStatus_t geam(A... a) { return CALL2(geam, S, a...); } \
		template<class... A> static cublasStatus_t dgmm(A... a) { return CALL2(dgmm, S, a...); } \
	}

CALLS(float, S, s);
CALLS(double, D, d);

/* Memory of the three operands, what they are before each call, and what the CPU makes of them. */
template<class T> struct operands {
	T *x, *y, *z, *scalars, before[3][ALL], want[ALL];

	operands()
	{
		x = managed<T>(ALL);
		y = managed<T>(ALL);
		z = managed<T>(ALL);
		scalars = managed<T>(2);
	}
	void begin(T alpha, T beta)
	{
		MUST(cudaDeviceSynchronize());
		scalars[0] = alpha;
		scalars[1] = beta;
		for (int i = 0; i < ALL; i++) {
			before[0][i] = x[i] = (i * 37 + 11) % 23 - 11;
			before[1][i] = y[i] = (i * 53 + 5) % 19 - 9;
			want[i] = before[2][i] = z[i] = (i * 29 + 3) % 17 - 8;
		}
	}
	/* All of it: what must not be written is as before. */
	void same(const char *what, int number, const T *got)
	{
		MUST(cudaDeviceSynchronize());
		for (int i = 0; i < ALL; i++) {
			CHECK(got[i] == want[i], "%s %d: [%d] is %g, not %g", what, number, i, (double)got[i],
			      (double)want[i]);
			if (got[i] != want[i])
				break;
		}
	}
};

/* Where an element of a vector lies, BLAS's way. */
static int at(int i, int n, int inc)
{
	return inc < 0 ? (i + 1 - n) * inc : i * inc;
}

static const int steps[][2] = { { 1, 1 }, { 2, 3 }, { -1, 1 }, { 3, -2 }, { -2, -3 } };

template<class B> static void check_vectors(operands<typename B::T> &o)
{
	typedef typename B::T T;

	for (int round = 0; round < 5; round++) {
		int a = steps[round][0], b = steps[round][1], n = 300 + 97 * round;
		const T c = 3, s = -2;

		o.begin(4, 0);
		for (int i = 0; i < n; i++)
			o.want[at(i, n, b)] += 4 * o.before[0][at(i, n, a)];
		GOOD(B::axpy(n, o.scalars, o.x, a, o.z, b));
		o.same("axpy", round, o.z);
		o.begin(0, 0);
		for (int i = 0; i < n; i++)
			o.want[at(i, n, b)] = o.before[0][at(i, n, a)];
		GOOD(B::copy(n, o.x, a, o.z, b));
		o.same("copy", round, o.z);
		o.begin(0, 0);
		for (int i = 0; i < n; i++)
			o.want[at(i, n, b)] = o.before[0][at(i, n, a)];
		GOOD(B::swap(n, o.x, a, o.z, b));
		o.same("swap", round, o.z);
		for (int i = 0; i < n; i++)
			CHECK(o.x[at(i, n, a)] == o.before[2][at(i, n, b)], "swap %d: %d", round, i);
		o.begin(0, 0);
		for (int i = 0; i < n; i++)
			o.want[at(i, n, b)] = c * o.before[2][at(i, n, b)] - s * o.before[0][at(i, n, a)];
		GOOD(B::rot(n, o.x, a, o.z, b, &c, &s));
		o.same("rot", round, o.z);
		for (int i = 0; i < n; i++)
			CHECK(o.x[at(i, n, a)] == c * o.before[0][at(i, n, a)] + s * o.before[2][at(i, n, b)],
			      "rot %d: %d", round, i);
		o.begin(-3, 0);
		for (int i = 0; i < n && a > 0; i++)
			o.want[i * a] *= -3;
		GOOD(B::scal(n, o.scalars, o.z, a));
		o.same("scal", round, o.z);
	}
}

template<class B> static void check_sums(operands<typename B::T> &o)
{
	typedef typename B::T T;
	T dot, size, norm, none = 7;
	int most, least, where = 7;

	o.begin(0, 0);
	for (int round = 0; round < 5; round++) {
		int a = steps[round][0], b = steps[round][1], n = 300 + 97 * round, first = 1, low = 1;
		double sum = 0, sizes = 0, squares = 0;

		for (int i = 0; i < n; i++) {
			T v = o.before[0][i * abs(a)];

			sum += o.before[0][at(i, n, a)] * o.before[1][at(i, n, b)];
			sizes += fabs(v);
			squares += v * v;
			first = fabs(v) > fabs(o.before[0][(first - 1) * abs(a)]) ? i + 1 : first;
			low = fabs(v) < fabs(o.before[0][(low - 1) * abs(a)]) ? i + 1 : low;
		}
		GOOD(B::dot(n, o.x, a, o.y, b, &dot));
		CHECK(dot == sum, "%d: %g, not %g", round, (double)dot, sum);
		GOOD(B::asum(n, o.x, a, &size));
		GOOD(B::nrm2(n, o.x, a, &norm));
		GOOD(B::amax(n, o.x, a, &most));
		GOOD(B::amin(n, o.x, a, &least));
		if (a < 0)
			first = low = sizes = squares = 0;
		CHECK(size == sizes && fabs(norm * norm - squares) <= squares * 1e-6, "%d: %g %g", round,
		      (double)size, (double)norm);
		CHECK(most == first && least == low, "%d: %d, not %d; %d, not %d", round, most, first, least, low);
	}
	o.x[5] = sizeof(T) == 4 ? 1e30 : 1e200;
	GOOD(B::nrm2(100, o.x, 1, &norm));
	CHECK(fabs(norm / o.x[5] - 1) < 1e-6, "%g", (double)norm);
	GOOD(B::dot(0, o.x, 1, o.y, 1, &none));
	GOOD(B::amax(0, o.x, 1, &where));
	CHECK(none == 0 && where == 0, "%g %d", (double)none, where);
	/* the result stays on the GPU */
	GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
	GOOD(B::asum(10, o.y, 1, o.scalars));
	GOOD(B::dot(0, o.x, 1, o.y, 1, o.scalars + 1));
	MUST(cudaDeviceSynchronize());
	GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
	size = 0;
	for (int i = 0; i < 10; i++)
		size += fabs(o.before[1][i]);
	CHECK(o.scalars[0] == size && o.scalars[1] == 0, "%g", (double)o.scalars[0]);
}

/* An element of op(A). */
template<class T> static T of(const T *a, int lda, cublasOperation_t op, int i, int j)
{
	return op == CUBLAS_OP_N ? a[i + j * lda] : a[j + i * lda];
}

template<class B> static void check_matrix_vector(operands<typename B::T> &o)
{
	static const cublasOperation_t ops[] = { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };

	for (int round = 0; round < 15; round++) {
		cublasOperation_t op = ops[round % 3];
		int m = 45 + round % 4, n = 33 - round % 5, lda = 50, rows = op == CUBLAS_OP_N ? m : n;
		int columns = op == CUBLAS_OP_N ? n : m, a = steps[round / 3][0], b = steps[round / 3][1];
		cublasFillMode_t fill = round % 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;

		o.begin(2, round % 2 ? 3 : 0);
		for (int i = 0; i < rows; i++) {
			o.want[at(i, rows, b)] *= o.scalars[1];
			for (int j = 0; j < columns; j++)
				o.want[at(i, rows, b)] += 2 * of(o.before[0], lda, op, i, j) *
							  o.before[1][at(j, columns, a)];
		}
		/* what a beta of zero hides may be no number */
		o.z[at(0, rows, b)] = round % 2 ? o.z[at(0, rows, b)] : NAN;
		GOOD(B::gemv(op, m, n, o.scalars, o.x, lda, o.y, a, o.scalars + 1, o.z, b));
		o.same("gemv", round, o.z);
		o.begin(2, round % 2 ? 3 : 0);
		for (int i = 0; i < m; i++) {
			o.want[at(i, m, b)] *= o.scalars[1];
			for (int j = 0; j < m; j++)
				o.want[at(i, m, b)] += 2 * o.before[1][at(j, m, a)] *
					((fill == CUBLAS_FILL_MODE_LOWER) == (j <= i) ?
						o.before[0][i + j * lda] : o.before[0][j + i * lda]);
		}
		GOOD(B::symv(fill, m, o.scalars, o.x, lda, o.y, a, o.scalars + 1, o.z, b));
		o.same("symv", round, o.z);
		o.begin(2, 0);
		for (int i = 0; i < m; i++)
			for (int j = 0; j < n; j++)
				o.want[i + j * lda] += 2 * o.before[0][at(i, m, a)] * o.before[1][at(j, n, b)];
		GOOD(B::ger(m, n, o.scalars, o.x, a, o.y, b, o.z, lda));
		o.same("ger", round, o.z);
	}
}

/* What gemm makes of three matrices that begin so far in. */
template<class T> static void product(operands<T> &o, int from, cublasOperation_t opa, cublasOperation_t opb, int m,
				      int n, int k, int lda, int ldb, int ldc)
{
	for (int i = 0; i < m; i++)
		for (int j = 0; j < n; j++) {
			T sum = 0;

			for (int d = 0; d < k; d++)
				sum += of(o.before[0] + from, lda, opa, i, d) * of(o.before[1] + from, ldb, opb, d, j);
			o.want[from + i + j * ldc] = o.scalars[0] * sum + o.scalars[1] * o.want[from + i + j * ldc];
		}
}

template<class B> static void check_products(operands<typename B::T> &o)
{
	typedef typename B::T T;
	const T **as = managed<const T *>(3), **bs = managed<const T *>(3);
	T **cs = managed<T *>(3);

	for (int round = 0; round < 8; round++) {
		cublasOperation_t opa = round & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
		cublasOperation_t opb = round & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
		int m = 33 + round, n = 40 - 3 * round, k = 17 + 2 * round;
		T beta = round & 4 ? 3 : 0;

		o.begin(2, beta);
		product(o, 0, opa, opb, m, n, k, 50, 52, 54);
		o.z[1] = beta ? o.z[1] : NAN;
		GOOD(B::gemm(opa, opb, m, n, k, o.scalars, o.x, 50, o.y, 52, o.scalars + 1, o.z, 54));
		o.same("gemm", round, o.z);
		/* three of them, with scalars of the GPU */
		GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
		o.begin(2, beta);
		for (int i = 0; i < 3; i++)
			product(o, 1200 * i, opa, opb, 20, 18, 10 + round, 30, 31, 32);
		GOOD(B::strided(opa, opb, 20, 18, 10 + round, o.scalars, o.x, 30, 1200, o.y, 31, 1200,
				o.scalars + 1, o.z, 32, 1200, 3));
		o.same("strided", round, o.z);
		o.begin(2, beta);
		for (int i = 0; i < 3; i++) {
			product(o, 1200 * i, opa, opb, 20, 18, 10 + round, 30, 31, 32);
			as[i] = o.x + 1200 * i;
			bs[i] = o.y + 1200 * i;
			cs[i] = o.z + 1200 * i;
		}
		GOOD(B::many(opa, opb, 20, 18, 10 + round, o.scalars, as, 30, bs, 31, o.scalars + 1, cs, 32, 3));
		o.same("batched", round, o.z);
		GOOD(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
	}
}

template<class B> static void check_matrices(operands<typename B::T> &o)
{
	typedef typename B::T T;

	for (int round = 0; round < 4; round++) {
		cublasOperation_t opa = round & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
		cublasOperation_t opb = round & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
		cublasFillMode_t fill = round & 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
		cublasSideMode_t side = round & 1 ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
		T beta = round & 1 ? 0 : 3;
		int m = 35, n = 41;

		o.begin(2, beta);
		for (int i = 0; i < m; i++)
			for (int j = 0; j < n; j++)
				o.want[i + j * 50] = 2 * of(o.before[0], 50, opa, i, j) +
						     beta * of(o.before[1], 60, opb, i, j);
		GOOD(B::geam(opa, opb, m, n, o.scalars, o.x, 50, o.scalars + 1, o.y, 60, o.z, 50));
		o.same("geam", round, o.z);
		o.begin(2, beta);
		for (int i = 0; i < m; i++)
			for (int j = 0; j < n; j++)
				o.want[i + j * 50] = o.before[0][i + j * 40] *
						     o.before[1][2 * (side == CUBLAS_SIDE_LEFT ? i : j)];
		GOOD(B::dgmm(side, m, n, o.x, 40, o.y, 2, o.z, 50));
		o.same("dgmm", round, o.z);
		o.begin(2, beta);
		for (int i = 0; i < m; i++)
			for (int j = 0; j < m; j++) {
				T sum = 0;

				if (fill == CUBLAS_FILL_MODE_LOWER ? i < j : i > j)
					continue;
				for (int d = 0; d < 20; d++)
					sum += of(o.before[0], 50, opa, i, d) * of(o.before[0], 50, opa, j, d);
				o.want[i + j * 50] = 2 * sum + beta * o.want[i + j * 50];
			}
		GOOD(B::syrk(fill, opa, m, 20, o.scalars, o.x, 50, o.scalars + 1, o.z, 50));
		o.same("syrk", round, o.z);
	}
}

/* What check_type() multiplies: small integers, which half precision has, too. */
static float typed_a(int i) { return i * 7 % 9 - 4; }
static float typed_b(int i) { return i * 5 % 7 - 3; }
static float typed_c(int i) { return i % 5; }

/* A C of 20 x 18 that began as typed_c() is 2 A B^T + C. */
template<class C> static void expect_typed(const char *what, C *c)
{
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < 18; j++) {
			float sum = typed_c(i + 20 * j);

			for (int d = 0; d < 8; d++)
				sum += 2 * typed_a(i + 20 * d) * typed_b(j + 18 * d);
			CHECK(float(c[i + 20 * j]) == sum, "%s: %d %d: %g, not %g", what, i, j,
			      (double)float(c[i + 20 * j]), (double)sum);
		}
	for (int i = 0; i < 400; i++)
		c[i] = C(typed_c(i));
}

/* By numbers of type E, with scalars of type S: one product, and one of those of a batch. */
template<class E, class C, class S> static void check_type(const char *what, cudaDataType from, cudaDataType to,
							   cublasComputeType_t compute)
{
	E *a = managed<E>(400), *b = managed<E>(400);
	C *c = managed<C>(800);
	void **at = managed<void *>(6);
	S alpha = S(2.0f), beta = S(1.0f);

	for (int i = 0; i < 400; i++) {
		a[i] = E(typed_a(i));
		b[i] = E(typed_b(i));
		c[i] = C(typed_c(i));
		c[400 + i] = C(typed_c(i));
	}
	for (int i = 0; i < 2; i++) {
		at[i] = a;
		at[2 + i] = b;
		at[4 + i] = c + 400 * i;
	}
	GOOD(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, a, from, 20, b, from, 18, &beta, c,
			  to, 20, compute, CUBLAS_GEMM_DEFAULT));
	expect_typed(what, c);
	GOOD(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, a, from, 20, 0, b,
					from, 18, 0, &beta, c, to, 20, 400, 2, compute, CUBLAS_GEMM_DEFAULT));
	expect_typed(what, c);
	expect_typed(what, c + 400);
	GOOD(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, at, from, 20, at + 2, from, 18,
				 &beta, at + 4, to, 20, 2, compute, CUBLAS_GEMM_DEFAULT));
	expect_typed(what, c);
	expect_typed(what, c + 400);
}

/* Sums that half precision would not hold on the way: 4096 and more 1. */
template<class E> static void check_dot(const char *what, cudaDataType type, cudaDataType compute)
{
	E *x = managed<E>(2000), *y = managed<E>(1000), told;

	for (int i = 0; i < 1000; i++) {
		x[2 * i] = E(i ? 1.0f : 64.0f);
		x[2 * i + 1] = E(9.0f);
		y[999 - i] = E(i ? 1.0f : 64.0f);
	}
	GOOD(cublasDotEx(handle, 1000, x, type, 2, y, type, -1, &told, type, compute));
	CHECK(told == E(4096.0f + 999), "dot of %s: %g", what, (double)float(told));
	GOOD(cublasDotcEx(handle, 0, x, type, 1, y, type, 1, &told, type, compute));
	CHECK(told == E(0.0f), "dot of %s: %g", what, (double)float(told));
}

static void check_dots(void)
{
	float x = 1, y = 2, sum;

	check_dot<float>("float", CUDA_R_32F, CUDA_R_32F);
	check_dot<double>("double", CUDA_R_64F, CUDA_R_64F);
	check_dot<__half>("half", CUDA_R_16F, CUDA_R_32F);
	check_dot<__nv_bfloat16>("bfloat16", CUDA_R_16BF, CUDA_R_32F);
	CHECK(cublasDotEx(handle, 1, &x, CUDA_R_32F, 1, &y, CUDA_R_32F, 1, &sum, CUDA_R_32F, CUDA_R_64F) ==
	      CUBLAS_STATUS_NOT_SUPPORTED, "floats as doubles");
}

static void check_halves(void)
{
	__half *a = managed<__half>(400), *b = managed<__half>(400), *c = managed<__half>(800);
	__half **at = managed<__half *>(6), alpha = 2.0f, beta = 1.0f;

	for (int i = 0; i < 800; i++) {
		a[i % 400] = typed_a(i % 400);
		b[i % 400] = typed_b(i % 400);
		c[i] = typed_c(i % 400);
	}
	for (int i = 0; i < 2; i++) {
		at[i] = a;
		at[2 + i] = b;
		at[4 + i] = c + 400 * i;
	}
	GOOD(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, a, 20, b, 18, &beta, c, 20));
	expect_typed("Hgemm", c);
	GOOD(cublasHgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, a, 20, 0, b, 18, 0,
				       &beta, c, 20, 400, 2));
	expect_typed("Hgemm, strided", c);
	expect_typed("Hgemm, strided", c + 400);
	GOOD(cublasHgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, 20, 18, 8, &alpha, at, 20, at + 2, 18, &beta,
				at + 4, 20, 2));
	expect_typed("Hgemm, batched", c);
	expect_typed("Hgemm, batched", c + 400);
}

static void check_types(void)
{
	const float one = 1;
	float *a = managed<float>(4);

	check_type<float, float, float>("float", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
	check_type<double, double, double>("double", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
	check_type<__half, float, float>("half, float", CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
	check_type<__half, __half, float>("half", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F_FAST_16F);
	check_type<__half, __half, __half>("half alone", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F);
	check_type<__nv_bfloat16, __nv_bfloat16, float>("bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
	CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_32F, 1, a, CUDA_R_64F, 1, &one,
			   a, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) ==
	      CUBLAS_STATUS_NOT_SUPPORTED, "two types of operands");
	check_halves();
	check_dots();
}

/* Rows and columns of the CPU's memory, and back. */
static void check_transfers(void)
{
	float host[200], back[200], *device;

	MUST(cudaMalloc(&device, sizeof(host)));
	for (int i = 0; i < 200; i++) {
		host[i] = i;
		back[i] = -1;
	}
	GOOD(cublasSetVector(40, sizeof(float), host, 3, device, 2));
	GOOD(cublasGetVector(40, sizeof(float), device, 2, back, 4));
	for (int i = 0; i < 160; i++)
		CHECK(back[i] == (i % 4 ? -1 : i / 4 * 3), "%d: %g", i, back[i]);
	GOOD(cublasSetMatrix(5, 7, sizeof(float), host, 10, device, 6));
	GOOD(cublasGetMatrixAsync(5, 7, sizeof(float), device, 6, back, 8, 0));
	MUST(cudaStreamSynchronize(0));
	for (int i = 0; i < 56; i++)
		CHECK(i % 8 >= 5 || back[i] == i % 8 + i / 8 * 10, "%d: %g", i, back[i]);
	CHECK(cublasSetMatrix(5, 7, 4, host, 4, device, 6) == CUBLAS_STATUS_INVALID_VALUE, "short columns");
	MUST(cudaFree(device));
}

static void check_handle(void)
{
	cublasPointerMode_t mode = CUBLAS_POINTER_MODE_DEVICE;
	cudaStream_t stream, told;
	const float one = 1;
	float *a = managed<float>(9);
	int version = 0;

	MUST(cudaStreamCreate(&stream));
	GOOD(cublasSetStream(handle, stream));
	GOOD(cublasGetStream(handle, &told));
	GOOD(cublasGetPointerMode(handle, &mode));
	GOOD(cublasGetVersion(handle, &version));
	CHECK(told == stream && mode == CUBLAS_POINTER_MODE_HOST && version >= 11000, "%d", version);
	CHECK(cublasSgemm(0, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, a, 3, a, 3, &one, a, 3) ==
	      CUBLAS_STATUS_NOT_INITIALIZED, "no handle");
	CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 3, 3, 3, &one, a, 2, a, 3, &one, a, 3) ==
	      CUBLAS_STATUS_INVALID_VALUE, "short columns");
	CHECK(cublasSgemv(handle, CUBLAS_OP_N, 3, 3, &one, a, 3, a, 0, &one, a, 1) ==
	      CUBLAS_STATUS_INVALID_VALUE, "a step of zero");
	GOOD(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, 0, 3, 3, &one, a, 3, a, 3, &one, a, 3));
	CHECK(!strcmp(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED"), "name");
}

/* A handle needs a little memory of the GPU. */
static void check_full(void)
{
	cublasHandle_t other;
	void *all[64];
	int count = 0;

	for (size_t bytes = 1UL << 30; bytes >= 256; bytes /= 2)
		while (count < 64 && cudaMalloc(&all[count], bytes) == cudaSuccess)
			count++;
	cudaGetLastError();
	CHECK(count < 64, "memory without end");
	CHECK(cublasCreate(&other) == CUBLAS_STATUS_ALLOC_FAILED, "no memory is left");
	cudaGetLastError();
	while (count)
		MUST(cudaFree(all[--count]));
}

template<class B> static void check_precision(void)
{
	static operands<typename B::T> o;

	check_vectors<B>(o);
	check_sums<B>(o);
	check_matrix_vector<B>(o);
	check_products<B>(o);
	check_matrices<B>(o);
}

int main()
{
	GOOD(cublasCreate(&handle));
	check_handle();
	check_precision<of_float>();
	check_precision<of_double>();
	check_types();
	check_transfers();
	check_full();
	GOOD(cublasDestroy(handle));
	return wrong != 0;
}
