/* SPDX-License-Identifier: GPL-2.0 */
void of_another_file(int *out);
int of_no_device_file(void);
