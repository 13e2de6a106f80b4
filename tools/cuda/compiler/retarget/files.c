// SPDX-License-Identifier: GPL-2.0
/* The files of an image: one, or those of a device link (nvcc -rdc=true). */
#include <llvm-c/IRReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "retarget.h"

/* What clang puts behind the name of a static variable that the CPU's half is to find. */
#define STATIC_MARK	"__static__"

LLVMModuleRef retarget_read(LLVMContextRef context, const char *path)
{
	LLVMMemoryBufferRef buffer;
	LLVMModuleRef module;
	char *error = NULL;

	if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error) ||
	    LLVMParseIRInContext(context, buffer, &module, &error)) {
		fprintf(stderr, "uvm-retarget: %s: %s\n", path, error);
		exit(2);
	}
	return module;
}

/* Uses of a static variable that stand before its definition have the name without the mark. */
static void join_static(LLVMModuleRef module, LLVMValueRef marked)
{
	const char *name = LLVMGetValueName(marked), *mark = strstr(name, STATIC_MARK);
	char *plain = retarget_need(strndup(name, mark - name));
	LLVMValueRef used = LLVMGetNamedGlobal(module, plain);

	free(plain);
	if (used && LLVMIsDeclaration(used))
		LLVMReplaceAllUsesWith(used, LLVMConstPointerCast(marked, LLVMTypeOf(used)));
}

static void join_statics(LLVMModuleRef module)
{
	LLVMValueRef g;

	for (g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
		if (strstr(LLVMGetValueName(g), STATIC_MARK))
			join_static(module, g);
}

static void say_linked(LLVMDiagnosticInfoRef info, void *arg)
{
	char *text = LLVMGetDiagInfoDescription(info);
	char *name = strstr(text, "'_Z"), *end = name ? strchr(name + 1, '\'') : NULL;
	char *plain = NULL;

	(void)arg;
	if (end) {
		*end = '\0';
		plain = __cxa_demangle(name + 1, NULL, NULL, NULL);
		*end = '\'';
	}
	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && plain)
		fprintf(stderr, "error: device code: %.*s'%s%s\n", (int)(name - text), text, plain,
			end);
	else if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
		fprintf(stderr, "error: device code: %s\n", text);
	free(plain);
	LLVMDisposeMessage(text);
}

/* What two files define is said, and ends it. */
LLVMModuleRef retarget_files(struct retarget *r, char **paths)
{
	LLVMModuleRef all = NULL, module;

	LLVMContextSetDiagnosticHandler(r->context, say_linked, NULL);
	for (; *paths; paths++) {
		module = retarget_read(r->context, *paths);
		join_statics(module);
		if (all && LLVMLinkModules2(all, module))
			exit(1);
		if (!all)
			all = module;
	}
	return all;
}
