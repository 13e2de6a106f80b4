// SPDX-License-Identifier: GPL-2.0
/*
 * Surfaces: reads and writes of arrays of all shapes and types, against memory of the CPU; what lies
 * outside with each boundary mode; and that a texture sees what was written.
 */
#include <string.h>
#include "check.h"

static const int width = 6, height = 4, depth = 3;

enum shape { LINE, PLANE, SOLID, LINES, PLANES };

static cudaExtent extent_of(enum shape shape)
{
	return make_cudaExtent(width, shape == LINE || shape == LINES ? 0 : height,
			       shape == LINE || shape == PLANE ? 0 : depth);
}

static cudaSurfaceObject_t surface_of(cudaArray_t array)
{
	cudaResourceDesc resource = {};
	cudaSurfaceObject_t s;

	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	MUST(cudaCreateSurfaceObject(&s, &resource));
	return s;
}

template<class T> static cudaArray_t array_of(enum shape shape)
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
	cudaArray_t array;

	MUST(cudaMalloc3DArray(&array, &desc, extent_of(shape), cudaArraySurfaceLoadStore |
			       (shape == LINES || shape == PLANES ? cudaArrayLayered : 0)));
	return array;
}

/* To memory, or from there. */
static void copy_array(cudaArray_t array, enum shape shape, void *memory, size_t texel, bool to)
{
	cudaExtent e = extent_of(shape);
	cudaMemcpy3DParms copy = {};

	e.height += !e.height;
	e.depth += !e.depth;
	copy.extent = e;
	copy.kind = to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
	if (to) {
		copy.srcArray = array;
		copy.dstPtr = make_cudaPitchedPtr(memory, e.width * texel, e.width, e.height);
	} else {
		copy.dstArray = array;
		copy.srcPtr = make_cudaPitchedPtr(memory, e.width * texel, e.width, e.height);
	}
	MUST(cudaMemcpy3D(&copy));
}

/* ---- all there is ------------------------------------------------------ */

template<class T> __device__ T read(cudaSurfaceObject_t s, enum shape shape, int x, int y, int z,
				    cudaSurfaceBoundaryMode mode)
{
	T value;

	switch (shape) {
	case LINE:
		surf1Dread(&value, s, x, mode);
		return value;
	case PLANE:
		return surf2Dread<T>(s, x, y, mode);
	case SOLID:
		surf3Dread(&value, s, x, y, z, mode);
		return value;
	case LINES:
		return surf1DLayeredread<T>(s, x, z, mode);
	default:
		return surf2DLayeredread<T>(s, x, y, z, mode);
	}
}

template<class T> __device__ void write(T value, cudaSurfaceObject_t s, enum shape shape, int x, int y,
					int z, cudaSurfaceBoundaryMode mode)
{
	switch (shape) {
	case LINE:
		return surf1Dwrite(value, s, x, mode);
	case PLANE:
		return surf2Dwrite(value, s, x, y, mode);
	case SOLID:
		return surf3Dwrite(value, s, x, y, z, mode);
	case LINES:
		return surf1DLayeredwrite(value, s, x, z, mode);
	default:
		return surf2DLayeredwrite(value, s, x, y, z, mode);
	}
}

/* Each texel of one goes to the other, in the opposite order, by one thread each. */
template<class T> __global__ void turn(cudaSurfaceObject_t to, cudaSurfaceObject_t from,
				       enum shape shape, dim3 n)
{
	int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
	T value = read<T>(from, shape, x * sizeof(T), y, z, cudaBoundaryModeTrap);

	write(value, to, shape, (n.x - 1 - x) * sizeof(T), n.y - 1 - y, n.z - 1 - z,
	      cudaBoundaryModeTrap);
}

