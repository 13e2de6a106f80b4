/* SPDX-License-Identifier: GPL-2.0 */
/* threadIdx and its like as values: clang's header declares these, with our types. */
#ifndef SOFTUVM_DEVICE_VARIABLES_H
#define SOFTUVM_DEVICE_VARIABLES_H

#define SOFTUVM_AS_VALUE(variable)						\
	inline __device__ variable::operator dim3() const { return dim3(x, y, z); }	\
	inline __device__ variable::operator uint3() const { return uint3{ x, y, z }; }

SOFTUVM_AS_VALUE(__cuda_builtin_threadIdx_t)
SOFTUVM_AS_VALUE(__cuda_builtin_blockIdx_t)
SOFTUVM_AS_VALUE(__cuda_builtin_blockDim_t)
SOFTUVM_AS_VALUE(__cuda_builtin_gridDim_t)

#undef SOFTUVM_AS_VALUE

#endif
