// SPDX-License-Identifier: GPL-2.0
/* Copies and fills between all kinds of memory; their directions and bounds. */
#include "cuda_test.h"

#define BYTES	(3 * PAGE + 100)
#define KINDS	4

static const char * const kinds[KINDS] = { "ordinary", "pinned", "managed", "device" };

static void *get(int kind)
{
	void *p = NULL;

	switch (kind) {
	case 0:
		return malloc(BYTES);
	case 1:
		cudaMallocHost(&p, BYTES);
		return p;
	case 2:
		cudaMallocManaged(&p, BYTES, cudaMemAttachGlobal);
		return p;
	default:
		cudaMalloc(&p, BYTES);
		return p;
	}
}

static void put(int kind, void *p)
{
	if (!kind)
		free(p);
	else if (kind == 1)
		cudaFreeHost(p);
	else
		cudaFree(p);
}

static void fill(unsigned char *p, int seed)
{
	for (size_t i = 0; i < BYTES; i++)
		p[i] = (unsigned char)(i * 7 + seed);
}

/* From each to each, by way of ordinary memory at both ends. */
static void test_all(bool async)
{
	static unsigned char in[BYTES], out[BYTES];

	for (int from = 0; from < KINDS; from++) {
		for (int to = 0; to < KINDS; to++) {
			void *a = get(from), *b = get(to);
			cudaError_t error;

			fill(in, from * KINDS + to);
			memset(out, 0, sizeof(out));
			error = cudaMemcpy(a, in, BYTES, cudaMemcpyDefault);
			if (!error && async)
				error = cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDefault, NULL);
			else if (!error)
				error = cudaMemcpy(b, a, BYTES, cudaMemcpyDefault);
			if (!error)
				error = cudaMemcpy(out, b, BYTES, cudaMemcpyDefault);
			ok(!error && !memcmp(in, out, BYTES), "%s to %s%s: %s", kinds[from], kinds[to],
			   async ? ", asynchronously" : "", cudaGetErrorName(error));
			put(from, a);
			put(to, b);
		}
	}
}

