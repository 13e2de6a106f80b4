/* SPDX-License-Identifier: GPL-2.0 */
/* mmap, munmap and the CPU fault entry. */
#ifndef UVM_VMA_H
#define UVM_VMA_H

struct file;
struct vm_area_struct;

int uvm_vma_mmap(struct file *file, struct vm_area_struct *vma);

#endif
