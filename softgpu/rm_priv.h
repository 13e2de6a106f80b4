/* SPDX-License-Identifier: GPL-2.0 */
/* What main.c needs of rm.c and debugfs.c. */
#ifndef SOFTGPU_RM_PRIV_H
#define SOFTGPU_RM_PRIV_H

struct rm_gpu;

/* A GPU whose units are up becomes visible. */
void sgpu_rm_add(struct rm_gpu *gpu);

void sgpu_debugfs_init(void);
void sgpu_debugfs_exit(void);
/* Knobs and counters of one GPU; gone with sgpu_debugfs_exit(). */
void sgpu_debugfs_add(struct rm_gpu *gpu);

#endif
