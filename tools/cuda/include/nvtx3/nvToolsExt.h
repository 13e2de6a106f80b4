/* SPDX-License-Identifier: GPL-2.0 */
/* Where CUDA 10 and later have it. */
#include "../nvToolsExt.h"
