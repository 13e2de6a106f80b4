/* SPDX-License-Identifier: GPL-2.0 */
/* What the two files of a device link have of each other. */
#ifndef UNITS_H
#define UNITS_H

struct shape {
	__device__ virtual int sides() const = 0;
};

typedef int (*operation)(int);

extern __device__ int counter;
extern __constant__ int scale[4];
extern __managed__ int shared_by_all;
extern __device__ operation const operations[2];

__device__ int is_odd(unsigned int n);
__device__ int is_even(unsigned int n);
__device__ int sides_of(const shape *s);
__device__ int sum_of_block(int value);
__global__ void elsewhere(int *out);
void run_other(int *out);

/* In both files, and one in the image. */
template<class T> __device__ T twice(T x)
{
	return x + x;
}

template<class T> __global__ void doubles(T *x)
{
	*x = twice(*x);
}

#endif
