#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# One GPU fault that moves 64 KB ... 1 MB costs what it does on a GTX 1080 Ti,
# within 10 %, from one fixed cost, one cost per page and the copy.
# vm: kernel=uml timeout=200
. ./lib.sh

uvm probe --json faults.probe > events
awk -f cost.awk events > costs
expect "what the faults move" "64 64 128 256 512 1024" "$(awk '{ printf "%s%s", s, $1; s = " " }' costs)"

# The first fault makes page tables and takes memory; the rest repeats.
tail -n +2 costs > five
note "KB, fault to replay, batch, copies:"
note "$(cat costs)"

# within NAME WANT GOT: 10 %
within() {
	if [ $(($3 * 10)) -ge $(($2 * 9)) ] && [ $(($3 * 10)) -le $(($2 * 11)) ]; then
		ok "$1: $3 ns for $2 ns"
	else
		not_ok "$1: $3 ns for $2 ns" "more than 10 % off"
	fi
}

for want in 64:25200 128:32000 256:49300 512:84400 1024:157000; do
	while read -r kb cost batch _; do
		[ "$kb" = "${want%:*}" ] || continue
		within "$kb KB, fault to replay" "${want#*:}" "$cost"
		within "$kb KB, batch" "${want#*:}" "$batch"
	done < five
done

# Nothing is fitted per case: less the copies, what each step of size adds is the
# same per page.  The last one completes the block, so that its PTEs give way to one
# of 2 MB, with another two TLB invalidates between: some us for the whole step.
awk '{
	rest = $2 - $4
	pages = $1 / 4
	if (NR > 1) {
		slope = (rest - last) / (pages - last_pages)
		if (!first)
			first = slope
		printf "# %d pages: %.1f ns per further page\n", pages, slope
		if (slope < first * 0.95 || slope > first * (pages == 256 ? 1.08 : 1.05))
			bad = 1
	}
	last = rest
	last_pages = pages
} END { exit bad || NR != 5 }' five > slopes
straight=$?
cat slopes
expect "the rest is a straight line in pages" 0 $straight
finish
