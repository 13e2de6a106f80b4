// SPDX-License-Identifier: GPL-2.0
/*
 * A fuzzer of the three devices that learns from coverage: see fuzz.h.
 *
 *   fuzz [calls=N | seconds=N] [seed=N] [slow=SECONDS] [out=FILE] [trace=1] [together=1] [FILE...]
 *
 * Replays the programs of FILEs, each from a clean slate or together, then makes up and
 * changes programs for so long, or until N system calls on the devices' files and
 * mappings have been made (opening, closing, ioctl, mmap, munmap, mprotect, mremap,
 * madvise, read, write, poll; not page faults).  What executes something new in the
 * kernel is made shorter and kept.  A worker does all that; its parent watches that every
 * program ends, kills what does not, and says what it was.
 */
#include <dirent.h>

#include "common.h"
#include "fuzz.h"

#define CORPUS_MAX	8192
#define OUT_BYTES	(280UL << 10)
#define DEATHS_MAX	20
#define EPOCH		32	/* programs after which everything is closed */

struct corpus_entry {
	struct fuzz_prog prog;
	uint64_t took_ns;	/* from a clean slate to a clean slate */
	char name[FUZZ_NAME];
	bool wanted;		/* in what is written out */
	bool bad;		/* replayed, it did not end well */
};

/* Of one run, in memory that the workers share. */
struct state {
	struct fuzz_random random;
	struct fuzz_cover cover, distilled;
	struct fuzz_prog now[EPOCH];	/* executed since all was closed, the last one now */
	unsigned int since;		/* how many */
	uint64_t programs, started_ns;	/* how many have begun, and when the last did */
	uint64_t calls, good[FUZZ_OPS], bad[FUZZ_OPS], took_ns[FUZZ_OPS], closing_ns;
	unsigned int given, replayed, count, distil_next;
	bool replaying, finished;
	struct fuzz_prog slowest;
	uint64_t slowest_ns, took_last_ns;
	struct corpus_entry corpus[CORPUS_MAX];
};

static struct state *state;
static uint64_t wanted_calls = 100000, until_ns = UINT64_MAX, slow_s = 30, seed = 1;
static const char *out;
static bool trace, together, covered;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* ---- the worker ------------------------------------------------------- */

static void make_call(const struct fuzz_prog *prog, unsigned int index)
{
	uint64_t begin_ns = now_ns();
	unsigned int op = prog->call[index].op;
	long ret = fuzz_exec_call(prog, index);

	state->took_ns[op] += now_ns() - begin_ns;
	if (!fuzz_descs[op].counts)
		return;
	state->calls++;
	(*(ret < 0 ? &state->bad[op] : &state->good[op]))++;
}

/* Everything closed and unmapped; with @keep what that executes is known then. */
static void clean_slate(struct fuzz_cover *cover, bool keep)
{
	uint64_t begin_ns = now_ns();
	struct fuzz_fresh unused;

	if (!state->since)
		return;
	fuzz_cover_begin();
	fuzz_exec_end();
	state->closing_ns += now_ns() - begin_ns;
	if (keep)
		fuzz_cover_end(cover, &unused, true, NULL);
	state->since = 0;
}

/*
 * Execute a program, from a clean slate to a clean slate or on what others left.
 * @fresh, one per call, learns what was new; with @only just the last call is asked
 * about that.
 */
static void run(const struct fuzz_prog *prog, bool clean, struct fuzz_cover *cover,
		struct fuzz_fresh *fresh, bool keep, const struct fuzz_fresh *only)
{
	struct fuzz_fresh unused;
	uint64_t took;

	if (clean)
		clean_slate(cover, keep && !only);
	state->now[state->since++] = *prog;
	state->started_ns = now_ns();
	__atomic_add_fetch(&state->programs, 1, __ATOMIC_SEQ_CST);
	if (trace)
		fuzz_print(stdout, prog);
	for (unsigned int i = 0; i < prog->calls; i++) {
		bool last = i + 1 == prog->calls;

		fuzz_cover_begin();
		make_call(prog, i);
		if (!only || last)
			fuzz_cover_end(cover, fresh ? &fresh[only ? 0 : i] : &unused, keep, only);
	}
	if (clean)
		clean_slate(cover, keep && !only);
	took = now_ns() - state->started_ns;
	state->took_last_ns = took;
	if (took > state->slowest_ns) {
		state->slowest_ns = took;
		state->slowest = *prog;
	}
}

