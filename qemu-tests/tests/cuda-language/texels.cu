// SPDX-License-Identifier: GPL-2.0
/*
 * Textures of arrays, rows and linear memory, against a model on the CPU: all types of texels, address
 * modes and filters in one, two and three dimensions, layers, and gathers.  The model counts texels
 * of a plane without end ("Texture Fetching" of the CUDA C++ Programming Guide).
 */
#include <math.h>
#include "check.h"

#define POINTS	96

/* Texels of floats, with room for up to 7 x 5 x 3. */
static const int width = 7, height = 5, depth = 3;
static float values[depth][height][width];

/* Components of a type. */
template<class T> struct parts;
#define PARTS(name, type, kind)									\
	template<> struct parts<type> { enum { n = 1 }; typedef type of; typedef float unit;	\
		static const cudaChannelFormatKind k = cudaChannelFormatKind##kind; };		\
	template<> struct parts<name##1> { enum { n = 1 }; typedef type of; typedef float1 unit; \
		static const cudaChannelFormatKind k = cudaChannelFormatKind##kind; };		\
	template<> struct parts<name##2> { enum { n = 2 }; typedef type of; typedef float2 unit; \
		static const cudaChannelFormatKind k = cudaChannelFormatKind##kind; };		\
	template<> struct parts<name##4> { enum { n = 4 }; typedef type of; typedef float4 unit; \
		static const cudaChannelFormatKind k = cudaChannelFormatKind##kind; };
PARTS(char, signed char, Signed)
PARTS(uchar, unsigned char, Unsigned)
PARTS(short, short, Signed)
PARTS(ushort, unsigned short, Unsigned)
PARTS(int, int, Signed)
PARTS(uint, unsigned int, Unsigned)
PARTS(float, float, Float)

/* A number of no pattern, the same in each run. */
static unsigned int any()
{
	static unsigned int state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

static cudaTextureObject_t object_of(const cudaResourceDesc &resource, cudaTextureAddressMode address,
				     cudaTextureFilterMode filter, bool normalized,
				     cudaTextureReadMode mode = cudaReadModeElementType)
{
	cudaTextureDesc desc = {};
	cudaTextureObject_t t;

	for (int i = 0; i < 3; i++)
		desc.addressMode[i] = address;
	desc.filterMode = filter;
	desc.normalizedCoords = normalized;
	desc.readMode = mode;
	for (int i = 0; i < 4; i++)
		desc.borderColor[i] = 0.25f * (i + 1);
	MUST(cudaCreateTextureObject(&t, &resource, &desc, NULL));
	return t;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
	cudaResourceDesc resource = {};

	resource.resType = cudaResourceTypeArray;
	resource.res.array.array = array;
	return resource;
}

/* ---- types ------------------------------------------------------------ */

template<class T> __global__ void read_all(cudaTextureObject_t t, T *out, T *pointed, int w, int h)
{
	for (int y = 0; y < h; y++) {
		for (int x = 0; x < w; x++) {
			out[y * w + x] = tex2D<T>(t, x + 0.5f, y + 0.5f);
			tex2D(&pointed[y * w + x], t, x + 0.5f, y + 0.5f);
		}
	}
}

template<class T> static void compare_units(cudaArray_t array, const T *in, double most)
{
	typedef typename parts<T>::of part;
	typedef typename parts<T>::unit unit;
	unit *out = managed<unit>(15), *pointed = managed<unit>(15);
	cudaTextureObject_t t = object_of(resource_of(array), cudaAddressModeClamp,
					  cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
	int n = 0;

	read_all<unit><<<1, 1>>>(t, out, pointed, 5, 3);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 15 * parts<T>::n; i++) {
		double want = ((const part *)in)[i] / most;

		want = want < -1 ? -1 : want;
		n += fabs(((float *)out)[i] - want) > 1e-7 || ((float *)out)[i] != ((float *)pointed)[i];
	}
	CHECK(!n, "%s: %d", __PRETTY_FUNCTION__, n);
	MUST(cudaDestroyTextureObject(t));
}

template<class T> static void compare_type()
{
	typedef typename parts<T>::of part;
	const int bits = 8 * sizeof(part);
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
	T in[15], *out = managed<T>(15), *pointed = managed<T>(15);
	cudaTextureObject_t t;
	cudaArray_t array;
	int n = 0;

	CHECK(desc.x == bits && desc.w == (parts<T>::n == 4 ? bits : 0) && desc.f == parts<T>::k);
	for (int i = 0; i < 15 * parts<T>::n; i++)
		((part *)in)[i] = (part)(any() * 257);
	/* The lowest, and the next. */
	((part *)in)[0] = (part)(1u << (bits - 1));
	((part *)in)[parts<T>::n] = (part)((1u << (bits - 1)) + 1);
	MUST(cudaMallocArray(&array, &desc, 5, 3));
	MUST(cudaMemcpy2DToArray(array, 0, 0, in, 5 * sizeof(T), 5 * sizeof(T), 3,
				 cudaMemcpyHostToDevice));
	t = object_of(resource_of(array), cudaAddressModeClamp, cudaFilterModePoint, false);
	read_all<T><<<1, 1>>>(t, out, pointed, 5, 3);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 15 * parts<T>::n; i++)
		n += ((part *)out)[i] != ((part *)in)[i] || ((part *)pointed)[i] != ((part *)in)[i];
	CHECK(!n, "%s: %d", __PRETTY_FUNCTION__, n);
	if (bits < 32)
		compare_units(array, in, parts<T>::k == cudaChannelFormatKindSigned ?
					 (1 << (bits - 1)) - 1 : (1 << bits) - 1);
	MUST(cudaDestroyTextureObject(t));
	MUST(cudaFreeArray(array));
}

#define COMPARE(name, type)	\
	compare_type<type>(), compare_type<name##1>(), compare_type<name##2>(), compare_type<name##4>()

/* ---- coordinates ------------------------------------------------------ */

struct point {
	float x, y, z;
	int layer;
};

enum shape { LINE, PLANE, SOLID, LINES, PLANES };

__global__ void read_points(cudaTextureObject_t t, enum shape shape, const point *p, float *out)
{
	int i = threadIdx.x;

	switch (shape) {
	case LINE:
		out[i] = tex1D<float>(t, p[i].x);
		break;
	case PLANE:
		out[i] = tex2D<float>(t, p[i].x, p[i].y);
		break;
	case SOLID:
		out[i] = tex3D<float>(t, p[i].x, p[i].y, p[i].z);
		break;
	case LINES:
		out[i] = tex1DLayered<float>(t, p[i].x, p[i].layer);
		break;
	case PLANES:
		out[i] = tex2DLayered<float>(t, p[i].x, p[i].y, p[i].layer);
		break;
	}
}

struct model {
	cudaTextureAddressMode address;
	cudaTextureFilterMode filter;
	bool normalized;

	/* The texel that stands for one of a plane without end. */
	int inside(int i, int n) const
	{
		int turn = ((i % (2 * n)) + 2 * n) % (2 * n);

		if (normalized && address == cudaAddressModeWrap)
			return turn % n;
		if (normalized && address == cudaAddressModeMirror)
			return turn < n ? turn : 2 * n - 1 - turn;
		if (address == cudaAddressModeBorder)
			return i < 0 || i >= n ? -1 : i;
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	}
	double texel(int x, int y, int z, int w, int h, int d) const
	{
		x = inside(x, w), y = inside(y, h), z = inside(z, d);
		return x < 0 || y < 0 || z < 0 ? 0.25 : values[z][y][x];
	}
	/* The first texel, and the part of the next in 1/256. */
	int first(double at, int n, double *next) const
	{
		at = normalized ? at * n : at;
		*next = 0;
		if (filter == cudaFilterModePoint)
			return (int)floor(at);
		at -= 0.5;
		*next = floor((at - floor(at)) * 256 + 0.5) / 256;
		return (int)floor(at);
	}
	double at(const point &p, enum shape shape) const
	{
		double a = 0, b = 0, c = 0, sum = 0;
		int w = width, h = shape == LINE || shape == LINES ? 1 : height;
		int d = shape == LINE || shape == PLANE ? 1 : depth;
		int x = first(p.x, w, &a), y = 0, z = 0;

		if (shape != LINE && shape != LINES)
			y = first(p.y, h, &b);
		if (shape == SOLID)
			z = first(p.z, d, &c);
		else if (d > 1)
			z = p.layer < 0 ? 0 : p.layer >= d ? d - 1 : p.layer;
		for (int i = 0; i < 8; i++) {
			double part = (i & 1 ? a : 1 - a) * (i & 2 ? b : 1 - b) * (i & 4 ? c : 1 - c);

			if (part)
				sum += part * texel(x + !!(i & 1), y + !!(i & 2), z + !!(i & 4), w, h, d);
		}
		return sum;
	}
};

static cudaArray_t array_of(enum shape shape)
{
	static const cudaExtent extents[] = {
		{ (size_t)width, 0, 0 }, { (size_t)width, (size_t)height, 0 },
		{ (size_t)width, (size_t)height, (size_t)depth }, { (size_t)width, 0, (size_t)depth },
		{ (size_t)width, (size_t)height, (size_t)depth },
	};
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
	cudaMemcpy3DParms copy = {};
	cudaArray_t array;

	MUST(cudaMalloc3DArray(&array, &desc, extents[shape],
			       shape == LINES || shape == PLANES ? cudaArrayLayered : 0));
	copy.srcPtr = make_cudaPitchedPtr(values, sizeof(values[0][0]), width, height);
	copy.dstArray = array;
	copy.extent = extents[shape];
	copy.extent.height += !copy.extent.height;
	copy.extent.depth += !copy.extent.depth;
	copy.kind = cudaMemcpyHostToDevice;
	MUST(cudaMemcpy3D(&copy));
	return array;
}

/* In 1/1024, but none whose part of a texel lies between two of 1/256. */
static float coordinate(bool normalized)
{
	int range = normalized ? 2600 : 20000, k = (int)(any() % (2 * range)) - range;

	return (k % 4 == 2 || k % 4 == -2 ? k + 1 : k) / 1024.0f;
}

static void compare_points(const cudaResourceDesc &resource, enum shape shape, const model &m)
{
	static point *p = managed<point>(POINTS);
	static float *out = managed<float>(POINTS);
	cudaTextureObject_t t = object_of(resource, m.address, m.filter, m.normalized);

	for (int i = 0; i < POINTS; i++) {
		p[i].x = coordinate(m.normalized);
		p[i].y = coordinate(m.normalized);
		p[i].z = coordinate(m.normalized);
		p[i].layer = (int)(any() % 7) - 2;
	}
	read_points<<<1, POINTS>>>(t, shape, p, out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < POINTS; i++) {
		CHECK(fabs(out[i] - m.at(p[i], shape)) < 1e-5,
		      "shape %d, address %d, filter %d, normalized %d at %g %g %g, %d: %g, not %g",
		      shape, m.address, m.filter, m.normalized, p[i].x, p[i].y, p[i].z, p[i].layer,
		      out[i], m.at(p[i], shape));
	}
	MUST(cudaDestroyTextureObject(t));
}

static void compare_shape(const cudaResourceDesc &resource, enum shape shape)
{
	for (int address = 0; address < 4; address++) {
		for (int kind = 0; kind < 4; kind++) {
			model m = { (cudaTextureAddressMode)address, (cudaTextureFilterMode)(kind & 1),
				    kind > 1 };

			compare_points(resource, shape, m);
		}
	}
}

static void compare_rows()
{
	cudaResourceDesc resource = {};
	char *rows;
	size_t pitch;

	MUST(cudaMallocPitch((void **)&rows, &pitch, width * sizeof(float), height));
	MUST(cudaMemcpy2D(rows, pitch, values, sizeof(values[0][0]), sizeof(values[0][0]), height,
			  cudaMemcpyHostToDevice));
	resource.resType = cudaResourceTypePitch2D;
	resource.res.pitch2D.devPtr = rows;
	resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
	resource.res.pitch2D.width = width;
	resource.res.pitch2D.height = height;
	resource.res.pitch2D.pitchInBytes = pitch;
	compare_shape(resource, PLANE);
	MUST(cudaFree(rows));
}

/* Far away, and no numbers: inside all the same. */
static void far_away()
{
	static const float far_values[] = { INFINITY, -INFINITY, 1e30f, -1e30f, NAN, 3e9f, -3e9f, 2e7f };
	cudaArray_t array = array_of(SOLID);
	point *p = managed<point>(8);
	float *out = managed<float>(8);

	for (int i = 0; i < 8; i++) {
		p[i].x = far_values[i];
		p[i].y = p[i].z = 0.5f;
	}
	for (int kind = 0; kind < 16; kind++) {
		cudaTextureObject_t t = object_of(resource_of(array), (cudaTextureAddressMode)(kind & 3),
						  (cudaTextureFilterMode)(kind >> 2 & 1), kind >> 3);

		read_points<<<1, 8>>>(t, SOLID, p, out);
		MUST(cudaDeviceSynchronize());
		if ((kind & 3) == cudaAddressModeClamp && !(kind >> 3))
			CHECK(out[0] == values[0][0][width - 1] && out[1] == values[0][0][0] &&
			      out[2] == out[0] && out[3] == out[1]);
		if ((kind & 3) == cudaAddressModeBorder)
			CHECK(out[0] == 0.25f && out[1] == 0.25f && out[7] == 0.25f, "%g", out[0]);
	}
}

/* ---- others ----------------------------------------------------------- */

__global__ void gather(cudaTextureObject_t t, float x, float y, float4 *first, float4 *second)
{
	*first = tex2Dgather<float4>(t, x, y);
	*second = tex2Dgather<float4>(t, x, y, 1);
}

static void compare_gather()
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float2>();
	float4 *got = managed<float4>(2);
	cudaTextureObject_t t;
	cudaArray_t array;
	float2 in[4][4];

	for (int i = 0; i < 16; i++)
		in[0][i] = make_float2(i, 100 + i);
	MUST(cudaMallocArray(&array, &desc, 4, 4, cudaArrayTextureGather));
	MUST(cudaMemcpy2DToArray(array, 0, 0, in, sizeof(in[0]), sizeof(in[0]), 4,
				 cudaMemcpyHostToDevice));
	t = object_of(resource_of(array), cudaAddressModeClamp, cudaFilterModePoint, false);
	gather<<<1, 1>>>(t, 2.25f, 1.75f, &got[0], &got[1]);
	MUST(cudaDeviceSynchronize());
	CHECK(got[0].x == 9 && got[0].y == 10 && got[0].z == 6 && got[0].w == 5);
	CHECK(got[1].x == 109 && got[1].y == 110 && got[1].z == 106 && got[1].w == 105);
	/* 1.99805 is nearer to 2 than to 1 + 255/256. */
	gather<<<1, 1>>>(t, 2.49805f, 1.75f, &got[0], &got[1]);
	MUST(cudaDeviceSynchronize());
	CHECK(got[0].x == 10 && got[0].y == 11 && got[0].z == 7 && got[0].w == 6);
}

