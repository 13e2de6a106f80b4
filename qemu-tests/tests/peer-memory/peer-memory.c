// SPDX-License-Identifier: GPL-2.0
/*
 * Device memory of one GPU in the page tables of a peer (nvidia-uvm 6.3).
 *
 *	peer-memory [few] [CASE...]
 *
 * Every GPU there is takes part; two at least.
 */
#include "peers.h"

#define BYTES	(3 * MB + 5 * PAGE)
#define PAGES	(BYTES / PAGE)

/* Memory of GPU @home, mapped for it alone. */
static struct object device_on(int home, uint64_t bytes)
{
	struct object o = { .bytes = bytes, .gpu = fresh_address(bytes) };
	struct softgpu_alloc alloc;

	must(!object_alloc(gpus[home].gpu, DEVICE, bytes, 0, &alloc));
	o.handle = alloc.handle;
	must(!range_create(pair.uvm, o.gpu, bytes));
	must(!range_map_for(&gpus[home], o.gpu, bytes, o.handle, 0, 0, home));
	return o;
}

/* Map all of it for another one, at the same address. */
static long share(int home, const struct object *o, int gpu)
{
	return range_map_for(&gpus[home], o->gpu, o->bytes, o->handle, 0, 0, gpu);
}

static void device_end(int home, struct object *o)
{
	must(!range_free(pair.uvm, o->gpu, o->bytes));
	must(!object_free(gpus[home].gpu, o->handle));
}

/* Does a kernel of @gpu that reads there fault? */
static void cannot_read(int gpu, uint64_t at, const char *what)
{
	struct softgpu_wait w = { 0 };

	is(run_one(&gpus[gpu], "t_load", (struct test_args){ .address = at }, &w),
	   SOFTGPU_FAIL_FAULT, "%s: GPU %d faults", what, gpu);
	ok(w.address == at && w.error == EFAULT, "%s: it is told where", what);
}

static long frames_used(int gpu)
{
	return counter_of(gpu, "pma_used");
}

/* ---- who may have it ------------------------------------------------------ */

static void test_refused(void)
{
	struct object o;

	gpus_open();
	if (nvlink())
		must(!peers(false, 0, 1));
	o = device_on(1, BYTES);
	is(share(1, &o, 0), -EOPNOTSUPP, "refused: strangers");
	cannot_read(0, o.gpu, "refused");
	if (!link_kind()) {
		device_end(1, &o);
		gpus_close();
		return;
	}
	must(!peers(true, 0, 1));
	is(share(1, &o, 0), 0, "refused: not peers");
	is(share(1, &o, 0), -EEXIST, "refused: twice");
	is(share(1, &o, 7), -ENODEV, "refused: a GPU that there is not");
	if (gpu_count > 2)
		is(share(1, &o, 2), nvlink() ? 0 : -EOPNOTSUPP,
		   "refused: a third GPU, unless it is a peer as well");
	device_end(1, &o);
	gpus_close();
}

/* Peers are so in one VA space: whoever has a file of the GPU finds none in his. */
static void test_spaces(void)
{
	struct pair other = pair_open();
	struct uvm_map_external arg = { .size = sizeof(arg), .base = fresh_address(BYTES),
					.length = BYTES };
	struct object o;
	int fd;

	gpus_open();
	peers_all();
	o = device_on(1, BYTES);
	must(!share(1, &o, 0));
	must(!range_create(other.uvm, arg.base, BYTES));
	arg.softgpu_fd = gpus[1].gpu;
	arg.handle = o.handle;
	is(try_ioctl(other.uvm, UVM_IOC_MAP_EXTERNAL, &arg), -EOPNOTSUPP,
	   "spaces: another one does not know the owner");
	fd = open("/dev/softgpu1", O_RDWR | O_CLOEXEC);
	must(fd >= 0 && !gpu_register(other.uvm, fd));
	is(try_ioctl(other.uvm, UVM_IOC_MAP_EXTERNAL, &arg), nvlink() ? 0 : -EOPNOTSUPP,
	   "spaces: %s", nvlink() ? "over NVLink all are peers" : "there they are strangers");
	close(fd);
	pair_close(&other);
	is(gpu_fill(&gpus[0], (void *)o.gpu, PAGES, PAGE, 1), 0, "spaces: ours is as it was");
	device_end(1, &o);
	gpus_close();
}

