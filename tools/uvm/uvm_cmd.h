/* SPDX-License-Identifier: GPL-2.0 */
/* The subcommands of `uvm`, and its exit statuses. */
#ifndef UVM_CMD_H
#define UVM_CMD_H

#include <stdint.h>

#define EXIT_OK		0	/* done; results verified */
#define EXIT_WRONG	1	/* a result is wrong, or a probed launch failed */
#define EXIT_USAGE	2	/* bad command line or script */
#define EXIT_DEVICE	3	/* the device or the driver reported an error */

int cmd_run(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_arena(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_compare(int argc, char **argv);

/* "1.5 MB": the largest unit that leaves at least 1, powers of 1024. */
const char *format_bytes(uint64_t bytes, char *text, unsigned int room);

/* "12.3 us" */
const char *format_ns(uint64_t ns, char *text, unsigned int room);

#endif
