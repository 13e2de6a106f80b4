#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every workload verifies at every oversubscription, with every policy, and with 2 MB of
# usable memory, and its report keeps what holds in any run: every pair of
# settings; with "some" a few of these rows, each workload once; with "full" every
# combination at the default granularity.
# vm: kernel=uml timeout=1800 softgpu="clock=virtual" args="pairs" name=virtual
# vm: kernel=stock timeout=900 softgpu="clock=real" args="some" name=real
# vm: kernel=stock timeout=3600 softgpu="clock=real" args="pairs" name=pairs-real when=soak
# vm: kernel=uml timeout=14000 softgpu="clock=virtual" args="full" name=full-virtual when=soak
# vm: kernel=stock timeout=14000 softgpu="clock=real" args="full" name=full-real when=soak
. ./lib.sh

# Seconds for a run.  The product has runs that thrash, and a busy machine slows
# those most: the faster the driver beside the GPU, the more it serves in vain.
if [ "$1" = full ]; then limit=600; else limit=120; fi
# Names of all policies of a parameter, in one line.
policies() {
	uvm list | sed -n "s/^  $1=\([a-z0-9_]*\) .*/\1/p" | tr '\n' ' '
}

columns() {
	cat <<-END
		workload vecadd triad regular random sgemm tensor bfs chase stencil cufft tealeaf hpgmg cusparse
		oversubscription 50 100 125 150 200
		replay $(policies replay_policy)
		prefetch on off adaptive
		eviction $(policies eviction_policy)
		memory normal 2M
		granularity 2m 64k 4k
	END
}

# A few MB each, so that 200 % leaves more than one chunk; at most two million warp
# instructions.  (A larger cube for hpgmg would have eight times as many.)
arguments() {
	case $1 in
	vecadd) echo vecadd --elements 1500 --stride 4K ;;
	triad) echo triad --size 6M ;;
	regular) echo regular --size 10M ;;
	random) echo random --size 10M --access both ;;
	sgemm) echo sgemm --m 64 --n 20480 --k 16 ;;
	tensor) echo sgemm --tensor --m 64 --n 12800 --k 64 ;;
	bfs) echo bfs --kronecker 13 --degree 24 ;;
	chase) echo chase --size 8M ;;
	stencil) echo stencil --size 6M --sweeps 2 ;;
	cufft) echo cufft --size 3M --points 8 ;;
	tealeaf) echo tealeaf --size 5M --iterations 1 ;;
	hpgmg) echo hpgmg --cells 32 ;;
	cusparse) echo cusparse --size 3M --columns 32 ;;
	esac
}

# With a single root chunk: three blocks thrash whatever their size, and one
# policy without prefetch and flush then moves 2 MB for each page.
small_arguments() {
	case $1 in
	vecadd) echo vecadd --elements 512 --stride 4K ;;
	sgemm) echo sgemm --m 64 --n 1024 --k 16 ;;
	tensor) echo sgemm --tensor --m 64 --n 640 --k 64 ;;
	bfs) echo bfs --kronecker 11 --degree 16 ;;
	random) echo random --size 4M --access both ;;
	stencil) echo stencil --size 4M --sweeps 1 ;;
	tealeaf) echo tealeaf --size 2M --iterations 1 ;;
	hpgmg) echo hpgmg --cells 64 ;;
	*) arguments "$1" ;;
	esac
}

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
		what="$(arguments "$1") --oversubscription $2"
	else
		what="$(small_arguments "$1") --vram $6"
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
