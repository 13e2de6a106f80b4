// SPDX-License-Identifier: GPL-2.0
/* Arrays: what they say of themselves, copies of all forms, what is refused; textures and surfaces. */
#include "cuda_test.h"

#define WIDTH	5
#define ROWS	4
#define SLICES	3

static const struct cudaChannelFormatDesc shorts = { 16, 16, 0, 0, cudaChannelFormatKindSigned };
static const struct cudaChannelFormatDesc bytes = { 8, 0, 0, 0, cudaChannelFormatKindUnsigned };

static void test_info(void)
{
	struct cudaChannelFormatDesc desc = { 0 };
	struct cudaExtent extent = { 9, 9, 9 };
	unsigned int flags = 9;
	cudaArray_t a = NULL;

	WORKS(cudaMallocArray(&a, &shorts, 7, 0, cudaArraySurfaceLoadStore));
	WORKS(cudaArrayGetInfo(&desc, &extent, &flags, a));
	ok(desc.x == 16 && desc.y == 16 && !desc.z && !desc.w && extent.width == 7 &&
	   !extent.height && !extent.depth && flags == cudaArraySurfaceLoadStore,
	   "an array of one dimension says what it is");
	WORKS(cudaFreeArray(a));
	RETURNS(cudaErrorInvalidResourceHandle, cudaFreeArray(a));
	WORKS(cudaFreeArray(NULL));
	WORKS(cudaMalloc3DArray(&a, &bytes, make_cudaExtent(8, 0, 3), cudaArrayLayered));
	WORKS(cudaGetChannelDesc(&desc, a));
	ok(desc.x == 8 && desc.f == cudaChannelFormatKindUnsigned, "and its texels");
	RETURNS(cudaErrorInvalidValue, cudaGetChannelDesc(NULL, a));
	WORKS(cudaDeviceReset());
	RETURNS(cudaErrorInvalidResourceHandle, cudaArrayGetInfo(&desc, NULL, NULL, a));
}

static void refuse_desc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	struct cudaChannelFormatDesc desc = cudaCreateChannelDesc(x, y, z, w, f);
	cudaArray_t a;

	returns(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &desc, 4, 4, 0),
		"a texel that there is not");
}

static void refuse_extent(size_t width, size_t height, size_t depth, unsigned int flags)
{
	cudaArray_t a;

	returns(cudaErrorInvalidValue,
		cudaMalloc3DArray(&a, &bytes, make_cudaExtent(width, height, depth), flags),
		"an extent that there is not");
}

static void test_refusals(void)
{
	cudaArray_t a;

	refuse_desc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
	refuse_desc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
	refuse_desc(8, 0, 8, 0, cudaChannelFormatKindUnsigned);
	refuse_desc(8, 0, 0, 8, cudaChannelFormatKindUnsigned);
	refuse_desc(64, 0, 0, 0, cudaChannelFormatKindSigned);
	refuse_desc(8, 0, 0, 0, cudaChannelFormatKindFloat);
	refuse_desc(0, 0, 0, 0, cudaChannelFormatKindSigned);
	refuse_desc(-8, 0, 0, 0, cudaChannelFormatKindSigned);
	refuse_desc(32, 0, 0, 0, cudaChannelFormatKindNone);
	refuse_extent(0, 0, 0, 0);
	refuse_extent(131073, 0, 0, 0);
	refuse_extent(SIZE_MAX, SIZE_MAX, 0, 0);
	refuse_extent(16, 65537, 0, 0);
	refuse_extent(16, 0, 4, 0);
	refuse_extent(16, 16, 16385, 0);
	refuse_extent(16, 16, 0, cudaArrayLayered);
	refuse_extent(16, 16, 2049, cudaArrayLayered);
	refuse_extent(16, 0, 0, cudaArrayTextureGather);
	refuse_extent(16, 16, 0, 0x1000);
	RETURNS(cudaErrorInvalidValue, cudaMallocArray(NULL, &bytes, 4, 4, 0));
	RETURNS(cudaErrorInvalidValue, cudaMallocArray(&a, NULL, 4, 4, 0));
	RETURNS(cudaErrorNotSupported, cudaMalloc3DArray(&a, &bytes, make_cudaExtent(4, 4, 6),
							 cudaArrayCubemap));
	RETURNS(cudaErrorMemoryAllocation, cudaMalloc3DArray(&a, &bytes,
							     make_cudaExtent(16384, 16384, 16384), 0));
}

