/* SPDX-License-Identifier: GPL-2.0 */
/* What KUnit tests of the dispatcher of ioctls (<softgpu/door.h>) alone. */
#ifndef SOFTGPU_DOOR_PRIV_H
#define SOFTGPU_DOOR_PRIV_H

#include <softgpu/door.h>

/**
 * door_row_of - the row of an ioctl
 * @door: the door
 * @cmd: the ioctl
 *
 * Return: the row, NULL if there is none.
 */
const struct door_row *door_row_of(const struct door *door, unsigned int cmd);

/**
 * door_run - refuse a call, or do it, between the two copies
 * @door: the door
 * @row: the row
 * @file: the file
 * @arg: kernel copy of the struct
 *
 * Return: as &struct door_row says, or what its function returns.
 */
int door_run(const struct door *door, const struct door_row *row, struct file *file, void *arg);

#endif
