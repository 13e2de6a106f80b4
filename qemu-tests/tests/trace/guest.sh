#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Inside the VM: record runs and convert them; leaves the files.
set -e
run="triad --size 6M --oversubscription 200 --quiet --json"

uvm run $run --trace first.trace > first.json
uvm run $run --trace second.trace > second.json
uvm trace record -o record.trace uvm run $run > record.json
uvm run $run > plain.json
uvm run random --size 2M --vram 2M --quiet --json --trace blocks.trace --trace-blocks \
	--trace-stall 0 > blocks.json
uvm run regular --size 4M --quiet --json --set perf_prefetch_enable=0 \
	--trace demand.trace > demand.json
for name in first second blocks demand; do
	uvm trace --perfetto $name.trace -o $name.perfetto
done
uvm trace --perfetto first.trace | cmp - first.perfetto