static void number(unsigned char *p, size_t count)
{
	for (size_t i = 0; i < count; i++)
		p[i] = (unsigned char)(i * 3 + 1);
}

/* Rows of WIDTH texels of 4 bytes: a box into the middle, and all of it back. */
static void test_boxes(void)
{
	unsigned char in[ROWS][4 * WIDTH], out[ROWS][4 * WIDTH + 3], zero[ROWS][4 * WIDTH] = { 0 };
	unsigned int wrong = 0;
	cudaArray_t a, b;

	number(in[0], sizeof(in));
	WORKS(cudaMallocArray(&a, &shorts, WIDTH, ROWS, 0));
	WORKS(cudaMallocArray(&b, &shorts, 2 * WIDTH, ROWS, 0));
	WORKS(cudaMemcpy2DToArray(a, 0, 0, zero, sizeof(zero[0]), 4 * WIDTH, ROWS,
				  cudaMemcpyHostToDevice));
	WORKS(cudaMemcpy2DToArrayAsync(a, 4, 1, in, sizeof(in[0]), 8, 3, cudaMemcpyHostToDevice, NULL));
	WORKS(cudaMemcpy2DArrayToArray(b, 12, 0, a, 0, 0, 4 * WIDTH, ROWS, cudaMemcpyDeviceToDevice));
	WORKS(cudaMemcpy2DFromArray(out, sizeof(out[0]), b, 12, 0, 4 * WIDTH, ROWS,
				    cudaMemcpyDeviceToHost));
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < 4 * WIDTH; x++)
			wrong += out[y][x] != (y && x >= 4 && x < 12 ? in[y - 1][x - 4] : 0);
	ok(!wrong, "a box arrives by way of two arrays: %u bytes are wrong", wrong);
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, in, sizeof(in[0]), 4 * WIDTH, 1,
							   cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 1, in, sizeof(in[0]), 4, ROWS,
							   cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, SIZE_MAX, 0, in, sizeof(in[0]), 4, 1,
							   cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2DFromArray(out, 64, a, 0, 0, 8, SIZE_MAX,
							     cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, in, sizeof(in[0]), 8, 1,
							   cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidResourceHandle,
		cudaMemcpy2DToArray((cudaArray_t)in, 0, 0, in, 8, 8, 1, cudaMemcpyHostToDevice));
	WORKS(cudaFreeArray(a));
	WORKS(cudaFreeArray(b));
}

/* Bytes that go on in the next row, of arrays with rows of 20 bytes and of 12. */
static void test_runs(void)
{
	unsigned char in[ROWS * 4 * WIDTH], out[ROWS * 4 * WIDTH];
	cudaArray_t a, b;

	number(in, sizeof(in));
	WORKS(cudaMallocArray(&a, &shorts, WIDTH, ROWS, 0));
	WORKS(cudaMallocArray(&b, &shorts, 3, 7, 0));
	WORKS(cudaMemcpyToArray(a, 8, 0, in, sizeof(in) - 8, cudaMemcpyHostToDevice));
	WORKS(cudaMemcpyFromArray(out, a, 8, 0, sizeof(in) - 8, cudaMemcpyDeviceToHost));
	ok(!memcmp(in, out, sizeof(in) - 8), "rows that go on arrive");
	WORKS(cudaMemcpyArrayToArray(b, 4, 0, a, 16, 1, 44, cudaMemcpyDeviceToDevice));
	WORKS(cudaMemcpyFromArrayAsync(out, b, 4, 0, 44, cudaMemcpyDeviceToHost, NULL));
	ok(!memcmp(in + 4 * WIDTH + 8, out, 44), "in rows of another length, too");
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpyToArray(a, 8, 0, in, sizeof(in) - 7, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpyToArray(a, 4 * WIDTH, 0, in, 1, cudaMemcpyHostToDevice));
	RETURNS(cudaErrorInvalidValue,
		cudaMemcpyFromArray(out, a, 4, SIZE_MAX / 8, 4, cudaMemcpyDeviceToHost));
	RETURNS(cudaErrorInvalidValue, cudaMemcpyArrayToArray(b, 8, 6, a, 0, 0, 8,
							      cudaMemcpyDeviceToDevice));
	WORKS(cudaFreeArray(a));
	WORKS(cudaFreeArray(b));
}

