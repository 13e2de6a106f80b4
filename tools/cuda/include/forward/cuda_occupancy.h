/* SPDX-License-Identifier: GPL-2.0 */
/* Thrust includes it and takes nothing from it.  Occupancy is asked of the runtime. */
#include "cuda_runtime_api.h"
