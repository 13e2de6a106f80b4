// SPDX-License-Identifier: GPL-2.0
/* Information about GPUs; parameters and counters of the driver. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "internal.h"
#include "nearest.h"

#define UVM_PARAMS_SHOWN	128	/* more than there are */

static int control_peers(struct uvm *u, int a, int b, unsigned long cmd, const char *what)
{
	struct uvm_peer_access arg = { .size = sizeof(arg), .gpu_a = a, .gpu_b = b };

	if (ioctl(u->fd, cmd, &arg))
		return uvm_fail(u, errno, "%s peer access of gpu %d and gpu %d", what, a, b);
	return 0;
}

int uvm_enable_peer_access(struct uvm *u, int a, int b)
{
	return control_peers(u, a, b, UVM_IOC_ENABLE_PEER_ACCESS, "enable");
}

int uvm_disable_peer_access(struct uvm *u, int a, int b)
{
	return control_peers(u, a, b, UVM_IOC_DISABLE_PEER_ACCESS, "disable");
}

int uvm_gpu_info(struct uvm *u, int gpu, struct softgpu_info *info)
{
	int fd = uvm_gpu_fd(u, gpu);

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_INFO, info))
		return uvm_fail(u, errno, "info of gpu %d", gpu);
	return 0;
}

int uvm_gpu_profile(struct uvm *u, int gpu, uint32_t index,
		    struct softgpu_profile_entry *entry)
{
	int fd = uvm_gpu_fd(u, gpu);

	memset(entry, 0, sizeof(*entry));
	entry->size = sizeof(*entry);
	entry->index = index;
	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_PROFILE, entry))
		return uvm_fail(u, errno, "profile of gpu %d", gpu);
	return 0;
}

int uvm_vram_limit(struct uvm *u, int gpu, uint64_t bytes, uint64_t *usable)
{
	struct softgpu_vram_limit limit = { .size = sizeof(limit), .bytes = bytes };
	int fd = uvm_gpu_fd(u, gpu);

	if (fd < 0)
		return uvm_fail(u, ENODEV, "gpu %d", gpu);
	if (ioctl(fd, SOFTGPU_IOC_VRAM_LIMIT, &limit))
		return uvm_fail(u, errno, "limit of %llu bytes on gpu %d%s",
				(unsigned long long)bytes, gpu, errno == ENOMEM ?
				": without CAP_SYS_RESOURCE a user pins at most "
				"softgpu.user_percent of its memory" : "");
	if (usable)
		*usable = limit.usable_bytes;
	return 0;
}

/* What was wrong with "name=value": the name meant, or the values that there are. */
static int uvm_param_refused(struct uvm *u, int err, const char *name, const char *value)
{
	struct nearest n = { .word = name };
	struct uvm_get_param p[UVM_PARAMS_SHOWN];
	char hint[96], values[512];
	uint32_t i;

	for (i = 0; i < UVM_PARAMS_SHOWN && !uvm_param_get(u, i, &p[i]); i++) {
		nearest_try(&n, p[i].name);
		if (err == EINVAL && !strcmp(p[i].name, name))
			return uvm_fail(u, EINVAL, "%s=%s: it must be %s", name, value,
					uvm_param_values(u, &p[i], values, sizeof(values)));
	}
	if (err == ENOENT)
		return uvm_fail(u, ENOENT, "no such parameter '%s'%s", name,
				nearest_hint(&n, hint, sizeof(hint)));
	return uvm_fail(u, err, "%s=%s", name, value);
}

int uvm_param_set(struct uvm *u, const char *name, const char *value)
{
	struct uvm_set_param p = { .size = sizeof(p) };

	if (strlen(name) >= sizeof(p.name) || strlen(value) >= sizeof(p.value))
		return uvm_fail(u, EINVAL, "%s=%s", name, value);
	strcpy(p.name, name);
	strcpy(p.value, value);
	if (!ioctl(u->fd, UVM_IOC_SET_PARAM, &p))
		return 0;
	return uvm_param_refused(u, errno, name, value);
}

int uvm_param_get(struct uvm *u, uint32_t index, struct uvm_get_param *param)
{
	memset(param, 0, sizeof(*param));
	param->size = sizeof(*param);
	param->index = index;
	if (ioctl(u->fd, UVM_IOC_GET_PARAM, param))
		return uvm_fail(u, errno, "parameter %u", index);
	return 0;
}

int uvm_choice_get(struct uvm *u, uint32_t param, uint32_t index, struct uvm_get_choice *choice)
{
	memset(choice, 0, sizeof(*choice));
	choice->size = sizeof(*choice);
	choice->param = param;
	choice->choice = index;
	if (ioctl(u->fd, UVM_IOC_GET_CHOICE, choice))
		return uvm_fail(u, errno, "choice %u of parameter %u", index, param);
	return 0;
}

int uvm_policy_number(struct uvm *u, int gpu, uint32_t index, struct uvm_get_policy_number *number)
{
	memset(number, 0, sizeof(*number));
	number->size = sizeof(*number);
	number->gpu = gpu;
	number->index = index;
	if (ioctl(u->fd, UVM_IOC_GET_POLICY_NUMBER, number))
		return uvm_fail(u, errno, "number %u of GPU %d's policy", index, gpu);
	return 0;
}