static void test_directions(void)
{
	char *managed = get(2), *device = get(3), ordinary[100];

	RETURNS(cudaErrorInvalidValue, cudaMemcpy(device, ordinary, 10, cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy(ordinary, device, 10, cudaMemcpyHostToHost));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy(ordinary, ordinary, 10, cudaMemcpyDeviceToDevice));
	RETURNS(cudaErrorInvalidMemcpyDirection,
		cudaMemcpy(device, ordinary, 10, (enum cudaMemcpyKind)5));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy(NULL, ordinary, 10, cudaMemcpyDefault));
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpy(device + BYTES - 9, ordinary, 10, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue, cudaMemset(ordinary, 0, 10));
	RETURNS(cudaErrorInvalidValue, cudaMemset(device, 0, BYTES + 1));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2D(device, 1UL << 63, ordinary, 1UL << 63, 10, 3,
						    cudaMemcpyDefault));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2D(device, 10, ordinary, 10, 10, SIZE_MAX / 10 + 2,
						    cudaMemcpyDefault));
	RETURNS(cudaErrorInvalidValue, cudaMemset2D(device, 1UL << 63, 0, 10, 3));
	WORKS(cudaMemcpy(managed, ordinary, 10, cudaMemcpyHostToHost));
	WORKS(cudaMemcpy(managed, ordinary, 10, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy(device, NULL, 0, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue, cudaGetLastError());
	WORKS(cudaGetLastError());
	put(2, managed);
	put(3, device);
}

static void test_fill(void)
{
	static unsigned char out[BYTES];

	for (int kind = 1; kind < KINDS; kind++) {
		unsigned char *p = get(kind);
		size_t wrong = 0;

		cudaMemset(p, 0x11, BYTES);
		WORKS(cudaMemset(p + 1, 0x1a5, BYTES - 2));
		cudaMemcpy(out, p, BYTES, cudaMemcpyDefault);
		for (size_t i = 0; i < BYTES; i++)
			wrong += out[i] != (i && i < BYTES - 1 ? 0xa5 : 0x11);
		ok(!wrong, "%s memory is filled, and no more: %zu are wrong", kinds[kind], wrong);
		put(kind, p);
	}
}

/* 5 rows of 7 bytes, to and from rows of other lengths. */
static void test_rows(void)
{
	unsigned char in[5][16], out[5][9];
	unsigned int wrong = 0;
	size_t pitch;
	char *p;

	for (int y = 0; y < 5; y++)
		for (int x = 0; x < 16; x++)
			in[y][x] = 16 * y + x;
	memset(out, 0xff, sizeof(out));
	cudaMallocPitch((void **)&p, &pitch, 7, 5);
	WORKS(cudaMemset2D(p, pitch, 0x77, 7, 5));
	WORKS(cudaMemcpy2D(p, pitch, in, 16, 6, 5, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy2D(out, 9, p, pitch, 7, 5, cudaMemcpyDeviceToHost));
	for (int y = 0; y < 5; y++)
		for (int x = 0; x < 9; x++)
			wrong += out[y][x] != (x < 6 ? 16 * y + x : x == 6 ? 0x77 : 0xff);
	ok(!wrong, "rows arrive: %u bytes are wrong", wrong);
	RETURNS(cudaErrorInvalidPitchValue,
		cudaMemcpy2D(p, 3, in, 16, 7, 5, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpy2D(p, pitch, in, 16, 7, 6, cudaMemcpyHostToDevice));
	cudaGetLastError();
	cudaFree(p);
}

static void test_box(void)
{
	unsigned char in[4][3][2], out[4][3][2];
	struct cudaMemcpy3DParms to = { .kind = cudaMemcpyHostToDevice }, from;
	struct cudaPitchedPtr box;

	for (size_t i = 0; i < sizeof(in); i++)
		((unsigned char *)in)[i] = (unsigned char)(i + 1);
	memset(out, 0, sizeof(out));
	WORKS(cudaMalloc3D(&box, make_cudaExtent(2, 3, 4)));
	WORKS(cudaMemset3D(box, 9, make_cudaExtent(2, 3, 4)));
	to.srcPtr = make_cudaPitchedPtr(in, 2, 2, 3);
	to.dstPtr = box;
	to.extent = make_cudaExtent(2, 3, 3);
	WORKS(cudaMemcpy3D(&to));
	from = (struct cudaMemcpy3DParms){
		.srcPtr = box, .dstPtr = make_cudaPitchedPtr(out, 2, 2, 3),
		.extent = make_cudaExtent(2, 3, 4), .kind = cudaMemcpyDeviceToHost,
	};
	WORKS(cudaMemcpy3D(&from));
	ok(!memcmp(in, out, 18) && out[3][0][0] == 9 && out[3][2][1] == 9, "a box arrives");
	cudaFree(box.ptr);
}

/* Numbers that come round to a place in the memory mean none. */
static void test_overflow(void)
{
	struct cudaMemcpy3DParms c = { .extent = { 16, 1, 1 }, .kind = cudaMemcpyDefault };
	struct cudaPitchedPtr p = { .pitch = 64, .xsize = 64, .ysize = SIZE_MAX / 64 + 1 };

	WORKS(cudaMalloc(&p.ptr, PAGE));
	RETURNS(cudaErrorInvalidValue, cudaMemset3D(p, 1, (struct cudaExtent){ 16, 1, 2 }));
	c.srcPtr = p;
	c.dstPtr = p;
	c.dstPos.z = 1;
	RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(&c));
	cudaGetLastError();
	cudaFree(p.ptr);
}

void test_copies(void)
{
	test_all(false);
	test_all(true);
	test_directions();
	test_fill();
	test_rows();
	test_box();
	test_overflow();
}