__global__ void fetch(cudaTextureObject_t t, float2 *out)
{
	for (int i = 0; i < 4; i++)
		out[i] = tex1Dfetch<float2>(t, i - 1);
	tex1Dfetch(&out[4], t, 1);
}

/* Elements of linear memory as numbers up to 1. */
static void compare_linear()
{
	cudaResourceDesc resource = {};
	uchar2 *data = managed<uchar2>(3);
	float2 *out = managed<float2>(5);
	cudaTextureObject_t t;

	for (int i = 0; i < 3; i++)
		data[i] = make_uchar2(51 * i, 255 - 51 * i);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = data;
	resource.res.linear.desc = cudaCreateChannelDesc<uchar2>();
	resource.res.linear.sizeInBytes = 4;
	t = object_of(resource, cudaAddressModeClamp, cudaFilterModePoint, false,
		      cudaReadModeNormalizedFloat);
	fetch<<<1, 1>>>(t, out);
	MUST(cudaDeviceSynchronize());
	CHECK(out[0].x == 0 && out[0].y == 0 && out[3].x == 0 && out[3].y == 0);
	CHECK(out[1].x == 0 && out[1].y == 1 && out[2].x == 0.2f && out[2].y == 0.8f);
	CHECK(out[4].x == 0.2f && out[4].y == 0.8f);
}