/* ---- what it is ----------------------------------------------------------- */

/* All write and read all, and each has its own way there. */
static void test_data(void)
{
	long wrong = 0, faults = 0;
	struct uvm_stats stats;
	struct object o;

	gpus_open();
	peers_all();
	for (int home = 0; home < gpu_count; home++) {
		o = device_on(home, BYTES);
		for (int user = 0; user < gpu_count; user++)
			must(user == home || !share(home, &o, user));
		for (int user = 0; user < gpu_count; user++) {
			stats_read(pair.uvm, true);
			must(!gpu_fill(&gpus[user], (void *)o.gpu, PAGES, PAGE, 100 * user));
			stats = stats_read(pair.uvm, true);
			faults += stats.faults_fetched + stats.bytes_peer;
			for (int reader = 0; reader < gpu_count; reader++)
				wrong += gpu_wrong(&gpus[reader], (void *)o.gpu, PAGES, PAGE,
						   100 * user, false);
		}
		device_end(home, &o);
	}
	is(faults, 0, "data: %d GPUs use each other's memory without a fault", gpu_count);
	is(wrong, 0, "data: all read what was written");
	gpus_close();
	is((long)peer_faults(), 0, "data: no access went astray");
}

/* Addresses and offsets that do and do not allow pages of 64 KB, and a map to read. */
static void test_offsets(void)
{
	static const struct { uint64_t at, offset, pages; } rows[] = {
		{ 0, 0, 512 }, { PAGE, 0, 100 }, { 3 * PAGE, 3 * PAGE, 600 },
		{ 60 * KB, 2 * MB - PAGE, 100 },
	};
	struct object o;

	gpus_open();
	peers_all();
	o = device_on(1, BYTES);
	must(!gpu_fill(&gpus[1], (void *)o.gpu, PAGES, PAGE, 0));
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		uint64_t at = fresh_address(BYTES) + rows[i].at, bytes = rows[i].pages * PAGE;

		must(!range_create(pair.uvm, at, bytes));
		is(range_map_for(&gpus[1], at, bytes, o.handle, rows[i].offset,
				 UVM_MAP_EXTERNAL_READ_ONLY, 0), 0, "offsets: row %u maps", i);
		is(gpu_wrong(&gpus[0], (void *)at, rows[i].pages, PAGE, rows[i].offset / PAGE,
			     false), 0, "offsets: row %u reads the right pages", i);
		is(run_one(&gpus[0], "t_store", (struct test_args){ .address = at }, NULL),
		   SOFTGPU_FAIL_FAULT, "offsets: row %u cannot be written", i);
		cannot_read(0, at + bytes, "behind the map");
		must(!range_free(pair.uvm, at, bytes));
	}
	is(range_map_for(&gpus[1], o.gpu, BYTES, o.handle, PAGE, 0, 0), -EINVAL,
	   "offsets: past the object");
	is(range_map_for(&gpus[1], o.gpu + PAGE, BYTES, o.handle, 0, 0, 0), -ENOENT,
	   "offsets: past the range");
	device_end(1, &o);
	gpus_close();
}