static unsigned int still_fresh(const struct fuzz_prog *prog, const struct fuzz_fresh *only)
{
	struct fuzz_fresh found;

	run(prog, true, &state->cover, &found, false, only);
	return found.count;
}

static void corpus_add(const struct fuzz_prog *prog, const char *name)
{
	struct corpus_entry *entry = &state->corpus[state->count];

	if (state->count == CORPUS_MAX)
		return;
	entry->prog = *prog;
	entry->took_ns = state->took_last_ns;
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	state->count++;
}

/* Call @index of @prog brought something new: keep the least that does. */
static void keep(const struct fuzz_prog *prog, unsigned int index, const struct fuzz_fresh *fresh)
{
	struct fuzz_prog shorter, least = *prog;
	unsigned int found;

	least.calls = index + 1;
	found = still_fresh(&least, fresh);
	if (!found) {
		/* it was chance: known from now on, but not worth a program */
		fuzz_cover_keep(&state->cover, fresh);
		return;
	}
	for (unsigned int i = index; i--;) {
		shorter = least;
		fuzz_remove_call(&shorter, i);
		if (still_fresh(&shorter, fresh) >= found)
			least = shorter;
	}
	run(&least, true, &state->cover, NULL, true, NULL);
	fuzz_cover_keep(&state->cover, fresh);
	corpus_add(&least, "");
}

static void try(const struct fuzz_prog *prog)
{
	static struct fuzz_fresh fresh[FUZZ_CALLS];
	unsigned int kept = 0;

	for (unsigned int i = 0; i < prog->calls; i++)
		fresh[i].count = 0;
	/*
	 * Opening and closing is what costs most, so several programs go one after the
	 * other.  What was new only because of an earlier one is not kept.
	 */
	if (state->since == EPOCH)
		clean_slate(&state->cover, true);
	run(prog, false, &state->cover, fresh, false, NULL);
	for (unsigned int i = 0; i < prog->calls && kept < 3; i++) {
		/* what the first one brought is known when it is the second one's turn */
		if (fresh[i].count && (!kept || fresh[i].count > 1)) {
			keep(prog, i, &fresh[i]);
			kept++;
		}
	}
}

/* One of the corpus, every other time one of the latest. */
static const struct corpus_entry *any_entry(void)
{
	unsigned int n = state->count, at = fuzz_rand(&state->random, n);

	if (n > 64 && fuzz_rand(&state->random, 2))
		at = n - 1 - fuzz_rand(&state->random, n / 8);
	return &state->corpus[at];
}

/*
 * The quicker of two: in the time that one program takes which moves megabytes,
 * hundreds of others can be changed.
 */
static const struct corpus_entry *choose(void)
{
	const struct corpus_entry *one = any_entry(), *other = any_entry();

	return other->took_ns < one->took_ns ? other : one;
}

static void make_one(void)
{
	struct fuzz_random *random = &state->random;
	struct fuzz_prog prog;

	if (!state->count || !fuzz_rand(random, covered ? 12 : 2)) {
		fuzz_generate(random, &prog);
	} else {
		prog = choose()->prog;
		fuzz_mutate(random, &prog,
			    &state->corpus[fuzz_rand(random, state->count)].prog);
	}
	try(&prog);
}

/* Which programs together execute all that all of them do? */
static void distil(void)
{
	while (state->distil_next < state->count) {
		struct corpus_entry *entry = &state->corpus[state->distil_next++];
		uint64_t before = state->distilled.pcs;

		run(&entry->prog, true, &state->distilled, NULL, true, NULL);
		entry->wanted = *entry->name || state->distilled.pcs > before || !covered;
	}
}

static void worker(void)
{
	fuzz_exec_init();
	fuzz_cover_worker();
	state->since = 0;
	while (state->replayed < state->given) {
		struct corpus_entry *entry = &state->corpus[state->replayed++];

		state->replaying = true;
		if (state->since == EPOCH)
			clean_slate(&state->cover, true);
		run(&entry->prog, !together, &state->cover, NULL, !together, NULL);
		entry->took_ns = state->took_last_ns;
		state->replaying = false;
	}
	while (until_ns == UINT64_MAX ? state->calls < wanted_calls : now_ns() < until_ns)
		make_one();
	clean_slate(&state->cover, true);
	if (out)
		distil();
	state->finished = true;
	fflush(stdout);
	_exit(0);
}

