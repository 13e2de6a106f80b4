# SPDX-License-Identifier: GPL-2.0
# Output of "uvm probe --json" or a file of "uvm run --events" without times, in
# lines that can be read: the command, then its events.  Runs of events whose
# spans follow each other are one line; "copy" is left out, migrations say it.
# Of residency: whose memory has the bytes, whose is set aside, who has it mapped.
#
#   -v moves=1	one line per fault: where it was, what moved

function text(key)
{
	if (!match($0, "\"" key "\":\"[^\"]*\""))
		return ""
	return substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
}

function number(key)
{
	if (!match($0, "\"" key "\":[0-9]+"))
		return 0
	return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}

function kilo(bytes)
{
	return bytes % 1024 ? bytes : bytes ? bytes / 1024 "K" : "0"
}

function flush_run()
{
	if (run != "" && !moves)
		print "  " run " " run_name " " kilo(run_at) "+" kilo(run_end - run_at) run_rest
	run = ""
}

# What moved by the last fault, in order of addresses.
function flush_moves(   i, j, t, line, end)
{
	if (!moves || fault == "")
		return
	for (i = 2; i <= spans; i++)
		for (j = i; j > 1 && at[j] < at[j - 1]; j--) {
			t = at[j]; at[j] = at[j - 1]; at[j - 1] = t
			t = to[j]; to[j] = to[j - 1]; to[j - 1] = t
		}
	line = ""
	for (i = 1; i <= spans; i = j) {
		end = to[i]
		for (j = i + 1; j <= spans && at[j] == end; j++)
			end = to[j]
		line = line " " kilo(at[i]) "+" kilo(end - at[i])
	}
	print "  " fault ":" line
	fault = ""
	spans = 0
}

function add(kind, rest,   name, from, bytes)
{
	name = text("name")
	from = number("offset")
	bytes = kind ~ /_fault$/ ? 4096 : number("bytes")
	if (kind != run || name != run_name || rest != run_rest || from != run_end) {
		flush_run()
		run = kind
		run_name = name
		run_rest = rest
		run_at = from
	}
	run_end = from + bytes
}

# The elements of an array, a blank between them; of objects their values.
function list(key,   all)
{
	if (!match($0, "\"" key "\":\\[[^]]*\\]"))
		return ""
	all = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5)
	gsub(/"(by|access|pte_bytes)":/, "", all)
	gsub(/[{}"]/, "", all)
	gsub(/,/, " ", all)
	gsub(/65536/, "64K", all)
	gsub(/2097152/, "2M", all)
	gsub(/4096/, "4K", all)
	return all == "" ? "-" : all
}

{ event = text("event") }
text("residency") != "" {
	flush_run()
	flush_moves()
	print "  at " text("residency") " " kilo(number("offset")) "+" kilo(number("bytes")) ": " \
		list("resident") ", memory " list("populated") ", mapped " list("mapped") \
		(/"discarded":true/ ? ", discarded" : "")
	next
}
event == "copy" { next }
event == "" {
	flush_run()
	flush_moves()
	if (!moves)
		print text("cmd") (text("error") == "" ? "" : " # " text("error"))
}
event == "gpu_fault" || event == "cpu_fault" || event == "fatal_fault" {
	if (moves) {
		flush_moves()
		fault = kilo(number("offset"))
	}
	add(event, " " text("access") (text("type") == "" ? "" : " " text("type")))
}
event ~ /^read_duplicate/ {
	add(event, " " text("dst"))
}
event == "migration" || event == "eviction" || event == "map_remote" {
	if (moves && event == "migration") {
		at[++spans] = number("offset")
		to[spans] = number("offset") + number("bytes")
	}
	add(event, " " text("src") ">" text("dst") " " text("cause"))
}
event == "replay" || event == "batch" || event == "throttle" || event == "unknown" {
	flush_run()
	if (!moves)
		print "  " event (event == "batch" ? " of " number("faults") : "")
}
event == "walk_hit" {
	add(event, " hits " number("hits"))
}
event == "access_counter" {
	flush_run()
	if (!moves)
		print "  access_counter " text("name") " " kilo(number("offset")) " of " \
			kilo(number("bytes")) ": " number("accesses") " accesses, regions " \
			number("sub_granularity")
}
END {
	flush_run()
	flush_moves()
}