static void test_atomics(void)
{
	const long each = few ? 200 : 1000;
	struct test_args args = { .value = 1, .count = each };
	struct softgpu_wait w;
	uint64_t id[GPUS];
	struct object o;
	long bad = 0;

	gpus_open();
	peers_all();
	o = device_on(1, PAGE);
	args.address = o.gpu;
	for (int i = 0; i < gpu_count; i++)
		must(i == 1 || !share(1, &o, i));
	for (int i = 0; i < gpu_count; i++)
		must(!launch_shape(&gpus[i], "t_atomics", 2, 8, 0, &args, &id[i]));
	for (int i = 0; i < gpu_count; i++)
		bad += launch_wait(gpus[i].gpu, id[i], 0, &w) || w.reason;
	is(bad, 0, "atomics: every launch ends well");
	is(gpu_wrong(&gpus[0], (void *)o.gpu, 1, PAGE, gpu_count * 2 * 8 * each, false), 0,
	   "atomics: %d GPUs at once lose none", gpu_count);
	device_end(1, &o);
	gpus_close();
}

static void test_copies(void)
{
	struct object from, to;

	gpus_open();
	peers_all();
	from = device_on(1, BYTES);
	to = device_on(0, BYTES);
	must(!gpu_fill(&gpus[1], (void *)from.gpu, PAGES, PAGE, 7));
	is(copy(gpus[0].gpu, to.gpu, from.gpu, BYTES, SOFTGPU_COPY_DTOD, NULL), -EFAULT,
	   "copies: not what is not mapped");
	must(!share(1, &from, 0));
	is(copy(gpus[0].gpu, to.gpu, from.gpu, BYTES, SOFTGPU_COPY_DTOD, NULL), 0,
	   "copies: from a peer");
	is(gpu_wrong(&gpus[0], (void *)to.gpu, PAGES, PAGE, 7, false), 0, "copies: data right");
	must(!gpu_fill(&gpus[0], (void *)to.gpu, PAGES, PAGE, 8));
	is(copy(gpus[0].gpu, from.gpu, to.gpu, BYTES, SOFTGPU_COPY_DTOD, NULL), 0,
	   "copies: to a peer");
	is(gpu_wrong(&gpus[1], (void *)from.gpu, PAGES, PAGE, 8, false), 0, "copies: there, too");
	device_end(1, &from);
	device_end(0, &to);
	gpus_close();
}

/* ---- how it ends ---------------------------------------------------------- */

static void test_disable(void)
{
	struct object there, back, stays;

	gpus_open();
	peers_all();
	there = device_on(1, BYTES);
	back = device_on(0, BYTES);
	stays = device_on(gpu_count > 2 ? 2 : 0, PAGE);
	must(!share(1, &there, 0) && !share(0, &back, 1));
	must(gpu_count < 3 || !share(2, &stays, 0));
	must(!gpu_fill(&gpus[0], (void *)there.gpu, PAGES, PAGE, 1));
	is(peers(false, 0, 1), 0, "disable: peers no more");
	cannot_read(0, there.gpu + 2 * MB, "disable");
	cannot_read(1, back.gpu, "disable, the other way");
	is(range_unmap(pair.uvm, there.gpu, BYTES, 0), -ENOENT, "disable: the map is gone");
	is(gpu_wrong(&gpus[1], (void *)there.gpu, PAGES, PAGE, 1, false), 0,
	   "disable: its own GPU has it still");
	is(run_one(&gpus[0], "t_store", (struct test_args){ .address = stays.gpu }, NULL), 0,
	   "disable: memory of others stays");
	is(share(1, &there, 0), -EOPNOTSUPP, "disable: it cannot be mapped again");
	must(!peers(true, 0, 1));
	cannot_read(0, there.gpu, "enable brings nothing back");
	is(share(1, &there, 0), 0, "enable: it can be mapped");
	is(gpu_wrong(&gpus[0], (void *)there.gpu, PAGES, PAGE, 1, false), 0, "enable: data right");
	is(range_unmap(pair.uvm, there.gpu, BYTES, 0), 0, "unmap");
	cannot_read(0, there.gpu, "unmap");
	device_end(1, &there);
	device_end(0, &back);
	device_end(gpu_count > 2 ? 2 : 0, &stays);
	gpus_close();
	is((long)peer_faults(), 0, "disable: no access went astray");
}

