#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On the real clock the driver does not run far ahead of its replays: each page
# would come back with every one of them (300 records for each of "block" once).
# vm: kernel=stock softgpu="clock=real" timeout=300
. ./lib.sh

# 1500 elements in three arrays, each in a page of its own.
pages=4500
for policy in $(policies replay_policy); do
	uvm run vecadd --elements 1500 --stride 4K --oversubscription 150 --set replay_policy="$policy" \
		--set perf_prefetch_enable=0 --json --quiet > report
	fetched=$(grep -o '"fetched":[0-9]*' report | head -n 1 | cut -d : -f 2)
	if [ "$fetched" -ge $pages ] && [ "$fetched" -le $((20 * pages)) ]; then
		ok "$policy: $fetched fault records"
	else
		not_ok "$policy: $fetched fault records" "not in $pages ... $((20 * pages))"
	fi
done
finish
