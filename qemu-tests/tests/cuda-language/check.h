/* SPDX-License-Identifier: GPL-2.0 */
/* What the programs here share: each says what is wrong, and ends with 1 if something is. */
#ifndef CUDA_LANGUAGE_CHECK_H
#define CUDA_LANGUAGE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

static int wrong;

/* A call of the runtime that must succeed. */
#define MUST(call) do {								\
	cudaError_t error_ = (call);						\
	if (error_ != cudaSuccess) {						\
		printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call,		\
		       cudaGetErrorString(error_));				\
		exit(1);							\
	}									\
} while (0)

#define CHECK(what, ...) do {							\
	if (!(what)) {								\
		wrong++;							\
		printf("%s:%d: not %s: ", __FILE__, __LINE__, #what);		\
		printf("" __VA_ARGS__);						\
		printf("\n");							\
	}									\
} while (0)

template<class T> static T *managed(size_t count)
{
	T *at;

	MUST(cudaMallocManaged(&at, count * sizeof(T)));
	for (size_t i = 0; i < count; i++)
		at[i] = T();
	return at;
}

#endif
