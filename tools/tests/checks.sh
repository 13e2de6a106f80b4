# SPDX-License-Identifier: GPL-2.0
# What the scripts here share, to be sourced: each counts its checks and ends with their sum.

checks=0
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# result BAD MESSAGE [FILE]...: counts a check; a bad one shows the files.
result()
{
	checks=$((checks + 1))
	[ "$1" -ne 0 ] || return 0
	failed=$((failed + 1))
	echo "$what: $2" >&2
	shift 2
	[ $# -eq 0 ] || cat "$@" >&2
}

# status WANT GOT FILE...: exit statuses are the same, else the files show why not.
status()
{
	want=$1
	got=$2
	shift 2
	result $((got != want)) "status $got, not $want" "$@"
}

# contains PATTERN FILE...: there is such a line.
contains()
{
	pattern=$1
	shift
	cat "$@" | grep -q -e "$pattern"
	result $? "missing: $pattern" "$@"
}

# end_by SIGNAL [VARIABLE=VALUE]... COMMAND...: once the file "begun" is there, or after a minute; its
# status is in $ended.
end_by()
{
	sent=$1
	shift
	rm -f begun
	env --default-signal "$@" > out 2>&1 &
	tries=0
	until [ -e begun ] || [ $tries = 1200 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	kill -s "$sent" $!
	wait $! 2> /dev/null
	ended=$?
}

# summary NAME: the last line, and the exit status.
summary()
{
	printf '%-24s%u checks, %u failed\n' "$1" "$checks" "$failed"
	[ "$failed" -eq 0 ]
}
