#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The graph workloads of the batch-aware paper verify under the policies that it compares
# (issue 4, E.4).  ETC turns SMs off that have work, which no other run does.  A tenth of a small
# graph would be less memory than there can be.
# vm: kernel=stock timeout=900 softgpu="profile=asplos20 set=virtual_thread:0" args="3M 150 bc bfs-dwc gc-ttc" name=some
# vm: kernel=stock cpus=2 timeout=600 softgpu="profile=asplos20 set=virtual_thread:0 clock=real" args="3M 150 bc bfs-twc" name=real
# vm: kernel=stock timeout=7000 softgpu="profile=asplos20 set=virtual_thread:0" args="4M 200,133,100 bc bfs-dwc bfs-ta bfs-tf bfs-ttc bfs-twc gc-dtc gc-ttc kcore pagerank sssp-twc" name=grid when=soak
# vm: kernel=stock timeout=14000 memory=1024 softgpu="profile=asplos20 set=virtual_thread:0" args="18M 1000 bc bfs-dwc bfs-ta bfs-tf bfs-ttc bfs-twc gc-dtc gc-ttc kcore pagerank sssp-twc" name=tenth when=soak
. ./lib.sh

size=$1
percents=$(echo "$2" | tr ',' ' ')
shift 2

# words POLICY: what stands for it.
words() {
	case $1 in
	baseline) echo "eviction_timing=serial" ;;
	TO) echo "eviction_timing=serial concurrency_policy=oversubscribe" ;;
	UE) echo "eviction_timing=unobtrusive" ;;
	TO+UE) echo "eviction_timing=unobtrusive concurrency_policy=oversubscribe" ;;
	ETC) echo "eviction_timing=serial concurrency_policy=throttle capacity_compression=1" ;;
	eager) echo "eviction_timing=eager prefetch_policy=fitting" ;;
	ours) echo "$(words TO+UE) prefetch_policy=fitting eviction_policy=accessed \
replay_policy=block" ;;
	esac
}

# sets POLICY: the same as words of the command.
sets() {
	for word in root_chunk_granularity=64k $(words "$1"); do
		printf -- '--set %s ' "$word"
	done
}

for w; do
	rounds=
	case $w in
	gc-*) rounds="--rounds 8" ;;
	esac
	for percent in $percents; do
		for policy in baseline TO UE TO+UE ETC eager ours; do
			# shellcheck disable=SC2046,SC2086
			check "$w, $policy, $percent %: is verified" uvm run "$w" --quiet --json \
				--size "$size" --degree 6 --initiator 45,15,15,25 --shuffle \
				$rounds --oversubscription "$percent" \
				$(sets "$policy")
		done
	done
done
expect "no object is left" "" "$(objects_left)"
finish
