#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm run --trace, uvm trace record, uvm trace --perfetto: equal runs make equal
# files, recording changes nothing, the JSON has the structure that Perfetto
# wants, and all of it agrees with the counters of the run.
# host: timeout=1200
. ./lib.sh

files=(plain.json second.trace second.perfetto record.trace)
for name in first blocks demand; do
	files+=($name.trace $name.perfetto $name.json)
done
"$VM" --kernel uml --timeout 600 --put "$TEST/guest.sh" \
	"${files[@]/#/--get=}" -- sh ./guest.sh > out 2> err
status=$?
if [ $status = 0 ]; then
	ok "runs in the VM"
else
	not_ok "runs in the VM" "status $status: $(tail -n 20 err)"
	finish
fi
note "$(wc -lc first.trace first.perfetto)"
check "equal runs make equal traces" cmp first.trace second.trace
check "and equal JSON" cmp first.perfetto second.perfetto
check "uvm trace record does the same" cmp first.trace record.trace
expect "a traced run gives the same results" \
	"$(sed 's/"wall_time_s":[^,]*,//' plain.json)" "$(sed 's/"wall_time_s":[^,]*,//' first.json)"
for name in first blocks demand; do
	check "$name: structure and numbers" \
		python3 "$TEST/check.py" $name.trace $name.perfetto $name.json
done
check "thread blocks are there when asked for" grep -q '"timeline":"block"' blocks.trace
refuse "and only then" 1 grep -q '"timeline":"block"' first.trace

# A checker that accepts everything checks nothing.
sed 's/"faults":[1-9]/"faults":0/' first.perfetto > broken.perfetto
refuse "the checker finds wrong numbers" 1 \
	python3 "$TEST/check.py" first.trace broken.perfetto first.json
sed 's/"name":"map","ts":[0-9.]*/"name":"map","ts":1/' first.perfetto > broken.perfetto
refuse "and slices out of place" 1 \
	python3 "$TEST/check.py" first.trace broken.perfetto first.json
finish
