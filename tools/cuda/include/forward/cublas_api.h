/* SPDX-License-Identifier: GPL-2.0 */
#include "cublas_v2.h"
