/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where what belongs to this command lies.  It is found from where the command itself is, so that a
 * tree can be copied or moved with what is built in it:
 *
 *   DIR/uvm            libraries in DIR, tools where DIR/sources leads (a build)
 *   PREFIX/bin/uvm     libraries in PREFIX/lib/softuvm, tools where its "sources" leads (installed)
 */
#ifndef UVM_PLACES_H
#define UVM_PLACES_H

#include <stdbool.h>
#include <stddef.h>

/** places_tools() - the folder with headers, scripts and kernels: $UVM_TOOLS, else as above */
const char *places_tools(void);

/** places_libraries() - that with libuvm.a and what CUDA programs need: $UVM_LIBRARIES, else as above */
const char *places_libraries(void);

/**
 * places_have() - whether the libraries have a file; if not, an error says what builds it
 * @name: of the file
 */
bool places_have(const char *name);

/**
 * places_path() - snprintf() for paths
 * @path: the path
 * @room: bytes there
 * @format: likewise
 *
 * Return: false, and said, if the path is too long: what is cut may be another file's.
 */
bool __attribute__((format(printf, 3, 4))) places_path(char *path, size_t room, const char *format, ...);

/** places_version() - what this was built from, or "unknown" */
const char *places_version(void);

#endif