int uvm_set_stays(struct uvm *u, int gpu, const struct uvm_page_stays *pages,
		    uint32_t nr_pages, const uint32_t *ends, uint32_t nr_stays)
{
	struct uvm_set_stays arg = {
		.size = sizeof(arg), .gpu = gpu, .nr_pages = nr_pages,
		.pages = (uintptr_t)pages, .ends = (uintptr_t)ends,
		.nr_stays = nr_stays,
	};

	if (ioctl(u->fd, UVM_IOC_SET_STAYS, &arg))
		return uvm_fail(u, errno, "stays of %u pages", nr_pages);
	return 0;
}

int uvm_set_uses(struct uvm *u, int gpu, const struct uvm_uses *uses)
{
	struct uvm_set_uses arg = {
		.size = sizeof(arg), .gpu = gpu, .nr_used = uses->nr_used,
		.used = (uintptr_t)uses->used, .uses = (uintptr_t)uses->uses,
		.launches = (uintptr_t)uses->launches, .nr_uses = uses->nr_uses,
		.nr_launches = uses->nr_launches,
	};

	if (ioctl(u->fd, UVM_IOC_SET_USES, &arg))
		return uvm_fail(u, errno, "uses of %u times 64 KB", uses->nr_used);
	return 0;
}

char *uvm_param_values(struct uvm *u, const struct uvm_get_param *param, char *text, size_t size)
{
	struct uvm_get_choice c;
	size_t at = 0;

	if (!param->choices)
		snprintf(text, size, "%lld...%lld", (long long)param->min, (long long)param->max);
	for (uint32_t i = 0; i < param->choices && at < size; i++) {
		if (uvm_choice_get(u, param->index, i, &c))
			break;
		at += (size_t)snprintf(text + at, size - at, "%s%s", i ? "|" : "", c.name);
	}
	/* what has no room is not to look like a choice */
	if (at >= size && size > sizeof("..."))
		strcpy(text + size - sizeof("..."), "...");
	return text;
}

int uvm_stats_read(struct uvm *u, struct uvm_stats *stats, bool reset)
{
	memset(stats, 0, sizeof(*stats));
	stats->size = sizeof(*stats);
	stats->flags = reset ? UVM_STATS_RESET : 0;
	if (ioctl(u->fd, UVM_IOC_STATS, stats))
		return uvm_fail(u, errno, "stats");
	return 0;
}

int uvm_gpu_stats(int gpu, struct uvm_stats *stats)
{
	struct uvm_tools_gpu_stats s = { .size = sizeof(s), .gpu = gpu };
	int fd, err = 0;

	s.stats.size = sizeof(s.stats);
	fd = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return uvm_fail(NULL, errno, "/dev/uvm-tools (is the uvm module loaded?)");
	if (ioctl(fd, UVM_TOOLS_IOC_GPU_STATS, &s))
		err = uvm_fail(NULL, errno, "stats of gpu %d", gpu);
	close(fd);
	*stats = s.stats;
	return err;
}

int uvm_processor_counters(struct uvm *u, int processor, struct uvm_counters *counters)
{
	struct uvm_tools_counters c = {
		.size = sizeof(c), .uvm_fd = u ? u->fd : -1, .processor = processor,
	};
	int fd, err = 0;

	fd = open("/dev/uvm-tools", O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return uvm_fail(u, errno, "/dev/uvm-tools (is the uvm module loaded?)");
	if (ioctl(fd, UVM_TOOLS_IOC_COUNTERS, &c))
		err = uvm_fail(u, errno, "counters of processor %d", processor);
	close(fd);
	*counters = c.counters;
	return err;
}

int uvm_wait_quiet(struct uvm *u)
{
	struct uvm_quiesce q = { .size = sizeof(q) };

	if (ioctl(u->fd, UVM_IOC_QUIESCE, &q))
		return uvm_fail(u, errno, "quiesce");
	return 0;
}

const char *uvm_phase_name(unsigned int phase)
{
	static const char * const names[UVM_PHASE_COUNT] = {
		[UVM_PHASE_FETCH] = "fetch",
		[UVM_PHASE_PREPROCESS] = "preprocess",
		[UVM_PHASE_SERVICE] = "service",
		[UVM_PHASE_PMA_ALLOC] = "pma_alloc",
		[UVM_PHASE_POPULATE] = "populate",
		[UVM_PHASE_CPU_UNMAP] = "cpu_unmap",
		[UVM_PHASE_COPY] = "copy",
		[UVM_PHASE_MAP] = "map",
		[UVM_PHASE_EVICT] = "evict",
		[UVM_PHASE_REPLAY] = "replay",
		[UVM_PHASE_CPU_FAULT] = "cpu_fault",
		[UVM_PHASE_MIGRATE] = "migrate",
	};

	return phase < UVM_PHASE_COUNT ? names[phase] : NULL;
}
