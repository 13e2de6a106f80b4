// SPDX-License-Identifier: GPL-2.0
/* Kernel images, launches, and waiting for them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"

#define LAUNCH_IMAGE_MAX	(16UL << 20)

static const char * const launch_reasons[] = {
	[SOFTGPU_FAIL_NONE] = "none",
	[SOFTGPU_FAIL_FAULT] = "wild access",
	[SOFTGPU_FAIL_MISALIGNED] = "misaligned access",
	[SOFTGPU_FAIL_WINDOW] = "access outside its stack, shared memory or constants",
	[SOFTGPU_FAIL_JUMP] = "jump outside the code",
	[SOFTGPU_FAIL_BARRIER] = "barrier reached unevenly",
	[SOFTGPU_FAIL_INSTRUCTION_LIMIT] = "instruction limit reached",
	[SOFTGPU_FAIL_CANCELLED] = "cancelled",
	[SOFTGPU_FAIL_TRAP] = "trap",
	[SOFTGPU_FAIL_NO_MEMORY] = "out of memory in fault service",
	[SOFTGPU_FAIL_HANG] = "hang",
};

const char *uvm_fail_reason_name(unsigned int reason)
{
	if (reason >= sizeof(launch_reasons) / sizeof(launch_reasons[0]))
		return "unknown";
	return launch_reasons[reason];
}

/* Without memory for it the line is not told. */
static void launch_note_image(struct uvm *u, int gpu, uint32_t id, const void *image, size_t bytes)
{
	struct uvm_loaded *l = malloc(sizeof(*l) + bytes);

	if (!l)
		return;
	l->gpu = gpu;
	l->id = id;
	l->bytes = bytes;
	memcpy(l->data, image, bytes);
	l->next = u->loaded;
	u->loaded = l;
}

/* Of one image, or with @id 0 of all that a GPU has. */
static void launch_forget_images(struct uvm *u, int gpu, uint32_t id)
{
	struct uvm_loaded **link = &u->loaded, *l;

	while ((l = *link)) {
		if (l->gpu != gpu || (id && l->id != id)) {
			link = &l->next;
			continue;
		}
		*link = l->next;
		free(l);
	}
}

int uvm_load_image(struct uvm *u, int gpu, const void *image, size_t bytes, uint32_t *id)
{
	struct softgpu_load load = {
		.size = sizeof(load), .image = (uintptr_t)image, .image_bytes = bytes,
	};
	int fd = uvm_gpu_fd(u, gpu);

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_LOAD, &load)) {
		if (errno != ENOEXEC)
			return uvm_fail(u, errno, "load of a kernel image");
		return uvm_fail(u, ENOEXEC, "kernel image refused at %#llx",
				(unsigned long long)load.error_offset);
	}
	*id = load.image_id;
	launch_note_image(u, gpu, *id, image, bytes);
	return 0;
}

/* "; at FILE:LINE in FUNCTION" of a pc, or "" if its image does not know. */
static void launch_source_line(const struct uvm *u, const struct uvm_pending *p, uint64_t pc,
			       char *text, size_t room)
{
	static const char lead[] = "; at ";
	const struct uvm_loaded *l;

	text[0] = 0;
	for (l = u->loaded; l; l = l->next) {
		if (l->gpu != p->gpu || l->id != p->image)
			continue;
		if (uvm_source_line(l->data, l->bytes, pc, text + strlen(lead), room - strlen(lead)))
			memcpy(text, lead, strlen(lead));
		return;
	}
}

int uvm_load_image_file(struct uvm *u, int gpu, const char *path, uint32_t *id)
{
	FILE *file = fopen(path, "rb");
	void *data = NULL;
	size_t bytes;
	int err;

	if (!file)
		return uvm_fail(u, errno, "%s", path);

	data = malloc(LAUNCH_IMAGE_MAX);
	if (!data) {
		err = uvm_fail(u, ENOMEM, "%s", path);
		goto out;
	}
	bytes = fread(data, 1, LAUNCH_IMAGE_MAX, file);
	if (ferror(file) || fgetc(file) != EOF) {
		err = uvm_fail(u, ferror(file) ? EIO : EFBIG, "%s", path);
		goto out;
	}
	err = uvm_load_image(u, gpu, data, bytes, id);
out:
	free(data);
	fclose(file);
	return err;
}