/* The owner has freed it: it is there until the peer has lost its map. */
static void test_lives(void)
{
	struct object o;
	long used;

	gpus_open();
	peers_all();
	used = frames_used(1);
	o = device_on(1, BYTES);
	must(!share(1, &o, 0));
	must(!gpu_fill(&gpus[1], (void *)o.gpu, PAGES, PAGE, 5));
	must(!object_free(gpus[1].gpu, o.handle));
	must(!range_unmap(pair.uvm, o.gpu, BYTES, 1));
	is(frames_used(1), used + 2, "lives: the frames are not free");
	is(gpu_wrong(&gpus[0], (void *)o.gpu, PAGES, PAGE, 5, false), 0, "lives: the peer reads it");
	must(!peers(false, 0, 1));
	is(frames_used(1), used, "lives: when they are peers no more they are");
	must(!range_free(pair.uvm, o.gpu, BYTES));
	gpus_close();
}

/* Kernels write there without end while it is taken from them; who comes next is not hit. */
static void test_under_load(void)
{
	struct test_args args = { .value = 1, .count = PAGES, .stride = PAGE };
	long bad = 0, used, wrong = 0;
	struct softgpu_wait w;
	struct object o;
	uint64_t id[8];

	gpus_open();
	peers_all();
	for (int round = 0; round < (few ? 2 : 6); round++) {
		used = frames_used(1);
		o = device_on(1, BYTES);
		must(!share(1, &o, 0));
		args.address = o.gpu;
		for (int i = 0; i < 8; i++)
			must(!launch_shape(&gpus[0], "t_add", 2, 64, 0, &args, &id[i]));
		must(!peers(false, 0, 1));
		device_end(1, &o);
		bad += frames_used(1) != used;
		o = device_on(1, BYTES);
		for (int i = 0; i < 8; i++)
			bad += launch_wait(gpus[0].gpu, id[i], 0, &w) ||
			       (w.reason && w.reason != SOFTGPU_FAIL_FAULT);
		wrong += gpu_wrong(&gpus[1], (void *)o.gpu, PAGES, PAGE, 0, true);
		device_end(1, &o);
		must(!peers(true, 0, 1));
	}
	is(bad, 0, "under load: launches end, well or with a fault");
	is(wrong, 0, "under load: the next owner of the frames has them alone");
	gpus_close();
	is((long)peer_faults(), 0, "under load: no access went astray");
}

/* Either GPU leaves. */
static void test_unregister(void)
{
	for (int leaver = 0; leaver < 2; leaver++) {
		struct object o;
		long used;

		gpus_open();
		peers_all();
		used = frames_used(1);
		o = device_on(1, BYTES);
		must(!share(1, &o, 0));
		must(!gpu_fill(&gpus[0], (void *)o.gpu, PAGES, PAGE, 3));
		must(!gpu_unregister(pair.uvm, leaver));
		if (leaver)
			cannot_read(0, o.gpu, "the owner has left");
		else
			is(run_one(&gpus[1], "t_store", (struct test_args){ .address = o.gpu },
				   NULL), 0, "the peer has left: its owner has it still");
		is(range_unmap(pair.uvm, o.gpu, BYTES, 0), leaver ? -ENOENT : -ENODEV,
		   "GPU %d has left: there is no map", leaver);
		must(!object_free(gpus[1].gpu, o.handle));
		must(!range_free(pair.uvm, o.gpu, BYTES));
		is(frames_used(1), used, "GPU %d has left: the frames are free", leaver);
		gpus_close();
		pair_close(&pair);
		pair = pair_open();
	}
}

/* Whatever is left is taken back, in every order of closing. */
static void test_ends(void)
{
	for (int order = 0; order < 3; order++) {
		long used = counter_of(1, "pma_used");
		struct object o;

		gpus_open();
		peers_all();
		o = device_on(1, BYTES);
		must(!share(1, &o, 0));
		must(!gpu_fill(&gpus[0], (void *)o.gpu, PAGES, PAGE, 3));
		if (order == 0)
			close(pair.uvm);
		if (order == 1)
			close(pair.gpu);
		gpus_close();
		if (order == 2)
			is(gpu_wrong(&gpus[0], (void *)o.gpu, PAGES, PAGE, 3, false), 0,
			   "ends: the owner's file is closed, the peer has it still");
		if (order)
			close(pair.uvm);
		if (order != 1)
			close(pair.gpu);
		is(frames_used(1), used, "ends, order %d: all frames are free", order);
		pair = pair_open();
	}
}

