/* SPDX-License-Identifier: GPL-2.0 */
/* GPUs: made at module load, gone at unload. */
#ifndef UVM_GPU_INIT_H
#define UVM_GPU_INIT_H

int uvm_gpus_init(void);
void uvm_gpus_exit(void);

#endif