int uvm_unload_image(struct uvm *u, int gpu, uint32_t id)
{
	struct softgpu_unload unload = { .size = sizeof(unload), .image_id = id };
	int fd = uvm_gpu_fd(u, gpu);

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_UNLOAD, &unload))
		return uvm_fail(u, errno, "unload of image %u", id);
	launch_forget_images(u, gpu, id);
	return 0;
}

static void launch_set_dim(__u32 *to, struct uvm_dim3 from)
{
	to[0] = from.x;
	to[1] = from.y ? from.y : 1;
	to[2] = from.z ? from.z : 1;
}

static int launch_explain(struct uvm *u, const struct uvm_pending *p,
			  const struct softgpu_wait *w)
{
	static const char * const accesses[] = { "read", "write", "atomic" };
	char where[64] = "", line[256];

	if (!u->found.failed) {
		u->found.failed = true;
		u->found.failure.gpu = p->gpu;
		u->found.failure.wait = *w;
		strcpy(u->found.failure.entry, p->entry);
	}
	if (w->reason == SOFTGPU_FAIL_FAULT || w->reason == SOFTGPU_FAIL_MISALIGNED ||
	    w->reason == SOFTGPU_FAIL_WINDOW)
		snprintf(where, sizeof(where), " (%s of %#llx)",
			 w->access < 3 ? accesses[w->access] : "access",
			 (unsigned long long)w->address);
	launch_source_line(u, p, w->pc, line, sizeof(line));
	return uvm_fail(u, w->error ? w->error : EIO,
			"kernel %s failed: %s%s, pc %#llx, block %llu, thread %llu%s", p->entry,
			uvm_fail_reason_name(w->reason), where, (unsigned long long)w->pc,
			(unsigned long long)w->block, (unsigned long long)w->thread, line);
}

static int launch_wait_one(struct uvm *u, const struct uvm_pending *p)
{
	struct softgpu_wait w = { .size = sizeof(w), .launch_id = p->id };

	if (ioctl(u->gpu_fd[p->gpu], SOFTGPU_IOC_WAIT, &w))
		return uvm_fail(u, errno, "wait for %s", p->entry);

	u->totals.launches++;
	u->totals.gpu_time_ns += w.end_ns - w.start_ns;
	u->totals.instructions += w.instructions;
	if (w.state == SOFTGPU_LAUNCH_DONE)
		return 0;
	return launch_explain(u, p, &w);
}

/* The first error is kept for uvm_synchronize(). */
static void launch_note(struct uvm *u, int err)
{
	if (!err || u->found.error)
		return;
	u->found.error = err;
	memcpy(u->found.text, u->error, sizeof(u->found.text));
}

/* Out of the list; not freed. */
static void launch_unlink(struct uvm *u, struct uvm_pending **link)
{
	struct uvm_pending *p = *link;

	*link = p->next;
	if (!p->next)
		u->pending_tail = link;
	u->pending_count[p->gpu]--;
}

/*
 * A launch that may be forgotten soon is waited for; it has ended, as the kernel queues fewer.
 * What uvm_synchronize() would have said of a failure it says all the same.
 */
static void launch_collect_oldest(struct uvm *u, int gpu)
{
	struct uvm_pending **link = &u->pending, *p;

	if (u->pending_count[gpu] < SOFTGPU_RESULTS_KEPT)
		return;
	while ((*link)->gpu != gpu)
		link = &(*link)->next;
	p = *link;
	launch_note(u, launch_wait_one(u, p));
	launch_unlink(u, link);
	free(p);
}

