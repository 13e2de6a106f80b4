/* SPDX-License-Identifier: GPL-2.0 */
/* What main.c needs of rm.c and debugfs.c. */
#ifndef SOFTGPU_RM_PRIV_H
#define SOFTGPU_RM_PRIV_H

struct rm_gpu;

/**
 * sgpu_rm_add - a GPU becomes visible
 * @gpu: its units are up
 */
void sgpu_rm_add(struct rm_gpu *gpu);

/**
 * sgpu_debugfs_init - make the folder of debugfs; without debugfs nothing happens here and below
 */
void sgpu_debugfs_init(void);

/**
 * sgpu_debugfs_exit - remove the folder and all in it
 */
void sgpu_debugfs_exit(void);

/**
 * sgpu_debugfs_add - knobs and counters of one GPU; gone with sgpu_debugfs_exit()
 * @gpu: its units are up, until then
 */
void sgpu_debugfs_add(struct rm_gpu *gpu);

#endif
