/* SPDX-License-Identifier: GPL-2.0 */
/* What NVIDIA's header of this name declares is in cuda_runtime.h. */
#include "cuda_runtime.h"
