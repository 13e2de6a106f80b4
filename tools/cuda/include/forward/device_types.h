/* SPDX-License-Identifier: GPL-2.0 */
/* What programs look for here is with the rest. */
#include "cuda_runtime_api.h"
