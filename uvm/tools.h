/* SPDX-License-Identifier: GPL-2.0 */
/* /dev/uvm-tools: event queues and counters. */
#ifndef UVM_TOOLS_H
#define UVM_TOOLS_H

int uvm_tools_init(void);
void uvm_tools_exit(void);

#endif
