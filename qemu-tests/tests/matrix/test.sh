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

# commands: for each row its settings, and behind a "|" the command; of "list".
commands() {
	awk -F '[|]' -v types="$event_types" '
		NR == FNR { usual[$1] = $2; tiny[$1] = $3; next }
		{
			split($0, row, " ")
			name = row[1]
			sub(/:.*/, "", name)
			split("perf_prefetch_enable=1 perf_prefetch_enable=0 prefetch_policy=adaptive", how, " ")
			prefetch = how[row[4] == "on" ? 1 : row[4] == "off" ? 2 : 3]
			memory = row[6] == "normal" ? usual[row[1]] " --oversubscription " row[2] : \
						      tiny[row[1]] " --vram " row[6]
			# Events take time.
			events = row[5] == "random" ? " --events events --event-types " types : ""
			print $0 "|" name " " memory " --set replay_policy=" row[3] " --set " prefetch \
			      " --set eviction_policy=" row[5] " --set root_chunk_granularity=" row[7] events
		}' list rows
}

# run SETTINGS OPTIONS: its report and its events go to "runs", with no process more than it takes.
run() {
	: > events
	# what died may have left half a line
	printf '\nrun %s\n' "$1" >> runs
	# shellcheck disable=SC2086
	timeout -s KILL $limit uvm run $2 --json --quiet >> runs 2> errors
	expect "$1: status" 0 $?
	[ ! -s errors ] || note "$(cut -c 1-600 errors)"
	[ ! -s events ] || cat events >> runs
}

# Once, in these three settings together, eviction came before each replay and
# nothing ever got through.
for replay in block batch block_flush; do
	echo "random 200 $replay off lru 2M 2m"
done > always
grep -vxFf rows always >> rows
commands > commands
expect "a command for each row" "$(grep -c . rows)" "$(grep -c . commands)"

# judge: what has run since the last time; events take room.
judge() {
	invariants_of runs
	: > runs
	unjudged=0
}

: > runs
unjudged=0
# read takes its input byte by byte, each a system call: not from a file of all.
IFS='
'
set -f
for row in $(cat commands); do
	IFS=' '
	run "${row%%|*}" "${row#*|}" < /dev/null
	unjudged=$((unjudged + 1))
	[ $unjudged -lt 200 ] || judge
done
unset IFS
set +f
judge
expect "no object is left" "" "$(objects_left)"
finish
