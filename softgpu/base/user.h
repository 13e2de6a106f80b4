/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of rm_user_take(), for tests. */
#ifndef SOFTGPU_USER_H
#define SOFTGPU_USER_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct rm_user;

/**
 * sgpu_user_limit - what one user can have
 * @total: bytes that there are
 *
 * Return: softgpu.user_percent of them.
 */
u64 sgpu_user_limit(u64 total);

/**
 * sgpu_user_get - as rm_user_get(), for a certain user, whatever the current one may do
 * @uid: the user
 * @user: out
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int sgpu_user_get(kuid_t uid, struct rm_user **user);

#endif
