/* SPDX-License-Identifier: GPL-2.0 */
/* Textures: names and numbers of NVIDIA's documentation; and what a view of texels is in GPU memory. */
#ifndef SOFTUVM_TEXTURE_TYPES_H
#define SOFTUVM_TEXTURE_TYPES_H

#include <stddef.h>

#define cudaTextureType1D	0x01
#define cudaTextureType2D	0x02
#define cudaTextureType3D	0x03
#define cudaTextureType1DLayered	0xf1
#define cudaTextureType2DLayered	0xf2

enum cudaTextureAddressMode {
	cudaAddressModeWrap = 0,
	cudaAddressModeClamp = 1,
	cudaAddressModeMirror = 2,
	cudaAddressModeBorder = 3,
};

enum cudaTextureFilterMode {
	cudaFilterModePoint = 0,
	cudaFilterModeLinear = 1,
};

enum cudaTextureReadMode {
	cudaReadModeElementType = 0,
	cudaReadModeNormalizedFloat = 1,
};

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned = 0,
	cudaChannelFormatKindUnsigned = 1,
	cudaChannelFormatKindFloat = 2,
	cudaChannelFormatKindNone = 3,
};

/* Bits of each component. */
struct cudaChannelFormatDesc {
	int x, y, z, w;
	enum cudaChannelFormatKind f;
};

enum cudaResourceType {
	cudaResourceTypeArray = 0,
	cudaResourceTypeMipmappedArray = 1,
	cudaResourceTypeLinear = 2,
	cudaResourceTypePitch2D = 3,
};

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct {
			struct cudaArray *array;
		} array;
		struct {
			struct cudaMipmappedArray *mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width;
			size_t height;
			size_t pitchInBytes;
		} pitch2D;
	} res;
};

struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int seamlessCubemap;
};

struct cudaResourceViewDesc;

typedef unsigned long long cudaTextureObject_t;

/*
 * What a texture reference of the program has in common with others: on the CPU's side.  The last is
 * ours: what its type says of the values that are read.
 */
struct textureReference {
	int normalized;
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureAddressMode addressMode[3];
	struct cudaChannelFormatDesc channelDesc;
	int sRGB;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	enum cudaTextureReadMode softuvm_mode;
};

/**
 * struct softuvm_texture - in GPU memory: the texels that a texture or surface is of
 * @data: the first
 * @pitch: bytes from row to row
 * @slice: bytes from slice to slice, or from layer to layer
 * @size: texels of a row, rows, slices or layers; 1 where there is no such dimension
 * @texel: bytes of a texel
 * @border: value of the texels outside, as bits
 * @components: of a texel
 * @component: bytes of each
 * @kind: what they are, enum cudaChannelFormatKind
 * @unit: integers are read as numbers up to 1
 * @address: what lies outside, for each axis, enum cudaTextureAddressMode
 * @filter: enum cudaTextureFilterMode
 * @normalized: coordinates go from 0 to 1
 *
 * The value of a texture or surface object is its address.
 */
struct softuvm_texture {
	const char *data;
	unsigned long long pitch, slice;
	unsigned int size[3];
	unsigned int texel;
	unsigned int border[4];
	unsigned char components, component, kind, unit;
	unsigned char address[3], filter, normalized;
};

#endif
