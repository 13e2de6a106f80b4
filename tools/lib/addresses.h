/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where managed memory lives: addresses that exist on every kernel and that neither
 * the loader nor the kernel takes by itself.  User Mode Linux ends at 512 GB and puts
 * programs at two thirds of that.
 */
#ifndef UVM_ADDRESSES_H
#define UVM_ADDRESSES_H

#define UVM_ADDRESSES_START	0x1000000000UL	/* 64 GB */
#define UVM_ADDRESSES_END	0x5000000000UL	/* 320 GB */

#endif
