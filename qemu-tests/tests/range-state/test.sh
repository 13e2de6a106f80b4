#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What policies keep of each managed range (policies, "By allocation"): one allocation that keeps
# returning beside one that does not.
# vm: kernel=uml,uml-debug softgpu="vram_mb=8" timeout=300
# vm: kernel=stock softgpu="vram_mb=8 clock=real" name=real timeout=600
. ./lib.sh

# 16 MB in steps of 64 KB; memory has half of that.
all=$(seq -s ' ' 0 65536 16711680)
some="0 65536 131072 196608"

# both NAME SETTING...: "again" is read over and over, then "once" a little, with the settings;
# stdin has further commands.
both() {
	name=$1
	shift
	{
		echo "set root_chunk_granularity 64k"
		printf 'set %s\n' "$@"
		printf '%s\n' "alloc once 2M" "alloc again 16M" "cpu write once 0 2M" \
			"cpu write again 0 16M"
		for _ in 1 2 3 4; do
			echo "gpu read again $all"
		done
		echo "gpu read once $some"
		cat
	} > script
	uvm probe --json script > out 2> errors
	expect "$name: runs" 0 $?
}
# remote NAME: KB of an allocation that were mapped over the link.
remote() {
	grep '"event":"map_remote"' out | grep "\"name\":\"$1\"" |
		sed 's/.*"bytes":\([0-9]*\).*/\1/' | awk '{ n += $1 } END { print n / 1024 + 0 }'
}
# maps NAME OFFSET: was the address mapped over the link?
maps() {
	grep '"event":"map_remote"' out | grep "\"name\":\"$1\"" |
		sed 's/.*"offset":\([0-9]*\),"bytes":\([0-9]*\).*/\1 \2/' |
		awk -v at="$2" '$1 <= at && at < $1 + $2 { found = 1 } END { exit !found }'
}

both "nvidia" "policy nvidia" < /dev/null
expect "nvidia: nothing is read over the link" 0 "$(remote again)"

# A bundle: what the three members know is one thing.
both "bundle" "policy returning" < /dev/null
check "bundle: what keeps returning is read over the link ($(remote again) KB)" \
	[ "$(remote again)" -ge 4096 ]
expect "bundle: what does not is not" 0 "$(remote once)"
check "bundle: it moves" grep -q '"event":"migration".*"name":"once".*"dst":"gpu0"' out

# Each member can be chosen alone, and then knows the same.
both "alone" "residency_policy returning" < /dev/null
check "alone: read over the link ($(remote again) KB)" [ "$(remote again)" -ge 4096 ]
expect "alone: the other is not" 0 "$(remote once)"
both "eviction alone" "eviction_policy returning" < /dev/null
expect "eviction alone: nothing is read over the link" 0 "$(remote again)"

# What one member knows is there for another that comes later; what nobody wants is forgotten.
both "later" "prefetch_policy returning" <<-EOF
	set residency_policy returning
	gpu read again $some
EOF
check "later: known at once" maps again 0
both "forgotten" "prefetch_policy returning" <<-EOF
	set prefetch_policy tree
	set residency_policy returning
	gpu read again $some
EOF
expect "forgotten: not known" 0 "$(remote again)"

# Advice for a part cuts the range: both halves know what the whole did.
both "cut" "prefetch_policy returning" <<-EOF
	advise again 7M 1M read-duplicate=off
	set residency_policy returning
	gpu read again $some
	gpu read again 7864320
EOF
check "cut: the left part" maps again 0
check "cut: the right part" maps again 7864320
finish
