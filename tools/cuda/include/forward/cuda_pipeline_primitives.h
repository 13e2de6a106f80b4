/* SPDX-License-Identifier: GPL-2.0 */
/* A name that programs include it by. */
#include "cuda_pipeline.h"