template<class T> static void compare(enum shape shape)
{
	cudaExtent e = extent_of(shape);
	dim3 n(e.width, e.height + !e.height, e.depth + !e.depth);
	size_t count = n.x * n.y * n.z;
	cudaArray_t a = array_of<T>(shape), b = array_of<T>(shape);
	cudaSurfaceObject_t sa = surface_of(a), sb = surface_of(b);
	T in[width * height * depth], out[width * height * depth];
	unsigned int different = 0;

	for (size_t i = 0; i < sizeof(in); i++)
		((unsigned char *)in)[i] = i * 7 + sizeof(T);
	copy_array(a, shape, in, sizeof(T), false);
	turn<T><<<1, n>>>(sb, sa, shape, n);
	copy_array(b, shape, out, sizeof(T), true);
	for (size_t i = 0; i < count; i++)
		different += memcmp(&in[i], &out[count - 1 - i], sizeof(T)) != 0;
	CHECK(!different, "shape %d, %d bytes: %u", shape, (int)sizeof(T), different);
	MUST(cudaDestroySurfaceObject(sa));
	MUST(cudaDestroySurfaceObject(sb));
	MUST(cudaFreeArray(a));
	MUST(cudaFreeArray(b));
}

template<class T> static void compare_shapes()
{
	for (int shape = LINE; shape <= PLANES; shape++)
		compare<T>((enum shape)shape);
}

/* ---- outside ----------------------------------------------------------- */

struct place {
	int x, y, z;
};

__global__ void outside(cudaSurfaceObject_t s, enum shape shape, const place *p, int *zero, int *nearest)
{
	int i = threadIdx.x;

	zero[i] = read<int>(s, shape, p[i].x, p[i].y, p[i].z, cudaBoundaryModeZero);
	nearest[i] = read<int>(s, shape, p[i].x, p[i].y, p[i].z, cudaBoundaryModeClamp);
	write(-1, s, shape, p[i].x, p[i].y, p[i].z, cudaBoundaryModeZero);
}

__global__ void write_near(cudaSurfaceObject_t s, int value, int x, int y)
{
	surf2Dwrite(value, s, x, y, cudaBoundaryModeClamp);
}

static int limited(int at, int size)
{
	return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static void compare_outside(enum shape shape)
{
	static const place far_places[] = {
		{ -4, 0, 0 }, { 4 * width, 1, 1 }, { 0x7ffffffc, 2, 0 }, { (int)0x80000000, 2, 2 },
		{ 8, -1, 0 }, { 8, height, 0 }, { 12, 0x7fffffff, 1 }, { 12, (int)0x80000000, 1 },
		{ 8, 0, -1 }, { 8, 3, depth }, { 4, 1, 0x7fffffff }, { 4, 1, (int)0x80000000 },
	};
	const int n = sizeof(far_places) / sizeof(far_places[0]);
	cudaExtent e = extent_of(shape);
	int h = e.height + !e.height, d = e.depth + !e.depth, in[width * height * depth],
	    after[width * height * depth];
	place *p = managed<place>(n);
	int *zero = managed<int>(n), *nearest = managed<int>(n);
	cudaArray_t a = array_of<int>(shape);

	for (int i = 0; i < width * height * depth; i++)
		in[i] = after[i] = 1000 + i;
	memcpy(p, far_places, sizeof(far_places));
	for (int i = 0; i < n; i++) {
		/* Where there is no such axis, x is it that is outside. */
		if (p[i].x >= 0 && p[i].x < 4 * width && (h == 1 || (p[i].y >= 0 && p[i].y < h)) &&
		    (d == 1 || (p[i].z >= 0 && p[i].z < d)))
			p[i].x = 4 * width + 400;
	}
	copy_array(a, shape, in, sizeof(int), false);
	outside<<<1, n>>>(surface_of(a), shape, p, zero, nearest);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < n; i++) {
		int x = p[i].x < 0 ? 0 : limited(p[i].x / 4, width);
		int y = limited(p[i].y, h), z = limited(p[i].z, d);

		CHECK(zero[i] == 0, "shape %d, %d: %d", shape, i, zero[i]);
		CHECK(nearest[i] == in[(z * h + y) * width + x], "shape %d, %d: %d", shape, i, nearest[i]);
	}
	copy_array(a, shape, after, sizeof(int), true);
	CHECK(!memcmp(in, after, h * d * width * sizeof(int)), "shape %d", shape);
	if (shape == PLANE) {
		write_near<<<1, 1>>>(surface_of(a), 5, 4 * width, height + 7);
		copy_array(a, shape, after, sizeof(int), true);
		CHECK(after[width * height - 1] == 5 && after[width * height - 2] == in[width * height - 2]);
	}
}

