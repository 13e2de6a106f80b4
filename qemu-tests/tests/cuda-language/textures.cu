// SPDX-License-Identifier: GPL-2.0
/*
 * Textures of linear memory: references and objects, elements of several types, what is outside; and
 * references of rows and arrays.  Objects of arrays are in texels.cu.
 */
#include "check.h"

texture<float, cudaTextureType1D, cudaReadModeElementType> floats;
static texture<int4> fours;
texture<unsigned char, 1> bytes;

template<class T> struct outcome {
	T inside, last, behind, before;
};

__global__ void references(outcome<float> *f, outcome<int4> *i, outcome<unsigned char> *b, int n)
{
	*f = { tex1Dfetch(floats, 1), tex1Dfetch(floats, n - 1), tex1Dfetch(floats, n),
	       tex1Dfetch(floats, -1) };
	*i = { tex1Dfetch(fours, 1), tex1Dfetch(fours, n - 1), tex1Dfetch(fours, n),
	       tex1Dfetch(fours, -1) };
	*b = { tex1Dfetch(bytes, 1), tex1Dfetch(bytes, n - 1), tex1Dfetch(bytes, n),
	       tex1Dfetch(bytes, -1) };
}

__global__ void objects(cudaTextureObject_t t, double *sum, int n)
{
	float2 value;

	tex1Dfetch(&value, t, n - 1);
	*sum = tex1Dfetch<float2>(t, 0).y + value.x + tex1Dfetch<float2>(t, n).x;
}

static void reference()
{
	const int n = 1000;
	float *f = managed<float>(n + 1);
	int4 *i = managed<int4>(n + 1);
	unsigned char *b = managed<unsigned char>(n + 1);
	outcome<float> *of = managed<outcome<float> >(1);
	outcome<int4> *oi = managed<outcome<int4> >(1);
	outcome<unsigned char> *ob = managed<outcome<unsigned char> >(1);
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
	size_t offset = 1;

	for (int k = 0; k <= n; k++) {
		f[k] = k + 0.5f;
		i[k] = make_int4(k, k + 1, k + 2, k + 3);
		b[k] = k;
	}
	CHECK(desc.x == 32 && desc.y == 0 && desc.f == cudaChannelFormatKindFloat);
	references<<<1, 1>>>(of, oi, ob, n);
	MUST(cudaDeviceSynchronize());
	CHECK(of->inside == 0 && oi->last.w == 0);
	CHECK(cudaBindTexture(&offset, floats, f, desc, n * sizeof(*f)) == cudaSuccess);
	CHECK(offset == 0);
	CHECK(cudaBindTexture(NULL, fours, i, n * sizeof(*i)) == cudaSuccess);
	desc = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
	CHECK(cudaBindTexture(NULL, &bytes, b, &desc, n) == cudaSuccess);
	references<<<1, 1>>>(of, oi, ob, n);
	MUST(cudaDeviceSynchronize());
	CHECK(of->inside == 1.5f && of->last == n - 0.5f && of->behind == 0 && of->before == 0);
	CHECK(oi->inside.w == 4 && oi->last.x == n - 1 && oi->behind.x == 0 && oi->before.y == 0);
	CHECK(ob->inside == 1 && ob->last == (unsigned char)(n - 1) && !ob->behind && !ob->before);
	/* Bound again, and to nothing. */
	CHECK(cudaBindTexture(NULL, floats, f + 1, (n - 1) * sizeof(*f)) == cudaSuccess);
	CHECK(cudaUnbindTexture(fours) == cudaSuccess);
	references<<<1, 1>>>(of, oi, ob, n - 1);
	MUST(cudaDeviceSynchronize());
	CHECK(of->inside == 2.5f && of->last == n - 0.5f && of->behind == 0 && oi->inside.w == 0);
	CHECK(cudaBindTexture(NULL, floats, NULL, 4) == cudaErrorInvalidValue);
}

