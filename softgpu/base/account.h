/* SPDX-License-Identifier: GPL-2.0 */
/* The rule of rm_charge(), for tests. */
#ifndef SOFTGPU_ACCOUNT_H
#define SOFTGPU_ACCOUNT_H

#include <linux/types.h>

/**
 * sgpu_account_fits - may a user have more kernel memory?
 * @used: bytes that he has
 * @bytes: how many more
 * @limit: the most that he may have
 *
 * Return: true if the sum is at most @limit.
 */
bool sgpu_account_fits(u64 used, u64 bytes, u64 limit);

#endif