/* A launch that leaves its surface fails, and so does one of a type that is larger than a row. */
template<class T> __global__ void leave(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode)
{
	surf2Dwrite(T(), s, x, y, mode);
}

template<class T> static void must_fail(int x, int y, cudaSurfaceBoundaryMode mode, bool row = false)
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<int>();
	cudaArray_t array;

	MUST(cudaMallocArray(&array, &desc, row ? 1 : width, height, cudaArraySurfaceLoadStore));
	leave<T><<<1, 1>>>(surface_of(array), x, y, mode);
	CHECK(cudaDeviceSynchronize() != cudaSuccess, "at %d %d", x, y);
	MUST(cudaDeviceReset());
}

/* ---- textures of them --------------------------------------------------- */

__global__ void see(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out)
{
	surf2Dwrite(make_uchar4(255, 0, 0, 0), s, 4 * sizeof(uchar4), 2);
	*out = tex2D<float4>(t, 4.5f, 2.5f).x;
}

static void compare_texture()
{
	cudaArray_t array = array_of<uchar4>(PLANE);
	cudaSurfaceObject_t s = surface_of(array);
	cudaResourceDesc resource = {}, said;
	cudaTextureDesc desc = {};
	cudaTextureObject_t t;
	float *out = managed<float>(1);

	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	desc.readMode = cudaReadModeNormalizedFloat;
	MUST(cudaCreateTextureObject(&t, &resource, &desc, NULL));
	see<<<1, 1>>>(t, s, out);
	MUST(cudaDeviceSynchronize());
	MUST(cudaMemcpy2DFromArray(&desc, 4, array, 16, 2, 4, 1, cudaMemcpyDeviceToHost));
	CHECK(*(unsigned char *)&desc == 255);
#ifdef __clang__
	/* Here a texture has no cache of its own; on other GPUs this is not said. */
	CHECK(*out == 1);
#endif
	MUST(cudaGetSurfaceObjectResourceDesc(&said, s));
	CHECK(said.res.array.array == array);
	CHECK(cudaDestroySurfaceObject(t) == cudaErrorInvalidValue);
	CHECK(cudaDestroyTextureObject(s) == cudaErrorInvalidValue);
	CHECK(cudaDestroySurfaceObject(s) == cudaSuccess);
	CHECK(cudaDestroySurfaceObject(s) == cudaErrorInvalidValue);
}

int main()
{
	compare_shapes<signed char>();
	compare_shapes<uchar2>();
	compare_shapes<uchar4>();
	compare_shapes<short>();
	compare_shapes<ushort4>();
	compare_shapes<int>();
	compare_shapes<uint2>();
	compare_shapes<float>();
	compare_shapes<float4>();
	for (int shape = LINE; shape <= PLANES; shape++)
		compare_outside((enum shape)shape);
	compare_texture();
	must_fail<int>(4 * width, 0, cudaBoundaryModeTrap);
	must_fail<int>(-4, 0, cudaBoundaryModeTrap);
	must_fail<int>(0, height, cudaBoundaryModeTrap);
	must_fail<int>(2, 0, cudaBoundaryModeTrap);
	must_fail<int2>(0, 0, cudaBoundaryModeClamp, true);
	return wrong != 0;
}
