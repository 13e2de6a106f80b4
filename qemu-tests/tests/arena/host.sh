#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm arena: what runs, what does not run again, what fails; uvm sweep; uvm compare.
# host: timeout=1200 when=full
. ./lib.sh

arena=$QEMU_TESTS/../tools/arena

check "units" /usr/bin/python3 -B "$arena/arena_test.py"
check "policies at home" /usr/bin/python3 -B "$arena/home_test.py"

# experiment POLICIES: of two workloads that are small.
experiment() {
	cat > small.toml <<END
name = "small"
oversubscription = [200]
[settings]
root_chunk_granularity = "64k"
[policies]
$1
[workloads]
triad = "triad --size 2M"
regular = "regular --size 2M"
END
}
# ran: how many runs the last arena made.
ran() {
	grep -c '^arena: [0-9]*/[0-9]*, ' err
}
# arena STATUS WHAT ARGUMENTS...
arena() {
	local status=$1 what=$2

	shift 2
	"$arena/arena" small.toml --out out "$@" > said 2> err
	expect "$what" "$status" $?
}

experiment 'lru = {}
tbne = { eviction_policy = "tbne" }'
arena 0 "an experiment"
expect "four runs" 4 "$(ran)"
check "with the time that is left" grep -q '^arena: 1/4, [0-9]*:[0-9][0-9] left: ' err
expect "four rows, and a head" 5 "$(wc -l < out/small.csv)"
expect "which is said" "4 runs, 0 failed: out/small.csv" "$(cat said)"
cp out/small.csv first.csv
arena 0 "the same again"
expect "nothing runs" 0 "$(ran)"
check "the same rows" cmp first.csv out/small.csv

experiment 'lru = {}
tbne = { eviction_policy = "tbne" }
wrong = { eviction_policy = "tbn" }'
arena 1 "with a policy that there is not"
expect "only what is new runs" 2 "$(ran)"
expect "the others are as they were" 5 "$(grep -c -Fxf first.csv out/small.csv)"
check "a row says why" grep -q 'wrong.*eviction_policy' out/small.csv
arena 1 "what has failed is known"
expect "nothing runs then either" 0 "$(ran)"
arena 1 "it is tried again" --again
expect "that alone" 2 "$(ran)"

experiment 'accessed = { eviction_policy = "accessed" }
random = { eviction_policy = "random" }
sle = { eviction_policy = "sle" }'
"$arena/arena" small.toml --out out --jobs 1 > /dev/null 2> err &
pid=$!
for _ in $(seq 1200); do
	grep -q '^arena: 1/6' err && break
	sleep 0.1
done
kill $pid
wait $pid 2> /dev/null
made=$(ran)
arena 0 "after it was killed"
check "it goes on where it was ($made and $(ran))" [ $((made + $(ran))) -le 6 -a "$(ran)" -le 5 ]
expect "all are there" 7 "$(wc -l < out/small.csv)"

"$arena/sweep" "triad --size 2M" --oversubscription 200 --out out \
	--set prefetch_policy=none,tree,tbn > sweep.csv 2> err
expect "a sweep" 0 $?
expect "three rows, and a head" 4 "$(wc -l < sweep.csv)"

"$arena/compare" out/results.db:workload=triad,policy=lru \
	out/results.db:workload=triad,policy=tbne > differs
expect "two rows differ" 1 $?
check "by how much" grep -Eq '^gpu_time_ns +[0-9]+ +[0-9]+ \([0-9.]+\)$' differs
check "in what was set" grep -q '^parameters.set.eviction_policy .*tbne' differs
expect "a row with itself" "equal, but for the host's time" "$("$arena/compare" \
	out/results.db:workload=triad,policy=lru out/results.db:workload=triad,policy=lru)"

# What no policy can do without.
experiment 'lru = {}'
arena 0 "with bounds" --bounds
expect "three runs each" 6 "$(ran)"
expect "a table of their own" 3 "$(wc -l < out/small-bounds.csv)"
cp out/small-bounds.csv bounds.csv
arena 0 "the same again" --bounds
expect "nothing runs" 0 "$(ran)"
check "the same bounds" cmp bounds.csv out/small-bounds.csv
arena 0 "elsewhere" --bounds --collect out --out there
check "they come along" cmp bounds.csv there/small-bounds.csv
/usr/bin/python3 -c 'import sqlite3
db = sqlite3.connect("there/results.db")
db.execute("UPDATE runs SET bytes_in = 4096 WHERE policy = ?", ("lru",))
db.commit()'
arena 1 "a run that is below" --bounds --collect out --out there
expect "is told" 2 "$(grep -c '^uvm arena: BELOW A BOUND: .*bytes_in 4096 < b1_bytes' err)"

# The policies of the field on eight workloads.
cp "$arena/experiments/smoke.toml" small.toml
arena 0 "the smoke set"
expect "all of it is there" "208 runs, 0 failed: out/smoke.csv
16 bounds, 0 failed: out/smoke-bounds.csv" "$(cat said)"
expect "none is below its bound" "" "$(grep BELOW err)"
expect "and verified" 208 "$(grep -c ',1,,qemu-tests/vm ' out/smoke.csv)"

experiment 'lru = {}'
sed -i 's/oversubscription/oversubscribe/' small.toml
arena 2 "a key that there is not"
expect "the nearest one" \
	"uvm arena: small.toml: no such key 'oversubscribe'; did you mean 'oversubscription'?" \
	"$(cat err)"
experiment 'lru = {}'
sed -i 's/"triad /"triade /' small.toml
arena 2 "a workload that there is not"
check "the nearest one" grep -q "no such workload 'triade'; did you mean 'triad'?" err
finish
