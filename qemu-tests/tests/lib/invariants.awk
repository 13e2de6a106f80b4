# SPDX-License-Identifier: GPL-2.0
# What holds in any run that ends well: reads the report of "uvm run --json" and, if there is
# one, before it the file of its events (types as in lib.sh, invariants), and prints what is
# broken, one line each.
#
#   awk -f invariants.awk EVENTS REPORT
#
# Many runs are judged in one go where each begins with the line "run NAME"; "kept NAME" or
# "broken NAME: WHAT" is said of each then.
#
# A rule that needs more than a verified run says so.  None is for a run with pages at two
# places or discarded: no workload asks for that.

# ---- the report, flat: at["faults.fetched"], at["processors.1.bytes_from.cpu"]

# Strings are cut at commas, which does no harm; none has a brace or a bracket in it.
function flatten(   token, tokens, i, colon, key, depth, prefix, list, element)
{
	gsub(/[][{},]/, "\n&\n")
	tokens = split($0, token, /\n+/)
	for (i = 1; i <= tokens; i++) {
		if (token[i] == "{" || token[i] == "[") {
			prefix[depth + 1] = depth ? prefix[depth] \
					    (list[depth] ? element[depth]++ : key) "." : ""
			list[++depth] = token[i] == "["
			element[depth] = 0
		} else if (token[i] == "}" || token[i] == "]") {
			depth--
		} else if (colon = index(token[i], "\":")) {
			key = substr(token[i], 2, colon - 2)
			set(prefix[depth] key, substr(token[i], colon + 2))
		}
	}
}

