#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every workload, those of the HPE and the adaptive paper too, verifies at every oversubscription, with every
# policy, and with 2 MB of usable memory, and its report keeps what holds in any run: every pair of
# settings; with "some" a few of these rows, each workload once; with "full" every
# combination at the default granularity.
# vm: kernel=uml timeout=900 softgpu="clock=virtual" args="some" name=some
# vm: kernel=uml timeout=1800 softgpu="clock=virtual" args="pairs" name=virtual when=full
# vm: kernel=stock timeout=900 softgpu="clock=real" args="some" name=real
# vm: kernel=stock timeout=3600 softgpu="clock=real" args="pairs" name=pairs-real when=soak
# vm: kernel=uml timeout=14000 softgpu="clock=virtual" args="full" name=full-virtual when=soak
# vm: kernel=stock timeout=14000 softgpu="clock=real" args="full" name=full-real when=soak
. ./lib.sh

# Seconds for a run.  The product has runs that thrash, and a busy machine slows
# those most: the faster the driver beside the GPU, the more it serves in vain.
if [ "$1" = full ]; then limit=600; else limit=120; fi

columns() {
	cat <<-END
		workload $(cut -d '|' -f 1 list | tr '\n' ' ')
		oversubscription 50 100 125 150 200
		replay $(policies replay_policy)
		prefetch on off adaptive
		eviction $(policies eviction_policy)
		memory normal 2M
		granularity 2m 64k 4k
	END
}

# options WORKLOAD COLUMN: with its name; of "list".
options() {
	echo "${1%:*} $(grep "^$1|" list | cut -d '|' -f "$2")"
}

{ workloads all; workloads hpe; workloads adaptive; } > list
columns > columns
if [ "$1" = full ]; then
	# Usable memory that is given does not depend on the oversubscription; the
	# granularity is a later column, of which pairs are enough.
	awk -v full=1 -f pairwise.awk columns |
		awk '($6 != "2M" || $2 == 200) && $7 == "2m"' > rows
else
	awk -f pairwise.awk columns > rows
	expect "the rows hold every pair" "" "$(awk -v check=rows -f pairwise.awk columns)"
fi
if [ "$1" = some ]; then
	awk '!seen[$1]++' rows > some
	mv some rows
fi
note "$(wc -l < rows) rows"

# run WORKLOAD OVERSUBSCRIPTION REPLAY PREFETCH EVICTION MEMORY GRANULARITY
run() {
	if [ "$6" = normal ]; then
		what="$(options "$1" 2) --oversubscription $2"
	else
		what="$(options "$1" 3) --vram $6"
	fi
	case $4 in
	on) prefetch=perf_prefetch_enable=1 ;;
	off) prefetch=perf_prefetch_enable=0 ;;
	adaptive) prefetch=prefetch_policy=adaptive ;;
	esac
	# Events take time.
	case $5 in
	random) events="--events events --event-types $event_types" ;;
	*) events= ;;
	esac
	: > events
	# shellcheck disable=SC2086
	timeout -s KILL $limit uvm run $what --set replay_policy="$3" \
		--set $prefetch --set eviction_policy="$5" \
		--set root_chunk_granularity="$7" $events --json --quiet \
		> report 2> errors
	status=$?
	if [ $status = 0 ]; then
		invariants "$*" report events
	else
		not_ok "$*" "status $status: $(cut -c 1-600 report errors)"
	fi
}

# Once, in these three settings together, eviction came before each replay and
# nothing ever got through.
for replay in block batch block_flush; do
	echo "random 200 $replay off lru 2M 2m"
done > always
grep -vxFf rows always >> rows
while read -r row; do
	# shellcheck disable=SC2086
	run $row < /dev/null
done < rows
expect "no object is left" "" "$(objects_left)"
finish
