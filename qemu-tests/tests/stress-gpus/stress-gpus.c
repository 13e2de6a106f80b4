// SPDX-License-Identifier: GPL-2.0
/*
 * Processes, four of them, each with a VA space on all GPUs, which are too small for
 * them: random advice, migration, launches, touches of the CPU, munmap, fork, guests in
 * the VA space, GPUs that come and go, and SIGKILL at any time.  What memory holds is
 * known and looked at by all processors.
 *
 *	stress-gpus SECONDS [SEED [PROCESSES]]
 *
 * Says every ten seconds what each process is doing and since when.  One that does not
 * end a step is a failure; where it is in the kernel is shown.
 */
#include "stress_model.h"
#include "stress_steps.h"

#include <dirent.h>
#include <sys/prctl.h>

#define WORKERS_MAX	16
#define ENTRIES		(sizeof(steps) / sizeof(steps[0]))

/* A step takes milliseconds, on a sanitized kernel beside others a second or two. */
#define STUCK_MS	120000UL

/* What all processes see. */
struct office {
	struct desk desks[WORKERS_MAX];
	unsigned long counts[ENTRIES];
	unsigned long longest[ENTRIES];		/* ms */
};

static struct office *office;
static pid_t pids[WORKERS_MAX];
static bool dying[WORKERS_MAX];
static unsigned int workers = 4;

/* ---- a process --------------------------------------------------------- */

static void say_doing(const char *what)
{
	w.desk->since = now_ms();
	w.desk->doing = what;
}

static void one_step(void)
{
	unsigned int total = 0, i, at;

	for (i = 0; i < ENTRIES; i++)
		total += steps[i].weight;
	at = pick(total);
	for (i = 0; at >= steps[i].weight; i++)
		at -= steps[i].weight;
	say_doing(steps[i].name);
	steps[i].step();
	w.desk->steps++;
	__atomic_fetch_add(&office->counts[i], 1, __ATOMIC_RELAXED);
	/* of two at once the shorter may win: it is for people */
	if (now_ms() - w.desk->since > office->longest[i])
		office->longest[i] = now_ms() - w.desk->since;
}

static void worker_open(void)
{
	w.uvm = open("/dev/uvm", O_RDWR | O_CLOEXEC);
	if (w.uvm < 0)
		wrong("/dev/uvm: %s", strerror(errno));
	for (int g = 0; g < w.gpu_count; g++)
		gpu_join(g);
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct uvm_group group = { .size = sizeof(group) };

		expect(try_ioctl(w.uvm, UVM_IOC_GROUP_CREATE, &group), 0, "group");
		w.groups[i] = group.id;
	}
	for (unsigned int i = 0; i < REGIONS; i++)
		region_new(&w.regions[i]);
	w.out = managed(w.uvm, PAGE);
	if (pthread_create(&w.toucher, NULL, touch_pages, NULL))
		wrong("no thread");
}

/* All that is known, once more.  Then it exits, mostly without closing anything. */
static void worker_close(void)
{
	say_doing("close");
	guest_leave(true);
	flights_land(NULL);
	pthread_mutex_lock(&w.lock);
	for (unsigned int i = 0; i < REGIONS; i++)
		for (unsigned int page = 0; page < w.regions[i].pages; page++)
			for (unsigned int word = 0; word < WORDS; word++)
				cpu_look(&w.regions[i], page, word);
	if (!pick(4))
		close(w.uvm);
}

static void __attribute__((noreturn)) work(unsigned int desk, uint64_t seed, int gpus,
					   unsigned long until)
{
	w.seed = seed;
	w.random = seed * 0x9e3779b97f4a7c15ULL;
	w.touch_random = ~w.random;
	w.gpu_count = gpus;
	w.desk = &office->desks[desk];
	pthread_mutex_init(&w.lock, NULL);
	worker_open();
	while (now_ms() < until)
		one_step();
	worker_close();
	say_doing("exit");
	_exit(0);
}

static void start(unsigned int desk, uint64_t seed, int gpus, unsigned long until)
{
	fflush(stdout);
	office->desks[desk] = (struct desk){ .doing = "open", .since = now_ms() };
	pids[desk] = fork();
	if (pids[desk] < 0)
		note("fork: %s", strerror(errno));
	must(pids[desk] >= 0);
	if (!pids[desk])
		work(desk, seed, gpus, until);
}

/* ---- watching them ----------------------------------------------------- */

static void show_progress(unsigned long began)
{
	char line[512];
	size_t at = snprintf(line, sizeof(line), "%lu s", (now_ms() - began) / 1000);

	for (unsigned int i = 0; i < workers; i++) {
		const struct desk *d = &office->desks[i];
		const char *doing = d->doing;

		at += snprintf(line + at, sizeof(line) - at, " | %s for %lu ms, %lu done",
			       doing ? doing : "over", doing ? now_ms() - d->since : 0, d->steps);
	}
	note("%s", line);
}

static void show_file(const char *path)
{
	char line[256];
	FILE *file = fopen(path, "r");

	while (file && fgets(line, sizeof(line), file))
		printf("#   %s", line);
	if (file)
		fclose(file);
}