/* A box of 2 x 3 x 2 texels at 1, 1, 1 of one array, by way of another, to memory. */
static void test_solids(void)
{
	unsigned char in[2][3][8], out[2][3][8];
	struct cudaMemcpy3DParms p = { .kind = cudaMemcpyHostToDevice };
	cudaArray_t a, layers;

	number(in[0][0], sizeof(in));
	WORKS(cudaMalloc3DArray(&a, &shorts, make_cudaExtent(WIDTH, ROWS, SLICES), 0));
	WORKS(cudaMalloc3DArray(&layers, &shorts, make_cudaExtent(2, 3, 4), cudaArrayLayered));
	p.srcPtr = make_cudaPitchedPtr(in, 8, 2, 3);
	p.dstArray = a;
	p.dstPos = make_cudaPos(1, 1, 1);
	p.extent = make_cudaExtent(2, 3, 2);
	WORKS(cudaMemcpy3D(&p));
	p.extent.width = WIDTH;
	RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
	p.extent = make_cudaExtent(SIZE_MAX / 2, 1, 1);
	RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
	p = (struct cudaMemcpy3DParms){ .srcArray = a, .srcPos = { 1, 1, 1 }, .dstArray = layers,
					.dstPos = { 0, 0, 2 }, .extent = { 2, 3, 2 },
					.kind = cudaMemcpyDeviceToDevice };
	WORKS(cudaMemcpy3D(&p));
	p = (struct cudaMemcpy3DParms){ .srcArray = layers, .srcPos = { 0, 0, 2 },
					.dstPtr = { out, 8, 2, 3 }, .extent = { 2, 3, 2 },
					.kind = cudaMemcpyDeviceToHost };
	WORKS(cudaMemcpy3DAsync(&p, NULL));
	WORKS(cudaDeviceSynchronize());
	ok(!memcmp(in, out, sizeof(in)), "a box arrives by way of two arrays");
	p.dstArray = a;
	RETURNS(cudaErrorInvalidValue, cudaMemcpy3D(&p));
	p.dstPtr.ptr = NULL;
	p.dstArray = (cudaArray_t)out;
	RETURNS(cudaErrorInvalidResourceHandle, cudaMemcpy3D(&p));
	WORKS(cudaFreeArray(a));
	WORKS(cudaFreeArray(layers));
}

/* ---- textures --------------------------------------------------------- */

static void test_no_textures(struct cudaResourceDesc of)
{
	struct cudaTextureDesc as = { .readMode = cudaReadModeElementType };
	cudaTextureObject_t t;

	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(NULL, &of, &as, NULL));
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, NULL, &as, NULL));
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, NULL, NULL));
	as.addressMode[1] = (enum cudaTextureAddressMode)4;
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	as.addressMode[1] = cudaAddressModeWrap;
	as.filterMode = cudaFilterModeLinear;
	RETURNS(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&t, &of, &as, NULL));
	as.filterMode = cudaFilterModePoint;
	as.sRGB = 1;
	RETURNS(cudaErrorNotSupported, cudaCreateTextureObject(&t, &of, &as, NULL));
	as.sRGB = 0;
	of.resType = cudaResourceTypeMipmappedArray;
	RETURNS(cudaErrorNotSupported, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.resType = (enum cudaResourceType)4;
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.resType = cudaResourceTypeArray;
	of.res.array.array = (cudaArray_t)&of;
	RETURNS(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&t, &of, &as, NULL));
}

static void test_no_rows(void)
{
	struct cudaResourceDesc of = { .resType = cudaResourceTypePitch2D };
	struct cudaTextureDesc as = { .readMode = cudaReadModeElementType };
	cudaTextureObject_t t;
	void *p;

	cudaMalloc(&p, 4 * PAGE);
	of.res.pitch2D.devPtr = p;
	of.res.pitch2D.desc = shorts;
	of.res.pitch2D.width = 16;
	of.res.pitch2D.height = 4;
	of.res.pitch2D.pitchInBytes = 32;
	RETURNS(cudaErrorInvalidPitchValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.res.pitch2D.pitchInBytes = SIZE_MAX - 63;
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.res.pitch2D.pitchInBytes = 64;
	of.res.pitch2D.width = SIZE_MAX / 2;
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.res.pitch2D.width = 16;
	of.res.pitch2D.desc.z = 16;
	RETURNS(cudaErrorInvalidChannelDescriptor, cudaCreateTextureObject(&t, &of, &as, NULL));
	of.res.pitch2D.desc.z = 0;
	of.res.pitch2D.devPtr = NULL;
	RETURNS(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &of, &as, NULL));
	cudaFree(p);
}

