// SPDX-License-Identifier: GPL-2.0
/* Kernel images linked into the program: libuvm-kernels.a. */
#include <errno.h>
#include <string.h>

#include "../internal.h"

const struct uvm_image *uvm_find_image(const char *name)
{
	const struct uvm_image *i;

	for (i = uvm_images(); i->name; i++)
		if (!strcmp(i->name, name))
			return i;
	return NULL;
}

int uvm_load_builtin(struct uvm *u, int gpu, const char *name, uint32_t *id)
{
	const struct uvm_image *image = uvm_find_image(name);

	if (!image)
		return uvm_fail(u, ENOENT, "built-in kernel image '%s'", name);
	return uvm_load_image(u, gpu, image->data, image->bytes, id);
}
