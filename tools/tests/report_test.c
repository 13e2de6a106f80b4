// SPDX-License-Identifier: GPL-2.0
/* The JSON of a run: every key of the published format, in order, from known counters. */
#include <string.h>

#include "../uvm/run/run.h"
#include "../uvm/out/stats_json.h"
#include "../uvm/uvm_cmd.h"
#include "test.h"

static const struct wl_option options[] = {
	{ "size", WL_BYTES, "24M", "" },
	{ "mode", WL_TEXT, "fast", "" },
	{ "tensor", WL_FLAG, "", "" },
	{ 0 },
};

static const struct workload workload = { .name = "sample", .options = options };

static const struct run_config config = {
	.seed = 9, .sets = { { "replay_policy=once" }, 1 },
};

static const struct wl_run run = { .workload = &workload, .value = { "24M", "fast", "on" } };

static const struct run_result result = {
	.info = { .profile = "gtx1080ti", .switched_out = 5, .switched_in = 7, .switch_ns = 90,
		  .faults_written = 50, .faults_merged = 51, .faults_dropped = 52,
		  .faults_replayed = 53, .tlb_hits = 60, .tlb_misses = 61, .walks = 62,
		  .link_reads = 70, .link_writes = 71, .link_read_bytes = 72,
		  .link_write_bytes = 73 },
	.before = { .switched_out = 1, .switched_in = 2, .switch_ns = 30,
		    .faults_written = 1, .faults_merged = 3, .faults_dropped = 5,
		    .faults_replayed = 7, .tlb_hits = 1, .tlb_misses = 2, .walks = 3,
		    .link_reads = 1, .link_writes = 4, .link_read_bytes = 6,
		    .link_write_bytes = 10 },
	.first = { .link_reads = 2, .link_writes = 5, .link_read_bytes = 8,
		   .link_write_bytes = 12 },
	.last = { .link_reads = 60, .link_writes = 59, .link_read_bytes = 58,
		  .link_write_bytes = 57 },
	.footprint = 25165824, .vram = 12582912,
	.stats = {
		.faults_fetched = 100, .faults_duplicate = 1, .faults_serviced = 2,
		.faults_read = 3, .faults_write = 4, .faults_atomic = 5, .faults_fatal = 6,
		.faults_cpu = 7, .batches = 8, .batch_faults_max = 64, .batch_bytes = 4096,
		.batch_time_ns = 1000, .batch_handling_ns = 500, .replays = 9,
		.bytes_htod = 10, .bytes_dtoh = 11, .bytes_htod_demand = 12,
		.bytes_htod_prefetch = 13, .bytes_dtoh_eviction = 14, .evicted_chunks = 15,
		.evicted_pages = 16, .premature_pages = 17, .returned_pages = 47, .throttled = 18,
		.bytes_dtoh_prefetch = 21, .faults_prefetch = 19,
		.thrashing_pages = 32, .throttles_cpu = 33, .throttles_gpu = 34, .pins_local = 35,
		.pins_remote = 36, .thrashing_resets = 37,
		.bytes_htod_counter = 22, .bytes_peer = 38, .counter_notifications = 23,
		.faults_flushed = 39,
		.phase_ns = { 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
	},
	.execution = { .faults_fetched = 32, .batches = 2, .phase_ns = { 33 } },
	.counters = {
		{ .bytes_from = { 0, 40, 41 }, .faults = 42, .bytes_resident = 43 },
		{ .bytes_from = { 44 }, .prefetch_bytes_from = { 45 }, .replays_start = 46,
		  .bytes_populated = 47 },
	},
	.gpu_count = 1,
	.totals = { .launches = 1, .gpu_time_ns = 18446744073709551615ULL, .instructions = 2 },
	.wall_s = 0.25,
};

static const char want[] =
	"{\"workload\":\"sample\",\"parameters\":{\"size\":25165824,\"mode\":\"fast\","
	"\"tensor\":true,\"seed\":9,\"set\":{\"replay_policy\":\"once\"}},"
	"\"profile\":\"gtx1080ti\",\"clock\":\"virtual\",\"verified\":true,"
	"\"footprint_bytes\":25165824,\"vram_bytes\":12582912,"
	"\"oversubscription_percent\":200.0,\"gpu_time_ns\":18446744073709551615,"
	"\"wall_time_s\":0.250,\"launches\":1,\"warp_instructions\":2,"
	"\"thread_blocks\":{\"switched_out\":4,\"switched_in\":5,\"switch_ns\":60},"
	"\"gpu_faults\":{\"written\":49,\"merged\":48,\"dropped\":47,\"replayed\":46},"
	"\"mmu\":{\"utlb_hits\":59,\"utlb_misses\":59,\"walks\":59},"
	"\"link\":{\"reads\":69,\"writes\":67,\"read_bytes\":66,\"write_bytes\":63},"
	"\"faults\":{\"fetched\":100,\"duplicate\":1,\"serviced\":2,\"read\":3,\"write\":4,"
	"\"atomic\":5,\"prefetch\":19,\"fatal\":6,\"throttled\":18,\"cpu\":7,"
	"\"non_replayable\":0,\"buffer_overflows\":0,\"flushed\":39,\"prefetch_disabled\":0},"
	"\"batches\":{\"count\":8,\"mean_faults\":12.5,\"max_faults\":64,\"mean_bytes\":512.0,"
	"\"mean_time_ns\":125.0,\"mean_handling_ns\":62.5},\"replays\":9,"
	"\"migrated_bytes\":{\"htod\":10,\"dtoh\":11,\"htod_demand\":12,\"htod_prefetch\":13,"
	"\"dtoh_eviction\":14,\"dtoh_prefetch\":21,\"htod_counter\":22,\"peer\":38},"
	"\"evictions\":{\"chunks\":15,\"pages\":16,\"premature\":17,\"returned\":47},"
	"\"thrashing\":{\"pages\":32,\"throttles_cpu\":33,\"throttles_gpu\":34,\"pins_local\":35,"
	"\"pins_remote\":36,\"resets\":37},\"access_counters\":23,"
	"\"phases_ns\":{\"fetch\":20,\"preprocess\":21,\"service\":22,\"pma_alloc\":23,"
	"\"populate\":24,\"cpu_unmap\":25,\"copy\":26,\"map\":27,\"evict\":28,\"replay\":29,"
	"\"cpu_fault\":30,\"migrate\":31},"
	"\"processors\":[{\"processor\":\"cpu\",\"faults\":{\"all\":42,\"duplicate\":0,"
	"\"prefetch\":0,\"read\":0,\"write\":0,\"atomic\":0},\"fault_pages\":{\"in\":0,\"out\":0},"
	"\"replays\":{\"start\":0,\"start_ack_all\":0},\"bytes\":{\"populated\":0,\"resident\":43},"
	"\"bytes_from\":{\"cpu\":0,\"gpu0\":40},\"prefetch_bytes_from\":{\"cpu\":0,\"gpu0\":0}},"
	"{\"processor\":\"gpu0\",\"faults\":{\"all\":0,\"duplicate\":0,\"prefetch\":0,\"read\":0,"
	"\"write\":0,\"atomic\":0},\"fault_pages\":{\"in\":0,\"out\":0},"
	"\"replays\":{\"start\":46,\"start_ack_all\":0},\"bytes\":{\"populated\":47,\"resident\":0},"
	"\"bytes_from\":{\"cpu\":44,\"gpu0\":0},\"prefetch_bytes_from\":{\"cpu\":45,\"gpu0\":0}}],"
	"\"execution\":{"
	"\"link\":{\"reads\":58,\"writes\":54,\"read_bytes\":50,\"write_bytes\":45},"
	"\"faults\":{\"fetched\":32,\"duplicate\":0,\"serviced\":0,\"read\":0,"
	"\"write\":0,\"atomic\":0,\"prefetch\":0,\"fatal\":0,\"throttled\":0,\"cpu\":0,"
	"\"non_replayable\":0,\"buffer_overflows\":0,\"flushed\":0,\"prefetch_disabled\":0},"
	"\"batches\":{\"count\":2,\"mean_faults\":16.0,\"max_faults\":0,\"mean_bytes\":0.0,"
	"\"mean_time_ns\":0.0,\"mean_handling_ns\":0.0},\"replays\":0,"
	"\"migrated_bytes\":{\"htod\":0,\"dtoh\":0,\"htod_demand\":0,\"htod_prefetch\":0,"
	"\"dtoh_eviction\":0,\"dtoh_prefetch\":0,\"htod_counter\":0,\"peer\":0},"
	"\"evictions\":{\"chunks\":0,\"pages\":0,\"premature\":0,\"returned\":0},"
	"\"thrashing\":{\"pages\":0,\"throttles_cpu\":0,\"throttles_gpu\":0,\"pins_local\":0,"
	"\"pins_remote\":0,\"resets\":0},\"access_counters\":0,"
	"\"phases_ns\":{\"fetch\":33,\"preprocess\":0,\"service\":0,\"pma_alloc\":0,"
	"\"populate\":0,\"cpu_unmap\":0,\"copy\":0,\"map\":0,\"evict\":0,\"replay\":0,"
	"\"cpu_fault\":0,\"migrate\":0}}}";

/* What happened between two readings: every counter but the maximum. */
static void check_subtract(void)
{
	struct uvm_stats after = result.stats, before = result.stats;

	before.faults_fetched -= 90;
	before.replays--;
	before.faults_prefetch -= 4;
	before.batch_faults_max = 3;
	before.phase_ns[11] -= 30;
	stats_subtract(&after, &before);
	CHECK(after.faults_fetched == 90 && after.replays == 1 && after.faults_prefetch == 4 &&
	      after.phase_ns[11] == 30 && !after.phase_ns[0] && !after.batches, "difference");
	CHECK(after.batch_faults_max == 64, "%llu", (unsigned long long)after.batch_faults_max);
}

/* What no policy can do without: 1000 pages of 4 KB are two services, and so long on the link. */
static void check_bounds(void)
{
	static const char bounds[] = "\"bounds\":{\"touches\":5000,\"pages\":900,"
		"\"empty_pages\":100,\"at\":[{\"oversubscription\":133.3,\"memory_bytes\":3072000,"
		"\"units\":750,\"min_loads\":1100,\"min_bytes\":4096000,\"any_loads\":1000,"
		"\"any_bytes\":3686400,\"remote_bytes\":7,\"link_ns\":368640,\"services\":2,"
		"\"service_ns\":13000}]},\"processors\":";
	struct run_config asked = config;
	struct run_result r = result;
	struct json_object *o;
	const char *got;

	asked.bounds[0] = 1333;
	asked.bound_count = 1;
	r.touched = (struct run_touched){ .touches = 5000, .pages = 900, .empty = 100 };
	r.rates = (struct run_rates){ .link_mbps = 10000, .service_ns = 6500 };
	r.bounds[0] = (struct run_bound){
		.memory = 3072000, .units = 750, .min_loads = 1100, .any_loads = 1000,
		.min_bytes = 4096000, .any_bytes = 3686400, .remote_bytes = 7,
	};
	o = run_report_json(&asked, &run, &r);
	got = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);
	CHECK(strstr(got, bounds), "%s", got);
	json_object_put(o);
	r.status = EXIT_WRONG;
	o = run_report_json(&asked, &run, &r);
	CHECK(!json_object_object_get_ex(o, "bounds", NULL), "of a run that is wrong there are none");
	json_object_put(o);
}

int main(void)
{
	struct json_object *o = run_report_json(&config, &run, &result);
	const char *got = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN);

	CHECK(!strcmp(got, want), "%s", got);
	json_object_put(o);
	check_subtract();
	check_bounds();
	return test_end("report");
}
