/* SPDX-License-Identifier: GPL-2.0 */
/* The rules of rm_user_take(), for tests. */
#ifndef SOFTGPU_USER_H
#define SOFTGPU_USER_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct rm_user;

/* What one user can have of @total bytes. */
u64 sgpu_user_limit(u64 total);
/* As rm_user_get(), for a certain user, whatever the current one may do. */
int sgpu_user_get(kuid_t uid, struct rm_user **user);

#endif
