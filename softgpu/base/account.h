/* SPDX-License-Identifier: GPL-2.0 */
/* The rule of rm_charge(), for tests. */
#ifndef SOFTGPU_ACCOUNT_H
#define SOFTGPU_ACCOUNT_H

#include <linux/types.h>

/* May somebody who has @used have @bytes more? */
bool sgpu_account_fits(u64 used, u64 bytes, u64 limit);

#endif