/* ---- who watches ------------------------------------------------------ */

static void tell_program(const char *what)
{
	note("%s, the last of these:", what);
	for (unsigned int i = 0; i < state->since; i++)
		fuzz_print(stdout, &state->now[i]);
	if (state->replaying)
		state->corpus[state->replayed - 1].bad = true;
	state->replaying = false;
	fflush(stdout);
}

static pid_t start_worker(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	must(pid >= 0);
	if (!pid)
		worker();
	return pid;
}

/* Where a thread is, if that is in the two modules. */
static void tell_stack(const char *task)
{
	char path[64], name[32] = "", stack[4096] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.20s/stack", task);
	file = fopen(path, "r");
	if (!file)
		return;
	stack[fread(stack, 1, sizeof(stack) - 1, file)] = 0;
	fclose(file);
	if (!strstr(stack, "[uvm]") && !strstr(stack, "[softgpu]"))
		return;
	snprintf(path, sizeof(path), "/proc/%.20s/comm", task);
	file = fopen(path, "r");
	if (file) {
		if (fgets(name, sizeof(name), file))
			name[strcspn(name, "\n")] = 0;
		fclose(file);
	}
	note("%s (%s): %s", name, task, stack);
}

/* Who holds what the worker waits for?  Kthreads are processes of one thread. */
static void tell_stacks(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	must(proc);
	note("those who are in the modules:");
	while ((entry = readdir(proc)))
		if (*entry->d_name >= '0' && *entry->d_name <= '9')
			tell_stack(entry->d_name);
	closedir(proc);
}

/* Killed, it must go; else something in the kernel does not hear of signals. */
static bool kill_worker(pid_t pid)
{
	kill(pid, SIGKILL);
	for (unsigned int i = 0; i < slow_s * 10; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			return true;
		usleep(100000);
	}
	note("killed, it does not end");
	tell_stacks();
	return false;
}

static void progress(uint64_t begin_ns)
{
	uint64_t ms = (now_ns() - begin_ns) / 1000000 + 1;

	note("%llu s: %llu calls (%llu/s), %llu programs, %u kept, %llu PCs, %llu edges, %llu in kthreads",
	     (unsigned long long)ms / 1000, (unsigned long long)state->calls,
	     (unsigned long long)(state->calls * 1000 / ms), (unsigned long long)state->programs,
	     state->count, (unsigned long long)state->cover.pcs,
	     (unsigned long long)state->cover.edges, (unsigned long long)state->cover.remote);
}

/* What ended badly, in programs. */
struct verdict {
	unsigned int slow, stuck, died;
};

/* The worker has ended: true if that was the end of the work. */
static bool worker_ended(int status, struct verdict *verdict)
{
	if (WIFEXITED(status) && !WEXITSTATUS(status) && state->finished)
		return true;
	verdict->died++;
	note("the worker ended with status %x", status);
	tell_program("it was executing");
	return false;
}

static void watch(struct verdict *verdict)
{
	uint64_t begin_ns = now_ns(), told_ns = begin_ns, seen = 0, seen_ns = begin_ns;
	pid_t pid = start_worker();
	int status;

	while (verdict->slow + verdict->died < DEATHS_MAX) {
		bool ended = waitpid(pid, &status, WNOHANG) == pid;

		if (ended && worker_ended(status, verdict))
			break;
		if (!ended && state->programs != seen) {
			seen = state->programs;
			seen_ns = now_ns();
		}
		if (!ended && now_ns() - seen_ns > slow_s * 1000000000ULL) {
			verdict->slow++;
			tell_program("takes too long");
			tell_stacks();
			if (!kill_worker(pid)) {
				verdict->stuck++;
				break;
			}
			ended = true;
		}
		if (ended) {
			pid = start_worker();
			seen_ns = now_ns();
		}
		if (now_ns() - told_ns > 10000000000ULL) {
			told_ns = now_ns();
			progress(begin_ns);
		}
		usleep(20000);
	}
	progress(begin_ns);
}

/* ---- the corpus ------------------------------------------------------- */

static void read_corpus(const char *path)
{
	FILE *file = fopen(path, "r");
	char name[FUZZ_NAME];
	struct fuzz_prog prog;
	int ret;

	must(file);
	while ((ret = fuzz_parse(file, path, &prog, name)) > 0)
		corpus_add(&prog, name);
	ok(!ret, "%s: every program is understood", path);
	fclose(file);
	state->given = state->count;
}

