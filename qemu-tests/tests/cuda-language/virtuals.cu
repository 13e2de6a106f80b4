// SPDX-License-Identifier: GPL-2.0
/*
 * Classes with virtual functions that device code makes: on the heap, in shared and GPU memory; of
 * abstract and several bases; by threads that go apart.
 */
#include <new>
#include "check.h"

#define THREADS 96

struct shape {
	int color;
	__device__ shape(int color) : color(color) { }
	__device__ virtual int area() const = 0;
	__device__ virtual int edges() const { return 4; }
	__device__ virtual ~shape() { }
};

struct counted {
	int *gone;
	__device__ counted(int *gone) : gone(gone) { }
	__device__ virtual int weight() const = 0;
	__device__ virtual ~counted() { atomicAdd(gone, 1); }
};

/* A call by way of counted has to move "this": a thunk does it. */
struct square : shape, counted {
	int side;
	__device__ square(int side, int *gone) : shape(1), counted(gone), side(side) { }
	__device__ int area() const override { return side * side; }
	__device__ int weight() const override { return 7 * side; }
};

struct triangle final : shape {
	int a, b;
	__device__ triangle(int a, int b) : shape(2), a(a), b(b) { }
	__device__ int area() const override { return a * b / 2; }
	__device__ int edges() const override { return 3; }
};

/* Of two bases that have the same base, each its own. */
struct node {
	int own;
	__device__ node(int own) : own(own) { }
	__device__ virtual int value() { return own; }
};

struct left : node {
	__device__ left() : node(5) { }
	__device__ virtual int side() { return -1; }
};

struct right : node {
	__device__ right() : node(9) { }
	__device__ virtual int other() { return 1; }
};

struct both : left, right {
	__device__ int value() override { return left::own + right::own + side() + 10 * other(); }
};

/* What it returns is another class of its own: the caller's is the base. */
struct maker {
	__device__ virtual shape *make(int i) const { return new triangle(i, 6); }
};

struct square_maker : maker {
	int *gone;
	__device__ square_maker(int *gone) : gone(gone) { }
	__device__ square *make(int i) const override { return new square(i, gone); }
};

__global__ void on_heap(int *out, int *gone)
{
	int i = threadIdx.x;
	square_maker squares(gone);
	maker triangles;
	const maker *of = i % 3 ? &triangles : (const maker *)&squares;
	shape *s = of->make(i);

	out[i] = s->area() + 1000 * s->edges() + 10000 * s->color;
	delete s;
}

__global__ void in_place(int *out, int *gone, char *space)
{
	__shared__ alignas(16) char shared[sizeof(square)];
	__shared__ counted *of;
	int i = threadIdx.x;
	shape *s = new (space + i * 64) square(i, gone);

	if (!i)
		of = new (shared) square(3, gone);
	__syncthreads();
	out[i] = of->weight() + s->area();
	__syncthreads();
	if (!i)
		of->~counted();
}

/* Made by the launch before. */
__global__ void later(int *out, shape *const *list)
{
	int i = threadIdx.x;

	out[i] = list[i % 2]->area() + list[i % 2]->edges();
}

__global__ void make(shape **list, int *gone)
{
	list[0] = new square(12, gone);
	list[1] = new triangle(4, 5);
}

__global__ void diamond(int *out)
{
	both b;
	node *n = threadIdx.x % 2 ? (node *)static_cast<left *>(&b) : static_cast<right *>(&b);
	int (node::*member)() = &node::value;

	out[threadIdx.x] = n->value() + 100 * (n->*member)();
}

/* The table of a base is in force while the base is made. */
struct early {
	__device__ early(int *out) { *out = who(); out[1] = 1; call(out); }
	__device__ __noinline__ int who() { return number(); }
	__device__ virtual int number() { return 1; }
	__device__ virtual void call(int *out) { out[1] = 2; }
};

struct late : early {
	__device__ late(int *out) : early(out) { out[2] = who(); }
	__device__ int number() override { return 3; }
};

__global__ void tables(int *out) { late l(out); }

struct abstract {
	__device__ abstract() { call(); }
	__device__ __noinline__ void call() { nothing(); }
	__device__ virtual void nothing() = 0;
};

struct concrete : abstract {
	__device__ void nothing() override { }
};

__global__ void pure(int *out) { concrete c; *out = 1; }

int main()
{
	int *out = managed<int>(THREADS), *gone = managed<int>(1);
	shape **list = managed<shape *>(2);
	char *space = managed<char>(64 * THREADS);

	on_heap<<<1, THREADS>>>(out, gone);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == (i % 3 ? i * 3 + 23000 : i * i + 14000), "%d: %d", i, out[i]);
	CHECK(*gone == THREADS / 3, "%d", *gone);
	in_place<<<1, THREADS>>>(out, gone, space);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 21 + i * i, "%d: %d", i, out[i]);
	CHECK(*gone == THREADS / 3 + 1, "%d", *gone);
	make<<<1, 1>>>(list, gone);
	later<<<1, THREADS>>>(out, list);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == (i % 2 ? 13 : 148), "%d: %d", i, out[i]);
	diamond<<<1, THREADS>>>(out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < THREADS; i++)
		CHECK(out[i] == 23 * 101, "%d: %d", i, out[i]);
	tables<<<1, 1>>>(out);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0] == 1 && out[1] == 2 && out[2] == 3, "%d %d %d", out[0], out[1], out[2]);
	fflush(stdout);
	pure<<<1, 1>>>(out);
	CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
	return wrong != 0;
}