static void object()
{
	cudaResourceDesc resource = {};
	cudaTextureDesc desc = {};
	cudaTextureObject_t t = 0;
	float2 *data = managed<float2>(8);
	double *sum = managed<double>(1);

	for (int k = 0; k < 8; k++)
		data[k] = make_float2(k, 10 * k + 1);
	resource.resType = cudaResourceTypeLinear;
	resource.res.linear.devPtr = data;
	resource.res.linear.desc = cudaCreateChannelDesc<float2>();
	resource.res.linear.sizeInBytes = 7 * sizeof(float2);
	CHECK(cudaCreateTextureObject(&t, &resource, &desc, NULL) == cudaSuccess);
	objects<<<1, 1>>>(t, sum, 7);
	MUST(cudaDeviceSynchronize());
	CHECK(*sum == 1 + 6 + 0);
	/* What is no object of the program's stays what it is. */
	CHECK(cudaDestroyTextureObject((cudaTextureObject_t)data) == cudaErrorInvalidValue);
	CHECK(cudaDestroyTextureObject(t + 1) == cudaErrorInvalidValue);
	CHECK(cudaFree((void *)t) == cudaErrorInvalidValue);
	CHECK(data[3].x == 3);
	CHECK(cudaDestroyTextureObject(t) == cudaSuccess);
	CHECK(cudaDestroyTextureObject(t) == cudaErrorInvalidValue);
	CHECK(cudaDestroyTextureObject(0) == cudaSuccess);
	CHECK(cudaFree(data) == cudaSuccess);
}

/* ---- references of more dimensions ------------------------------------- */

texture<uchar4, 2, cudaReadModeNormalizedFloat> colors;
texture<float, cudaTextureType3D> solid;
texture<short, cudaTextureType2DLayered> layers;
texture<int2, 1> line;

__global__ void dimensions(float4 *color, float *value, short *layer, int2 *at)
{
	*color = tex2D(colors, 1.0f, 0.5f);
	*value = tex3D(solid, 0.75f, 0.25f, 0.75f);
	*layer = tex2DLayered(layers, 1.5f, 0.5f, 1);
	*at = tex1D(line, 1.5f);
}

template<class T> static cudaArray_t array(const T *data, cudaExtent extent, unsigned int flags = 0)
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
	cudaMemcpy3DParms copy = {};
	cudaArray_t a;

	MUST(cudaMalloc3DArray(&a, &desc, extent, flags));
	extent.height += !extent.height;
	extent.depth += !extent.depth;
	copy.srcPtr = make_cudaPitchedPtr((void *)data, extent.width * sizeof(T), extent.width,
					  extent.height);
	copy.dstArray = a;
	copy.extent = extent;
	copy.kind = cudaMemcpyHostToDevice;
	MUST(cudaMemcpy3D(&copy));
	return a;
}

static void more_dimensions()
{
	static const float numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const short shorts[] = { 1, 2, 3, 4, 5, -6, 7, 8 };
	static const int2 pairs[] = { { 1, 2 }, { -3, 4 } };
	uchar4 *rows = managed<uchar4>(2 * 16);
	float4 *color = managed<float4>(1);
	float *value = managed<float>(1);
	short *layer = managed<short>(1);
	int2 *at = managed<int2>(1);

	rows[0] = make_uchar4(0, 51, 255, 0);
	rows[1] = make_uchar4(255, 51, 0, 0);
	colors.filterMode = cudaFilterModeLinear;
	CHECK(cudaBindTexture2D(NULL, colors, rows, 2, 2, 64) == cudaSuccess);
	solid.normalized = 1;
	CHECK(cudaBindTextureToArray(solid, array(numbers, make_cudaExtent(2, 2, 2))) == cudaSuccess);
	CHECK(cudaBindTextureToArray(layers, array(shorts, make_cudaExtent(2, 2, 2),
						   cudaArrayLayered)) == cudaSuccess);
	CHECK(cudaBindTextureToArray(&line, array(pairs, make_cudaExtent(2, 0, 0)),
				     &line.channelDesc) == cudaSuccess);
	dimensions<<<1, 1>>>(color, value, layer, at);
	MUST(cudaDeviceSynchronize());
	CHECK(color->x == 0.5f && color->y == 0.2f && color->z == 0.5f && color->w == 0);
	CHECK(*value == 6 && *layer == -6 && at->x == -3 && at->y == 4);
	line.filterMode = cudaFilterModeLinear;
	CHECK(cudaBindTextureToArray(&line, array(pairs, make_cudaExtent(2, 0, 0)),
				     &line.channelDesc) == cudaErrorInvalidFilterSetting);
	CHECK(cudaUnbindTexture(colors) == cudaSuccess && cudaUnbindTexture(line) == cudaSuccess);
	dimensions<<<1, 1>>>(color, value, layer, at);
	MUST(cudaDeviceSynchronize());
	CHECK(color->x == 0 && *value == 6 && at->x == 0);
}

int main()
{
	reference();
	object();
	more_dimensions();
	return wrong != 0;
}
