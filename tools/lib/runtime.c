// SPDX-License-Identifier: GPL-2.0
/* Opening and closing a VA space with its GPUs; errors in words. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"

/* Of uvm_open(), which has no struct uvm to keep it in. */
static _Thread_local char open_error[256];

int uvm_fail(struct uvm *u, int err, const char *format, ...)
{
	char *text = u ? u->error : open_error;
	va_list args;
	int used;

	va_start(args, format);
	used = vsnprintf(text, sizeof(open_error), format, args);
	va_end(args);
	if (err && used >= 0 && (size_t)used < sizeof(open_error))
		snprintf(text + used, sizeof(open_error) - used, ": %s", strerror(err));
	return -err;
}

const char *uvm_last_error(const struct uvm *u)
{
	return u ? u->error : open_error;
}

int uvm_fd(const struct uvm *u)
{
	return u->fd;
}

int uvm_gpu_fd(const struct uvm *u, int gpu)
{
	if (gpu < 0 || gpu >= UVM_GPU_MAX || u->gpu_fd[gpu] < 0)
		return -ENODEV;
	return u->gpu_fd[gpu];
}

int uvm_gpu_count(void)
{
	char path[32];
	int count;

	for (count = 0; count < UVM_GPU_MAX; count++) {
		snprintf(path, sizeof(path), "/dev/softgpu%d", count);
		if (access(path, F_OK))
			break;
	}
	return count;
}

static int runtime_register_gpu(struct uvm *u, int gpu, int fd)
{
	struct uvm_register_gpu reg = { .size = sizeof(reg), .softgpu_fd = fd };

	if (ioctl(u->fd, UVM_IOC_REGISTER_GPU, &reg))
		return uvm_fail(u, errno, "register gpu %d", gpu);
	if (reg.gpu != gpu)
		return uvm_fail(u, EPROTO, "/dev/softgpu%d calls itself gpu %d", gpu, reg.gpu);
	return 0;
}

int uvm_add_gpu(struct uvm *u, int gpu)
{
	char path[32];
	int fd, err;

	if (gpu < 0 || gpu >= UVM_GPU_MAX)
		return uvm_fail(u, EINVAL, "gpu %d", gpu);
	if (u->gpu_fd[gpu] >= 0)
		return 0;

	snprintf(path, sizeof(path), "/dev/softgpu%d", gpu);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return uvm_fail(u, errno, "%s", path);
	err = runtime_register_gpu(u, gpu, fd);
	if (err)
		close(fd);
	else
		u->gpu_fd[gpu] = fd;
	return err;
}

int uvm_remove_gpu(struct uvm *u, int gpu)
{
	struct uvm_unregister_gpu arg = { .size = sizeof(arg), .gpu = gpu };
	const struct uvm_allocation *a;

	if (uvm_gpu_fd(u, gpu) < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	for (a = u->allocations; a; a = a->next)
		if (a->kind != UVM_MEMORY_MANAGED && a->gpu == gpu)
			return uvm_fail(u, EBUSY, "gpu %d has memory '%s'", gpu, a->name);
	if (ioctl(u->fd, UVM_IOC_UNREGISTER_GPU, &arg))
		return uvm_fail(u, errno, "unregister gpu %d", gpu);

	uvm_timeline_stop(u, gpu);
	uvm_forget_launches(u, gpu);
	close(u->gpu_fd[gpu]);
	u->gpu_fd[gpu] = -1;
	return 0;
}

static void runtime_init_reader(struct uvm_reader *reader)
{
	reader->fd = -1;
	pthread_mutex_init(&reader->lock, NULL);
}

int uvm_open(struct uvm **out, const int *gpus, int count)
{
	struct uvm *u;
	int i, err;

	*out = NULL;
	u = calloc(1, sizeof(*u));
	if (!u)
		return uvm_fail(NULL, ENOMEM, "open");

	runtime_init_reader(&u->events);
	u->pending_tail = &u->pending;
	u->gap = UVM_BLOCK_SIZE;
	for (i = 0; i < UVM_GPU_MAX; i++) {
		u->gpu_fd[i] = -1;
		runtime_init_reader(&u->timelines[i].reader);
	}
	pthread_mutex_init(&u->alloc_lock, NULL);

	u->fd = open("/dev/uvm", O_RDWR | O_CLOEXEC);
	if (u->fd < 0) {
		err = uvm_fail(NULL, errno, "/dev/uvm (is the uvm module loaded?)");
		goto fail;
	}

	for (i = 0; i < count; i++) {
		err = uvm_add_gpu(u, gpus[i]);
		if (err) {
			memcpy(open_error, u->error, sizeof(open_error));
			goto fail;
		}
	}

	*out = u;
	return 0;
fail:
	uvm_close(u);
	return err;
}

void uvm_close(struct uvm *u)
{
	int i;

	if (!u)
		return;

	uvm_events_stop(u);
	for (i = 0; i < UVM_GPU_MAX; i++)
		uvm_timeline_stop(u, i);
	for (i = 0; i < UVM_GPU_MAX; i++)
		uvm_forget_launches(u, i);
	uvm_free_all(u);
	for (i = 0; i < UVM_GPU_MAX; i++) {
		if (u->gpu_fd[i] >= 0)
			close(u->gpu_fd[i]);
		pthread_mutex_destroy(&u->timelines[i].reader.lock);
	}
	if (u->fd >= 0)
		close(u->fd);
	pthread_mutex_destroy(&u->events.lock);
	pthread_mutex_destroy(&u->alloc_lock);
	free(u);
}
