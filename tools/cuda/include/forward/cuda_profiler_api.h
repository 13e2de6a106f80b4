/* SPDX-License-Identifier: GPL-2.0 */
/* cudaProfilerStart() and cudaProfilerStop() are with the rest. */
#include "cuda_runtime_api.h"