int uvm_launch(struct uvm *u, const struct uvm_launch_params *params)
{
	struct softgpu_launch l = {
		.size = sizeof(l), .image_id = params->image,
		.shared_bytes = params->shared_bytes, .args = (uintptr_t)params->args,
		.args_bytes = params->args_bytes,
		.instruction_limit = params->instruction_limit,
	};
	const char *name = params->name ? params->name : params->entry;
	int fd = uvm_gpu_fd(u, params->gpu);
	struct uvm_pending *p;

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", params->gpu);
	if (strlen(params->entry) >= sizeof(l.entry))
		return uvm_fail(u, EINVAL, "launch of %s", name);

	p = calloc(1, sizeof(*p));
	if (!p)
		return uvm_fail(u, ENOMEM, "launch of %s", name);

	strcpy(l.entry, params->entry);
	launch_set_dim(l.grid, params->grid);
	launch_set_dim(l.block, params->block);
	if (ioctl(fd, SOFTGPU_IOC_LAUNCH, &l)) {
		free(p);
		return uvm_fail(u, errno, "launch of %s", name);
	}

	p->gpu = params->gpu;
	p->id = l.launch_id;
	p->image = params->image;
	snprintf(p->entry, sizeof(p->entry), "%s", name);
	*u->pending_tail = p;
	u->pending_tail = &p->next;
	u->pending_count[p->gpu]++;
	u->last_launch[p->gpu] = p->id;
	launch_collect_oldest(u, p->gpu);
	return 0;
}

uint64_t uvm_last_launch(const struct uvm *u, int gpu)
{
	return gpu >= 0 && gpu < UVM_GPU_MAX ? u->last_launch[gpu] : 0;
}

int uvm_launch_state(struct uvm *u, int gpu, uint64_t id, bool wait, struct softgpu_wait *state)
{
	int fd = uvm_gpu_fd(u, gpu);

	*state = (struct softgpu_wait){
		.size = sizeof(*state), .flags = wait ? 0 : SOFTGPU_WAIT_POLL, .launch_id = id,
	};
	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_WAIT, state))
		return uvm_fail(u, errno, "state of launch %llu", (unsigned long long)id);
	return 0;
}

int uvm_wait_launches(struct uvm *u, int gpu)
{
	const struct uvm_pending *p;

	for (p = u->pending; p; p = p->next) {
		struct softgpu_wait w = { .size = sizeof(w), .launch_id = p->id };

		if (p->gpu == gpu && ioctl(u->gpu_fd[gpu], SOFTGPU_IOC_WAIT, &w))
			return uvm_fail(u, errno, "wait for %s", p->entry);
	}
	return 0;
}

int uvm_synchronize(struct uvm *u)
{
	struct uvm_pending *p;
	int first;

	while (u->pending) {
		p = u->pending;
		launch_note(u, launch_wait_one(u, p));
		launch_unlink(u, &u->pending);
		free(p);
	}
	u->failed = u->found.failed;
	u->failure = u->found.failure;
	first = u->found.error;
	if (first)
		memcpy(u->error, u->found.text, sizeof(u->error));
	u->found = (struct uvm_found){ 0 };
	return first;
}

void uvm_forget_launches(struct uvm *u, int gpu)
{
	struct uvm_pending **link = &u->pending, *p;

	launch_forget_images(u, gpu, 0);
	u->last_launch[gpu] = 0;
	u->last_copy[gpu] = 0;
	while ((p = *link)) {
		if (p->gpu != gpu) {
			link = &p->next;
			continue;
		}
		launch_unlink(u, link);
		free(p);
	}
}

long uvm_gpu_output(struct uvm *u, int gpu, char *text, size_t room)
{
	int fd = uvm_gpu_fd(u, gpu);
	ssize_t got;

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	got = read(fd, text, room);
	if (got < 0)
		return uvm_fail(u, errno, "output of gpu %d", gpu);
	return got;
}

const struct uvm_failure *uvm_failure(const struct uvm *u)
{
	return u->failed ? &u->failure : NULL;
}

struct uvm_totals uvm_launch_totals(const struct uvm *u)
{
	return u->totals;
}

void uvm_reset_totals(struct uvm *u)
{
	memset(&u->totals, 0, sizeof(u->totals));
}