static void write_corpus(void)
{
	FILE *file = fopen(out, "w");
	unsigned int n = 0;

	must(file);
	fprintf(file, "# SPDX-License-Identifier: GPL-2.0\n\n");
	for (unsigned int i = 0; i < state->count && ftell(file) < (long)OUT_BYTES; i++) {
		/* those with a name have files of their own */
		if (!state->corpus[i].wanted || *state->corpus[i].name)
			continue;
		fuzz_print(file, &state->corpus[i].prog);
		n++;
	}
	fclose(file);
	note("%s: %u programs of %u", out, n, state->count);
}

/* ---- the end ---------------------------------------------------------- */

static void summary(void)
{
	for (unsigned int i = 0; i < fuzz_desc_count; i++)
		note("%-16s %9llu succeeded %9llu failed %8llu ms", fuzz_descs[i].name,
		     (unsigned long long)state->good[i], (unsigned long long)state->bad[i],
		     (unsigned long long)state->took_ns[i] / 1000000);
	note("%-16s %36llu ms", "closing", (unsigned long long)state->closing_ns / 1000000);
	note("the longest program took %llu ms:", (unsigned long long)state->slowest_ns / 1000000);
	if (state->slowest_ns > 2000000000ULL)
		fuzz_print(stdout, &state->slowest);
}

/* Calls that never got further than their checks have not been fuzzed. */
static unsigned int never_succeeded(void)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < fuzz_desc_count; i++) {
		/* writing is for nobody, and any words make sense by chance alone */
		if (!fuzz_descs[i].counts || state->good[i] || fuzz_descs[i].run == run_write ||
		    fuzz_descs[i].run == run_raw)
			continue;
		note("never succeeded: %s", fuzz_descs[i].name);
		n++;
	}
	return n;
}

static void parse_option(char *arg)
{
	char *value = strchr(arg, '=');
	size_t n = value ? value - arg : 0;

	if (value && !strncmp(arg, "calls", n))
		wanted_calls = strtoull(value + 1, NULL, 0);
	else if (value && !strncmp(arg, "seconds", n))
		until_ns = now_ns() + strtoull(value + 1, NULL, 0) * 1000000000ULL;
	else if (value && !strncmp(arg, "seed", n))
		seed = strtoull(value + 1, NULL, 0);
	else if (value && !strncmp(arg, "slow", n))
		slow_s = strtoull(value + 1, NULL, 0);
	else if (value && !strncmp(arg, "out", n))
		out = value + 1;
	else if (value && !strncmp(arg, "trace", n))
		trace = atoi(value + 1);
	else if (value && !strncmp(arg, "together", n))
		together = atoi(value + 1);
	else
		read_corpus(arg);
}

int main(int argc, char **argv)
{
	struct verdict verdict = { 0 };

	state = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	must(state != MAP_FAILED);
	for (int i = 1; i < argc; i++)
		parse_option(argv[i]);
	state->random.state = seed;
	kmsg_begin();
	warm_up();
	leak_begin();
	covered = fuzz_cover_init();
	note("seed %llu, %u programs given, %s coverage", (unsigned long long)seed, state->given,
	     covered ? "with" : "without");
	watch(&verdict);
	summary();
	if (out)
		write_corpus();
	if (until_ns == UINT64_MAX)
		is(state->calls >= wanted_calls ? 0 : -1, 0, "%llu calls are made",
		   (unsigned long long)wanted_calls);
	is(verdict.slow, 0, "every program ends within %llu s", (unsigned long long)slow_s);
	is(verdict.stuck, 0, "every program that is killed ends");
	is(verdict.died, 0, "no worker is hurt");
	for (unsigned int i = 0; i < state->given && i < state->replayed; i++)
		if (*state->corpus[i].name)
			ok(!state->corpus[i].bad, "%s", state->corpus[i].name);
	if (state->calls >= 20000)
		is(never_succeeded(), 0, "every sort of call succeeds at times");
	if (covered)
		ok(state->cover.remote > 0 && state->count > state->given,
		   "coverage of calls and of kthreads leads on");
	leak_end("the fuzzer");
	kmsg_end("the fuzzer");
	return tap_finish();
}