/*
 * The channels of the GPU that has the map are dead: it cannot lose it, so the memory stays
 * until its context has been stopped.
 */
static void test_dead(void)
{
	struct object o;
	char *at;
	long used;

	gpus_open();
	peers_all();
	used = frames_used(1);
	o = device_on(1, BYTES);
	must(!share(1, &o, 0));
	at = managed(pair.uvm, PAGE);
	cpu_fill(at, 1, PAGE, 1);
	knob("break_channel", "1");
	is(migrate(pair.uvm, at, PAGE, 0), -EIO, "dead: GPU 0 is");
	knob("break_channel", "0");
	is(peers(false, 0, 1), 0, "dead: they are peers no more");
	device_end(1, &o);
	is(frames_used(1), used + 2, "dead: what it may still use is not given away");
	munmap(at, PAGE);
	must(!gpu_unregister(pair.uvm, 0));
	is(frames_used(1), used, "dead: when its context has been stopped it is");
	close(pair.gpu);
	gpu_join(0);			/* revives it */
	pair = gpus[0];
	peers_all();
	o = device_on(1, BYTES);
	is(share(1, &o, 0), 0, "dead: revived, it can have some");
	is(gpu_fill(&gpus[0], (void *)o.gpu, PAGES, PAGE, 1), 0, "dead: and use it");
	device_end(1, &o);
	gpus_close();
}

/* ---- all at once ---------------------------------------------------------- */

static volatile bool toggling;

static void *toggle(void *unused)
{
	(void)unused;
	while (toggling) {
		peers(false, 0, 1);
		peers(true, 0, 1);
	}
	return NULL;
}

/* Maps come and go while the two are peers now and again. */
static void test_race(void)
{
	long bad = 0, mapped = 0, refused = 0, wrong = 0;
	pthread_t thread;
	struct object o;

	gpus_open();
	peers_all();
	o = device_on(1, 256 * KB);
	must(!gpu_fill(&gpus[1], (void *)o.gpu, 64, PAGE, 9));
	toggling = true;
	must(!pthread_create(&thread, NULL, toggle, NULL));
	for (int i = 0; i < (few ? 20 : 200); i++) {
		long ret = share(1, &o, 0), got;

		bad += ret && ret != -EOPNOTSUPP && ret != -EEXIST;
		mapped += !ret;
		refused += ret == -EOPNOTSUPP;
		got = gpu_wrong(&gpus[0], (void *)o.gpu, 64, PAGE, 9, false);
		wrong += got > 0;
		ret = range_unmap(pair.uvm, o.gpu, o.bytes, 0);
		bad += ret && ret != -ENOENT;
	}
	toggling = false;
	pthread_join(thread, NULL);
	note("race: mapped %ld times, refused %ld", mapped, refused);
	is(bad, 0, "race: maps are made or refused");
	is(wrong, 0, "race: who reads reads what is there, or faults");
	device_end(1, &o);
	gpus_close();
	is((long)peer_faults(), 0, "race: no access went astray");
}

static const struct test_case cases[] = {
	{ "refused", test_refused }, { "spaces", test_spaces }, { "data", test_data },
	{ "offsets", test_offsets }, { "atomics", test_atomics }, { "copies", test_copies },
	{ "disable", test_disable }, { "lives", test_lives }, { "under-load", test_under_load },
	{ "unregister", test_unregister }, { "ends", test_ends }, { "dead", test_dead },
	{ "race", test_race },
};

int main(int argc, char **argv)
{
	return run_cases(argc, argv, "peer memory", cases, ARRAY_SIZE(cases));
}
