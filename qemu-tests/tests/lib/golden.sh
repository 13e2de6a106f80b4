# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Comparing what "uvm probe" shows with what was worked out by hand.  To be sourced
# after lib.sh.

# same NAME: files want and got
same() {
	if cmp -s want got; then
		ok "$1"
	else
		not_ok "$1" "wanted:"
		sed 's/^/#   /' want
		note "got:"
		sed 's/^/#   /' got
	fi
}

# golden NAME [STATUS]: stdin has probe commands and, indented, the events of each;
# "uvm probe" ends with STATUS (0).
golden() {
	grep -v '^#' > want
	sed '/^ /d; s/ # .*//' want > script
	uvm probe --json script > out 2> errors
	status=$?
	awk -f events.awk out > got
	same "$1"
	expect "$1: status" "${2:-0}" $status
}
