/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Textures, by reference and by object.  clang makes of a texture reference a word of GPU memory, which
 * holds the address of a struct softuvm_texture once it is bound; in device code its value is that
 * word's address.  Fetches are the device library's (texture.c); of linear memory they are loads.
 */
#ifndef SOFTUVM_DEVICE_TEXTURES_H
#define SOFTUVM_DEVICE_TEXTURES_H

#include "../channel_descriptor.h"
#include "../texture_types.h"

/* ---- texels ----------------------------------------------------------- */

/* A component of 32 bits as one of a type. */
template<class C> static inline __device__ C softuvm_component(unsigned int bits)
{
	return (C)bits;
}

template<> inline __device__ float softuvm_component<float>(unsigned int bits)
{
	union { unsigned int bits; float value; } u = { bits };

	return u.value;
}

template<class T> static inline __device__ T softuvm_texel(const unsigned int *texel)
{
	typedef typename softuvm_channel<T>::component component;
	T value;

	for (int i = 0; i < softuvm_channel<T>::n; i++)
		((component *)&value)[i] = softuvm_component<component>(texel[i]);
	return value;
}

/* ---- references ------------------------------------------------------- */

template<class T, int type = cudaTextureType1D,
	 enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type, aligned(8))) texture : public textureReference {
	__host__ texture(int norm = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
			 enum cudaTextureAddressMode address = cudaAddressModeClamp)
	{
		*(textureReference *)this = textureReference();
		normalized = norm;
		filterMode = filter;
		addressMode[0] = addressMode[1] = addressMode[2] = address;
		channelDesc = softuvm_channel<T>::of();
		softuvm_mode = mode;
	}
	__host__ texture(int norm, enum cudaTextureFilterMode filter,
			 enum cudaTextureAddressMode address, cudaChannelFormatDesc desc)
		: texture(norm, filter, address)
	{
		channelDesc = desc;
	}
};

/* What a fetch of a reference returns. */
template<class T, enum cudaTextureReadMode mode> struct softuvm_fetched {
	typedef T type;
};

template<class T> struct softuvm_fetched<T, cudaReadModeNormalizedFloat> {
	typedef typename softuvm_channel<T>::unit type;
};

/* ---- fetches ---------------------------------------------------------- */

extern "C" {
__device__ void __softuvm_fetch(const softuvm_texture *view, unsigned int *texel, int index);
__device__ void __softuvm_texture(const softuvm_texture *view, unsigned int *texel, int axes, float x,
				  float y, float z, int layer);
__device__ void __softuvm_gather(const softuvm_texture *view, unsigned int *texel, float x, float y,
				 int component);
}

/* Nothing is bound: zero.  A texel that is as the program wants it is loaded at once. */
template<class T> static inline __device__ T softuvm_fetch(const softuvm_texture *view, int index)
{
	unsigned int texel[4];

	if (!view)
		return T();
	if (view->texel == sizeof(T) && !view->unit && view->component == sizeof(T) / view->components)
		return (unsigned int)index < view->size[0] ? ((const T *)view->data)[index] : T();
	__softuvm_fetch(view, texel, index);
	return softuvm_texel<T>(texel);
}

template<class T> static inline __device__ T
softuvm_tex(const softuvm_texture *view, int axes, float x, float y, float z, int layer)
{
	unsigned int texel[4];

	if (!view)
		return T();
	__softuvm_texture(view, texel, axes, x, y, z, layer);
	return softuvm_texel<T>(texel);
}

template<class T> static inline __device__ T
softuvm_gather(const softuvm_texture *view, float x, float y, int component)
{
	unsigned int texel[4];

	if (!view)
		return T();
	__softuvm_gather(view, texel, x, y, component);
	return softuvm_texel<T>(texel);
}

/* By object with the result, by object with a pointer to it, and by reference. */
#define SOFTUVM_UNPACK(...)	__VA_ARGS__
#define SOFTUVM_TEXTURE(name, shape, function, parameters, arguments)			\
	template<class T> static inline __device__ T					\
	name(cudaTextureObject_t object, SOFTUVM_UNPACK parameters)			\
	{										\
		return function<T>((const softuvm_texture *)object,			\
				   SOFTUVM_UNPACK arguments);				\
	}										\
	template<class T> static inline __device__ void					\
	name(T *value, cudaTextureObject_t object, SOFTUVM_UNPACK parameters)		\
	{										\
		*value = function<T>((const softuvm_texture *)object,			\
				     SOFTUVM_UNPACK arguments);				\
	}										\
	template<class T, enum cudaTextureReadMode mode> static inline __device__	\
	typename softuvm_fetched<T, mode>::type						\
	name(texture<T, shape, mode> reference, SOFTUVM_UNPACK parameters)		\
	{										\
		return function<typename softuvm_fetched<T, mode>::type>(		\
			**(const softuvm_texture ***)&reference,			\
			SOFTUVM_UNPACK arguments);					\
	}

SOFTUVM_TEXTURE(tex1Dfetch, cudaTextureType1D, softuvm_fetch, (int index), (index))
SOFTUVM_TEXTURE(tex1D, cudaTextureType1D, softuvm_tex, (float x), (1, x, 0, 0, 0))
SOFTUVM_TEXTURE(tex2D, cudaTextureType2D, softuvm_tex, (float x, float y), (2, x, y, 0, 0))
SOFTUVM_TEXTURE(tex3D, cudaTextureType3D, softuvm_tex, (float x, float y, float z), (3, x, y, z, 0))
SOFTUVM_TEXTURE(tex1DLayered, cudaTextureType1DLayered, softuvm_tex, (float x, int layer),
		(1, x, 0, 0, layer))
SOFTUVM_TEXTURE(tex2DLayered, cudaTextureType2DLayered, softuvm_tex, (float x, float y, int layer),
		(2, x, y, 0, layer))
SOFTUVM_TEXTURE(tex2Dgather, cudaTextureType2D, softuvm_gather,
		(float x, float y, int component = 0), (x, y, component))

#undef SOFTUVM_TEXTURE
#undef SOFTUVM_UNPACK

/* ---- of the CPU's side ------------------------------------------------- */

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference, const void *data,
		const cudaChannelFormatDesc &desc, size_t bytes = 0xffffffff)
{
	return cudaBindTexture(offset, (const textureReference *)&reference, data, &desc, bytes);
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference, const void *data,
		size_t bytes = 0xffffffff)
{
	return cudaBindTexture(offset, reference, data, cudaCreateChannelDesc<T>(), bytes);
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference, const void *data,
		  const cudaChannelFormatDesc &desc, size_t width, size_t height, size_t pitch)
{
	return cudaBindTexture2D(offset, (const textureReference *)&reference, data, &desc, width,
				 height, pitch);
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference, const void *data,
		  size_t width, size_t height, size_t pitch)
{
	return cudaBindTexture2D(offset, reference, data, cudaCreateChannelDesc<T>(), width, height,
				 pitch);
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTextureToArray(const texture<T, type, mode> &reference, cudaArray_const_t array,
		       const cudaChannelFormatDesc &desc)
{
	return cudaBindTextureToArray((const textureReference *)&reference, array, &desc);
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaBindTextureToArray(const texture<T, type, mode> &reference, cudaArray_const_t array)
{
	return cudaBindTextureToArray(reference, array, cudaCreateChannelDesc<T>());
}

template<class T, int type, enum cudaTextureReadMode mode> static inline cudaError_t
cudaUnbindTexture(const texture<T, type, mode> &reference)
{
	return cudaUnbindTexture((const textureReference *)&reference);
}

#endif