static void test_textures(void)
{
	struct cudaResourceDesc of = { .resType = cudaResourceTypeArray }, said;
	struct cudaTextureDesc as = { .readMode = cudaReadModeNormalizedFloat }, read;
	cudaTextureObject_t t;

	WORKS(cudaMallocArray(&of.res.array.array, &shorts, WIDTH, ROWS, 0));
	as.filterMode = cudaFilterModeLinear;
	as.maxAnisotropy = 3;
	WORKS(cudaCreateTextureObject(&t, &of, &as, NULL));
	WORKS(cudaGetTextureObjectResourceDesc(&said, t));
	WORKS(cudaGetTextureObjectTextureDesc(&read, t));
	ok(said.resType == cudaResourceTypeArray && said.res.array.array == of.res.array.array &&
	   read.maxAnisotropy == 3, "a texture object says what it is of");
	test_no_textures(of);
	test_no_rows();
	WORKS(cudaDestroyTextureObject(t));
	RETURNS(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
	RETURNS(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&read, t));
	WORKS(cudaDestroyTextureObject(0));
	/* It is not the program's to free as memory. */
	WORKS(cudaCreateTextureObject(&t, &of, &as, NULL));
	RETURNS(cudaErrorInvalidValue, cudaFree((void *)t));
	WORKS(cudaDestroyTextureObject(t));
	WORKS(cudaCreateTextureObject(&t, &of, &as, NULL));
	WORKS(cudaDeviceReset());
	RETURNS(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
}

static void test_surfaces(void)
{
	struct cudaResourceDesc of = { .resType = cudaResourceTypeArray }, said;
	cudaArray_t plain, a;
	cudaSurfaceObject_t s;

	WORKS(cudaMallocArray(&a, &shorts, WIDTH, ROWS, cudaArraySurfaceLoadStore));
	WORKS(cudaMallocArray(&plain, &shorts, WIDTH, ROWS, 0));
	of.res.array.array = a;
	WORKS(cudaCreateSurfaceObject(&s, &of));
	WORKS(cudaGetSurfaceObjectResourceDesc(&said, s));
	ok(said.res.array.array == a, "a surface object says what it is of");
	RETURNS(cudaErrorInvalidValue, cudaDestroyTextureObject(s));
	WORKS(cudaDestroySurfaceObject(s));
	RETURNS(cudaErrorInvalidValue, cudaDestroySurfaceObject(s));
	RETURNS(cudaErrorInvalidValue, cudaCreateSurfaceObject(NULL, &of));
	RETURNS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&s, NULL));
	of.res.array.array = plain;
	RETURNS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&s, &of));
	WORKS(cudaFreeArray(plain));
	RETURNS(cudaErrorInvalidResourceHandle, cudaCreateSurfaceObject(&s, &of));
	of.resType = cudaResourceTypeLinear;
	RETURNS(cudaErrorInvalidValue, cudaCreateSurfaceObject(&s, &of));
	WORKS(cudaFreeArray(a));
}

/* The largest array of one row that the device says it has is there, and no larger one. */
static void test_largest(void)
{
	struct cudaDeviceProp p;
	cudaArray_t a;
	int width = 0;

	WORKS(cudaGetDeviceProperties(&p, 0));
	WORKS(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture1DWidth, 0));
	ok(width == p.maxTexture1D && width > 0, "an attribute is that property");
	WORKS(cudaMallocArray(&a, &bytes, p.maxTexture1D, 0, 0));
	WORKS(cudaFreeArray(a));
	RETURNS(cudaErrorInvalidValue, cudaMallocArray(&a, &bytes, p.maxTexture1D + 1, 0, 0));
	RETURNS(cudaErrorInvalidValue, cudaMallocArray(&a, &bytes, 1, p.maxTexture2D[1] + 1, 0));
}

void test_arrays(void)
{
	test_info();
	test_refusals();
	test_largest();
	test_boxes();
	test_runs();
	test_solids();
	test_textures();
	test_surfaces();
}