__global__ void read_half(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f);
}

static void compare_half()
{
	static const unsigned short in[] = { 0x3c00, 0xc100, 0x0001, 0x7bff, 0x8000, 0xfc00 };
	static const float want[] = { 1, -2.5f, 5.9604645e-8f, 65504, -0.0f, -INFINITY };
	cudaChannelFormatDesc desc = cudaCreateChannelDescHalf();
	float *out = managed<float>(6);
	cudaArray_t array;

	MUST(cudaMallocArray(&array, &desc, 6));
	MUST(cudaMemcpy2DToArray(array, 0, 0, in, sizeof(in), sizeof(in), 1, cudaMemcpyHostToDevice));
	read_half<<<1, 6>>>(object_of(resource_of(array), cudaAddressModeClamp, cudaFilterModePoint,
				      false), out);
	MUST(cudaDeviceSynchronize());
	for (int i = 0; i < 6; i++)
		CHECK(out[i] == want[i] && signbit(out[i]) == signbit(want[i]), "%d: %g", i, out[i]);
}

int main()
{
	for (int i = 0; i < width * height * depth; i++)
		((float *)values)[i] = any() % 64;
	COMPARE(char, signed char);
	COMPARE(uchar, unsigned char);
	COMPARE(short, short);
	COMPARE(ushort, unsigned short);
	COMPARE(int, int);
	COMPARE(uint, unsigned int);
	COMPARE(float, float);
	for (int shape = LINE; shape <= PLANES; shape++)
		compare_shape(resource_of(array_of((enum shape)shape)), (enum shape)shape);
	compare_rows();
	far_away();
	compare_gather();
	compare_linear();
	compare_half();
	return wrong != 0;
}
