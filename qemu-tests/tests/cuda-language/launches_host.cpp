// SPDX-License-Identifier: GPL-2.0
/* C++ of the host alone, which knows the runtime. */
#include <cuda_runtime.h>
#include "launches.h"

int of_no_device_file(void)
{
	int count = 0;

	return cudaGetDeviceCount(&count) == cudaSuccess && count > 0 ? 7 : 0;
}