function set(path, value)
{
	gsub(/"/, "", value)
	if (value != "")
		at[path] = value
}

# A number of the report.
function n(path)
{
	if (!(path in at))
		missing[path] = 1
	return at[path] + 0
}

# The same over all GPUs.
function gpus(path,   i, sum)
{
	for (i = 1; ("processors." i ".processor") in at; i++)
		sum += n("processors." i "." path)
	return sum + 0
}

# ---- events

# By index(): a regular expression that is put together is compiled each time.
function text(key,   from, value)
{
	from = index($0, "\"" key "\":\"")
	value = substr($0, from + length(key) + 4)
	return from ? substr(value, 1, index(value, "\"") - 1) : ""
}

function number(key,   from)
{
	from = index($0, "\"" key "\":")
	return from ? substr($0, from + length(key) + 3, 20) + 0 : 0
}

/^[{]"event":/ {
	event = text("event")
	count[event]++
	if (event == "gpu_fault") {
		count["duplicate"] += /"duplicate":true/
		access[text("access")]++
	} else if (event == "migration" || event == "copy") {
		way = event " " substr(text("src"), 1, 3) ">" substr(text("dst"), 1, 3)
		bytes[way] += number("bytes")
		bytes[way " " text("cause")] += number("bytes")
	} else if (event == "eviction") {
		bytes[event] += number("bytes")
	} else if (event == "batch") {
		bytes[event] += number("bytes")
		faults += number("faults")
		largest = number("faults") > largest ? number("faults") : largest
		duration += number("duration_ns")
		handling += number("handling_ns")
	} else if (event == "phase") {
		phase[text("phase")] += number("duration_ns")
	} else if (event == "throttling_start") {
		count[event " " substr(text("src"), 1, 3)]++
	}
}

/^[{]"workload":/ {
	flatten()
	reports++
}

# ---- rules

function complain(what)
{
	complaints = complaints what "\n"
}

function broken(rule, left, relation, right)
{
	complain(sprintf("%s: %.0f %s %.0f", rule, left, relation, right))
}

function same(rule, left, right)
{
	if (left != right)
		broken(rule, left, "is not", right)
}

function most(rule, left, right)
{
	if (left > right)
		broken(rule, left, "is more than", right)
}

# If there is one thing there is the other.
function needs(rule, left, right)
{
	if (left && !right)
		broken(rule, left, "without", right)
}

# A mean is printed with one digit behind the point.
function mean(rule, path, sum,   batches, product)
{
	batches = n("batches.count")
	product = n(path) * batches
	if (product - sum > 0.051 * batches || sum - product > 0.051 * batches)
		broken(rule, product, "is not about", sum)
}

function check_faults(   fetched, once)
{
	fetched = n("faults.fetched")
	once = n("faults.duplicate") + n("faults.serviced")
	same("no fault of a verified run is fatal", n("faults.fatal"), 0)
	same("a record has one access", n("faults.read") + n("faults.write") +
	     n("faults.atomic") + n("faults.prefetch"), fetched)
	most("a duplicate is not served", once, fetched)
	# one that is throttled may be a duplicate, too
	most("a record is a duplicate, served or throttled", fetched, once + n("faults.throttled"))
	# one process uses the GPU
	same("what the GPU wrote was fetched or flushed", n("gpu_faults.written"),
	     fetched + n("faults.flushed"))
	same("a fault, lost or not, is replayed once", n("gpu_faults.replayed"),
	     n("gpu_faults.written") + n("gpu_faults.dropped"))
	most("an overflow drops something", n("faults.buffer_overflows"), n("gpu_faults.dropped"))
	needs("what is dropped is an overflow", n("gpu_faults.dropped"), n("faults.buffer_overflows"))
}

function check_batches(   count, size, path, phases)
{
	count = n("batches.count")
	# unless given, the profile's (softgpu/base/profile.c)
	size = at["profile"] == "asplos20" ? 1024 : 256
	if ("parameters.set.perf_fault_batch_count" in at)
		size = n("parameters.set.perf_fault_batch_count")
	needs("a batch has records", count, n("faults.fetched"))
	needs("a record is in a batch", n("faults.fetched"), count)
	most("a batch is no larger than it may be", n("batches.max_faults"), size)
	most("the mean batch is no larger than the largest", n("batches.mean_faults"),
	     n("batches.max_faults"))
	most("a batch is not handled longer than it lasts", n("batches.mean_handling_ns"),
	     n("batches.mean_time_ns"))
	mean("batches bring what faults move", "batches.mean_bytes",
	     n("migrated_bytes.htod_demand") + n("migrated_bytes.htod_prefetch") +
	     n("migrated_bytes.peer"))
	if (at["clock"] == "virtual") {
		for (path in at)
			if (path ~ /^phases_ns\./)
				phases += n(path)
		most("batches are made of phases", (n("batches.mean_time_ns") - 0.051) * count, phases)
	}
}

function check_replays(   replays, count, policy)
{
	replays = n("replays")
	count = n("batches.count")
	policy = at["parameters.set.replay_policy"]
	needs("what faults is replayed", n("faults.fetched"), replays)
	if (policy == "batch" || policy == "batch_flush")
		same("a replay for each batch", replays, count)
	if (policy == "once")
		most("once: no more replays than batches", replays, count)
	if (policy == "block" && !n("faults.throttled"))
		most("block: a replay for each batch at least", count, replays)
	# On the real clock a record of the process before may still be in the buffer; the driver
	# then drops all that is there (nvidia-uvm: a stale entry).
	if (at["clock"] == "virtual" && (policy == "block" || policy == "batch" || policy == "once"))
		same("no flush without a policy that flushes", n("faults.flushed"), 0)
}

function check_bytes(   path)
{
	for (path in at)
		if (path ~ /(^migrated_bytes|\.(prefetch_)?bytes(_from)?)\./)
			same("only whole pages move", n(path) % 4096, 0)
	# between peers access counters move, too; and what copies by address fault on
	if (!n("migrated_bytes.peer") && !n("faults.non_replayable"))
		same("to the GPU: on demand, prefetched or by counters", n("migrated_bytes.htod"),
		     n("migrated_bytes.htod_demand") + n("migrated_bytes.htod_prefetch") +
		     n("migrated_bytes.htod_counter"))
	most("to the CPU: evicted, prefetched or one page for a fault", n("migrated_bytes.dtoh"),
	     n("migrated_bytes.dtoh_eviction") + n("migrated_bytes.dtoh_prefetch") +
	     4096 * n("faults.cpu"))
	most("what is evicted or prefetched goes to the CPU", n("migrated_bytes.dtoh_eviction") +
	     n("migrated_bytes.dtoh_prefetch"), n("migrated_bytes.dtoh"))
}

function check_evictions(   pages)
{
	pages = n("evictions.pages")
	same("what is evicted is copied", 4096 * pages, n("migrated_bytes.dtoh_eviction"))
	needs("an evicted page is in a chunk", pages, n("evictions.chunks"))
	most("an evicted chunk has pages", n("evictions.chunks"), pages)
	needs("nothing is premature without an eviction", n("evictions.premature"), pages)
	most("a page returns once for each eviction", n("evictions.returned"), pages)
	# a page that stays where it went may fault again and again
	if (!n("thrashing.pins_remote") && !n("access_counters") && residency() == "first_touch")
		most("a page is premature once for each eviction", n("evictions.premature"), pages)
	most("only what came is evicted", 4096 * pages, n("migrated_bytes.htod") +
	     n("migrated_bytes.peer") + gpus("bytes.populated"))
}

function residency()
{
	return "parameters.set.residency_policy" in at ? at["parameters.set.residency_policy"] :
							 "first_touch"
}

function check_thrashing()
{
	most("who is throttled skips a fault", n("thrashing.throttles_gpu"), n("faults.throttled"))
	needs("what is pinned thrashes", n("thrashing.pins_local") + n("thrashing.pins_remote"),
	      n("thrashing.pages"))
	needs("who is throttled thrashes", n("thrashing.throttles_cpu") +
	      n("thrashing.throttles_gpu"), n("thrashing.pages"))
	needs("counters move by notifications", n("migrated_bytes.htod_counter"),
	      n("access_counters"))
}

# What SMs access in system memory, by one GPU: of others the report tells nothing.
function check_link(   lines)
{
	lines = n("link.reads") + n("link.writes")
	most("a request has a sector", 32 * n("link.reads"), n("link.read_bytes"))
	most("a request has at most a line", n("link.read_bytes"), 128 * n("link.reads"))
	most("a written request has a sector", 32 * n("link.writes"), n("link.write_bytes"))
	most("a written request has at most a line", n("link.write_bytes"), 128 * n("link.writes"))
	same("whole sectors go over the link", (n("link.read_bytes") + n("link.write_bytes")) % 32, 0)
	# counters are also of what is at another GPU
	if (at["clock"] == "virtual" && !("processors.2.processor" in at))
		most("a notification tells of an access", n("access_counters"), lines)
	# a page pinned at the CPU, wherever it faulted, is mapped on the GPUs that fight for it;
	# a policy for all parts brings a residency of its own
	if (residency() == "first_touch" && !n("thrashing.pins_local") &&
	    !n("thrashing.pins_remote") && !("parameters.set.policy" in at) && !keeps_remote())
		same("nothing goes over the link where all comes", lines, 0)
}

# Has a parameter been set with which first_touch, too, maps what is elsewhere?
function keeps_remote(   path)
{
	for (path in at)
		if (path ~ /^parameters\.set\.perf_map_remote_/)
			return 1
	return 0
}

function from_gpus(path,   sum, i)
{
	for (i = 0; (path ".gpu" i) in at; i++)
		sum += n(path ".gpu" i)
	return sum + 0
}

function check_processors(   path, i, p)
{
	same("faults by processor", gpus("faults.all"), n("faults.fetched"))
	same("duplicates by processor", gpus("faults.duplicate"), n("faults.duplicate"))
	same("reads by processor", gpus("faults.read"), n("faults.read"))
	same("writes by processor", gpus("faults.write"), n("faults.write"))
	same("atomics by processor", gpus("faults.atomic"), n("faults.atomic"))
	same("prefetches by processor", gpus("faults.prefetch"), n("faults.prefetch"))
	same("faults of the CPU", n("processors.0.faults.all"), n("faults.cpu"))
	same("a CPU fault reads or writes", n("processors.0.faults.read") +
	     n("processors.0.faults.write"), n("faults.cpu"))
	same("replays by processor", gpus("replays.start") + gpus("replays.start_ack_all"),
	     n("replays"))
	same("to the GPU by processor", gpus("bytes_from.cpu"), n("migrated_bytes.htod"))
	same("to the CPU by processor", from_gpus("processors.0.bytes_from"),
	     n("migrated_bytes.dtoh"))
	same("prefetched to the GPU by processor", gpus("prefetch_bytes_from.cpu"),
	     n("migrated_bytes.htod_prefetch"))
	same("prefetched to the CPU by processor", from_gpus("processors.0.prefetch_bytes_from"),
	     n("migrated_bytes.dtoh_prefetch"))
	same("pages of faults by processor", 4096 * gpus("fault_pages.in"),
	     n("migrated_bytes.htod_demand") + n("migrated_bytes.htod_prefetch") +
	     n("migrated_bytes.peer"))
}

# Bytes that came to processor I less those that left it.
function balance(i,   sum, j, p)
{
	p = "processors." i ".bytes_from."
	sum = n(p "cpu") + from_gpus("processors." i ".bytes_from")
	for (j = 0; ("processors." j ".processor") in at; j++)
		sum -= n("processors." j ".bytes_from." at["processors." i ".processor"])
	return sum
}

function check_resident(   i, p, all)
{
	for (i = 0; ("processors." i ".processor") in at; i++) {
		p = "processors." i ".bytes."
		same("what came less what left is resident", n(p "populated") + balance(i),
		     n(p "resident"))
		all += n(p "resident")
		# compressed memory holds more
		if (i && at["parameters.set.capacity_compression"] + 0 == 0)
			most("what is resident has room", n(p "resident"), n("vram_bytes"))
	}
	# a buffer may end within a page
	most("no more is resident than there is", all, n("footprint_bytes"))
}

function check_execution(   path)
{
	for (path in at)
		if (path ~ /^execution\./ && path !~ /mean_/)
			most("the kernels' part is a part", n(path), n(substr(path, 11)))
}

function check_explicit()
{
	same("no fault in explicit memory", n("faults.fetched") + n("faults.cpu"), 0)
	same("no migration of explicit memory", n("migrated_bytes.htod") +
	     n("migrated_bytes.dtoh"), 0)
}

function check_events(   i)
{
	same("events of faults", count["gpu_fault"] + 0, n("faults.fetched"))
	same("events of duplicates", count["duplicate"] + 0, n("faults.duplicate"))
	same("events of reads", access["read"] + 0, n("faults.read"))
	same("events of writes", access["write"] + 0, n("faults.write"))
	same("events of atomics", access["atomic"] + 0, n("faults.atomic"))
	same("events of CPU faults", count["cpu_fault"] + 0, n("faults.cpu"))
	same("events of throttled faults", count["throttle"] + 0, n("faults.throttled"))
	same("events of overflows", count["fault_buffer_overflow"] + 0,
	     n("faults.buffer_overflows"))
	same("events of replays", count["replay"] + 0, n("replays"))
	same("events of batches", count["batch"] + 0, n("batches.count"))
	same("a record is in the event of a batch", faults + 0, n("faults.fetched"))
	same("the largest batch has an event", largest + 0, n("batches.max_faults"))
	mean("time of batches in events", "batches.mean_time_ns", duration + 0)
	mean("handling of batches in events", "batches.mean_handling_ns", handling + 0)
	mean("bytes of batches in events", "batches.mean_bytes", bytes["batch"] + 0)
	same("events of evictions", bytes["eviction"] + 0, 4096 * n("evictions.pages"))
	same("events of thrashing", count["thrashing_detected"] + 0, n("thrashing.pages"))
	same("events of throttled GPUs", count["throttling_start gpu"] + 0,
	     n("thrashing.throttles_gpu"))
	same("events of the throttled CPU", count["throttling_start cpu"] + 0,
	     n("thrashing.throttles_cpu"))
	same("events of access counters", count["access_counter"] + 0, n("access_counters"))
	check_moves()
	# only if asked for, as they are no usual events; explicit memory takes some to set up,
	# which the report leaves out
	for (i in at)
		if (count["phase"] && at["memory"] != "explicit" && i ~ /^phases_ns\./)
			same("events of phases", phase[substr(i, 11)] + 0, n(i))
}

function check_moves()
{
	same("migrations to the GPU", bytes["migration cpu>gpu"] + 0, n("migrated_bytes.htod"))
	same("migrations to the CPU", bytes["migration gpu>cpu"] + 0, n("migrated_bytes.dtoh"))
	same("copies to the GPU", bytes["copy cpu>gpu"] + 0, n("migrated_bytes.htod"))
	same("copies to the CPU", bytes["copy gpu>cpu"] + 0, n("migrated_bytes.dtoh"))
	same("migrations on demand", bytes["migration cpu>gpu fault"] + 0,
	     n("migrated_bytes.htod_demand"))
	same("migrations by eviction", bytes["migration gpu>cpu eviction"] + 0,
	     n("migrated_bytes.dtoh_eviction"))
	same("prefetched to the CPU in events", bytes["migration gpu>cpu prefetch"] + 0,
	     n("migrated_bytes.dtoh_prefetch"))
	# what the prefetcher adds to access counters is theirs in the report
	if (!n("access_counters"))
		same("prefetched to the GPU in events", bytes["migration cpu>gpu prefetch"] + 0,
		     n("migrated_bytes.htod_prefetch"))
}

function check_report()
{
	same("the result is right", at["verified"] == "true", 1)
	check_faults()
	check_batches()
	check_replays()
	check_bytes()
	check_evictions()
	check_thrashing()
	check_link()
	check_processors()
	check_resident()
	check_execution()
	if (at["memory"] == "explicit")
		check_explicit()
	# on the real clock a slow reader loses some
	if ("events_lost" in at && !n("events_lost"))
		check_events()
}

# Of what was read; and nothing of it stays.
function judge(   i)
{
	complaints = ""
	same("one report", reports + 0, 1)
	if (reports)
		check_report()
	for (i in missing)
		complain("the report has no " i)
	split("", at)
	split("", missing)
	split("", count)
	split("", access)
	split("", bytes)
	split("", phase)
	reports = faults = largest = duration = handling = 0
	status = status || complaints != ""
}

function judge_named()
{
	judge()
	gsub(/\n/, "; ", complaints)
	print (complaints == "" ? "kept " name : "broken " name ": " complaints)
}

/^run / {
	if (name != "")
		judge_named()
	name = substr($0, 5)
}

END {
	if (name != "") {
		judge_named()
	} else {
		judge()
		printf "%s", complaints
	}
	exit status
}
