/* SPDX-License-Identifier: GPL-2.0 */
/* A line on stderr now and then while something takes long. */
#ifndef UVM_PROGRESS_H
#define UVM_PROGRESS_H

/* Start saying every few seconds that @what goes on; texts must stay valid. */
void progress_start(const char *what);
void progress_stage(const char *stage);
void progress_stop(void);

#endif
