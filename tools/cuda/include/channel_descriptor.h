/* SPDX-License-Identifier: GPL-2.0 */
/* What the texels of a C++ type are: also for what the CPU's compiler compiles. */
#ifndef SOFTUVM_CHANNEL_DESCRIPTOR_H
#define SOFTUVM_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus

/* Components of a type: how many, which, what they are, and the type that they are as numbers up to 1. */
template<class T> struct softuvm_channel;

#define SOFTUVM_CHANNEL(type, part, count, format, number)				\
	template<> struct softuvm_channel<type> {					\
		enum { n = count };							\
		typedef part component;							\
		typedef number unit;							\
		static inline __host__ cudaChannelFormatDesc of()			\
		{									\
			int bits = 8 * (int)sizeof(part);				\
											\
			return cudaCreateChannelDesc(bits, n > 1 ? bits : 0,		\
				n > 2 ? bits : 0, n > 3 ? bits : 0,			\
				cudaChannelFormatKind##format);				\
		}									\
	};
#define SOFTUVM_CHANNELS(name, part, format)						\
	SOFTUVM_CHANNEL(part, part, 1, format, float)					\
	SOFTUVM_CHANNEL(name##1, part, 1, format, float1)				\
	SOFTUVM_CHANNEL(name##2, part, 2, format, float2)				\
	SOFTUVM_CHANNEL(name##4, part, 4, format, float4)

SOFTUVM_CHANNELS(char, signed char, Signed)
SOFTUVM_CHANNELS(uchar, unsigned char, Unsigned)
SOFTUVM_CHANNELS(short, short, Signed)
SOFTUVM_CHANNELS(ushort, unsigned short, Unsigned)
SOFTUVM_CHANNELS(int, int, Signed)
SOFTUVM_CHANNELS(uint, unsigned int, Unsigned)
SOFTUVM_CHANNELS(float, float, Float)
SOFTUVM_CHANNEL(char, char, 1, Signed, float)

#undef SOFTUVM_CHANNELS
#undef SOFTUVM_CHANNEL

template<class T> static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc()
{
	return softuvm_channel<T>::of();
}

static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
	return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

#endif
#endif