/* Where all threads are that have something to do with us. */
static void show_stacks(void)
{
	struct dirent *task, *thread;
	char path[64], name[128];
	DIR *tasks = opendir("/proc"), *threads;

	while (tasks && (task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/%.20s/task", task->d_name);
		threads = atoi(task->d_name) ? opendir(path) : NULL;
		while (threads && (thread = readdir(threads))) {
			if (!atoi(thread->d_name))
				continue;
			snprintf(name, sizeof(name), "%s/%.20s/stack", path, thread->d_name);
			note("%s", name);
			show_file(name);
		}
		if (threads)
			closedir(threads);
	}
	if (tasks)
		closedir(tasks);
}

/* One has ended; false if it should not have. */
static bool end_of(unsigned int i, int status)
{
	bool killed = dying[i] && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;

	pids[i] = 0;
	dying[i] = false;
	office->desks[i].doing = NULL;
	if (status && !killed)
		note("process %d: status %#x", i, status);
	return !status || killed;
}

/* False when one of them has found something, or is stuck. */
static bool all_well(void)
{
	int status;

	for (unsigned int i = 0; i < workers; i++) {
		const struct desk *d = &office->desks[i];

		if (!pids[i])
			continue;
		if (waitpid(pids[i], &status, WNOHANG) == pids[i]) {
			if (!end_of(i, status))
				return false;
		} else if (now_ms() > d->since + STUCK_MS) {
			note("process %d does not get on", i);
			show_stacks();
			return false;
		}
	}
	return true;
}

static void kill_one(unsigned int i)
{
	if (!pids[i] || dying[i])
		return;
	kill(pids[i], SIGKILL);
	dying[i] = true;
	office->desks[i].since = now_ms();
	office->desks[i].doing = "die";
}

static bool all_over(void)
{
	for (unsigned int i = 0; i < workers; i++)
		if (pids[i])
			return false;
	return true;
}

/* Until @until, and until they are done; returns how many were killed, or -1. */
static long watch(unsigned long until, uint64_t seed, int gpus)
{
	unsigned long began = now_ms(), shown = began, next = began + 1000;
	uint64_t random = seed;
	long kills = 0;

	do {
		/* in the last seconds nobody takes the place of who has died */
		for (unsigned int i = 0; i < workers && now_ms() + 2000 < until; i++)
			if (!pids[i])
				start(i, seed++, gpus, until);
		usleep(50000);
		if (!all_well())
			return -1;
		if (now_ms() - shown >= 10000) {
			show_progress(began);
			shown = now_ms();
		}
		if (now_ms() >= next && now_ms() + 3000 < until) {
			next = now_ms() + 500 + random_of(&random) % 8000;
			kill_one(random_of(&random) % workers);
			kills++;
		}
	} while (!all_over());
	return kills;
}

/* First use makes what stays for good; returns how many GPUs there are. */
static int warm_up_all(void)
{
	int g;

	for (g = 0; g < STRESS_GPUS; g++) {
		struct pair p = { .uvm = open("/dev/uvm", O_RDWR | O_CLOEXEC) };
		char path[32], *at;

		snprintf(path, sizeof(path), "/dev/softgpu%d", g);
		p.gpu = open(path, O_RDWR | O_CLOEXEC);
		if (p.gpu < 0) {
			close(p.uvm);
			break;
		}
		must(!gpu_register(p.uvm, p.gpu));
		must(!image_load(p.gpu, test_image, test_image_bytes(), &p.image));
		at = managed(p.uvm, MB);
		must(!gpu_fill(&p, at, 256, PAGE, 2));
		munmap(at, MB);
		pair_close(&p);
	}
	return g;
}

int main(int argc, char **argv)
{
	unsigned long seconds = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
	uint64_t seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	long kills;
	int gpus;

	workers = argc > 3 ? strtoul(argv[3], NULL, 0) : workers;
	must(workers && workers <= WORKERS_MAX);
	office = mmap(NULL, sizeof(*office), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	must(office != MAP_FAILED);
	/* guests outlive who has been killed */
	must(!prctl(PR_SET_CHILD_SUBREAPER, 1));
	gpus = warm_up_all();
	kmsg_begin();
	leak_begin();
	kills = watch(now_ms() + seconds * 1000, seed, gpus);
	ok(kills >= 0, "data is right, all processes end (seed %llu, %d GPUs)",
	   (unsigned long long)seed, gpus);
	for (unsigned int i = 0; i < workers; i++)
		if (pids[i])
			kill(pids[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	note("%ld processes killed", kills);
	for (unsigned int i = 0; i < ENTRIES; i++) {
		note("%s: %lu, the longest %lu ms", steps[i].name, office->counts[i],
		     office->longest[i]);
		if (seconds >= 60)
			ok(office->counts[i], "something of everything: %s", steps[i].name);
	}
	if (seconds >= 60)
		ok(kills > 5, "processes were killed in the middle");
	leak_end("stress");
	kmsg_end("stress");
	return tap_finish();
}
