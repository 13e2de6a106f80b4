#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The hook before a commit refuses what make check would, by what is staged, and nothing else.
# host: timeout=1200 when=full
. ./lib.sh

top=$(realpath "$QEMU_TESTS/..")
mkdir repo
for path in "$top"/* "$top"/.[!.]*; do
	case ${path##*/} in
	.git | .cache | build | compile_commands.json) ;;
	*) cp -r "$path" repo ;;
	esac
done
cd repo || exit 1
unset SOFTUVM_BUILD
{
	git init -q
	git config user.name somebody
	git config user.email somebody@example.org
	git add -A
	git commit -qm "the tree"
	make hooks
} > ../git.log 2>&1
expect "make hooks" qemu-tests/hooks "$(git config core.hooksPath)"

# stage FILE SCRIPT: begin with the tree, edit the file with sed, and stage it.
stage() {
	git reset -q --hard
	sed -i "$2" "$1"
	check "$1 is another one" test -n "$(git diff -- "$1")"
	git add "$1"
}

# refused NAME PATTERN: a commit ends with something to mend that looks like that.
refused() {
	git commit -qm "$1" > ../said 2>&1
	expect "$1: not committed" 1 $?
	check "$1: is said" grep -Eq "$2" ../said
	[ "$failures" = 0 ] || note "$(cat ../said)"
}

# accepted NAME
accepted() {
	git commit -qm "$1" > ../said 2>&1
	expect "$1: committed" 0 $?
	expect "$1: nothing is said" "" "$(cat ../said)"
}

stage softgpu/regs.c '$ a /* A remark. */'
accepted "a good change"
stage softgpu/regs.c '$ a /* A remark. */ '
refused "a trailing blank" '^softgpu/regs\.c:[0-9]+: .*trailing whitespace'
stage README.md '3 s/$/ /'
refused "a trailing blank in text" '^README\.md:3: trailing whitespace'
stage softgpu/regs.c "\$ a /* $(printf 'word %.0s' {1..20}) */"
refused "a long line" '^softgpu/regs\.c:[0-9]+: .*LONG_LINE'
stage softgpu/base/gpu.h '/^ \* @profile_name: /d'
refused "a member without a description" '^softgpu/base/gpu\.h:[0-9]+: .*profile_name'
stage uvm/policy/replay.c '/^#include/ i #include <linux/spinlock.h>'
refused "an include that a policy may not have" '^uvm/policy/replay\.c:.*not for a policy'
stage qemu-tests/tests/fuzz/calls.c '/", UVM_IOC_RESIDENCY,/d'
refused "a call that is not fuzzed" 'no row for UVM_IOC_RESIDENCY'
stage qemu-tests/lib/schedule.py '$ a raise SystemExit(1)'
refused "a broken script that has a test" 'schedule_test\.py: exits'

# What is staged counts, not what lies beside it.
stage softgpu/regs.c '$ a /* A remark. */ '
sed -i 's/ $//' softgpu/regs.c
refused "the good one is not staged" 'trailing whitespace'
stage softgpu/rm.c '$ a /* A remark. */'
echo 'x ' >> softgpu/rm.c
accepted "the bad one is not staged"

stage softgpu/regs.c '$ a /* Another remark. */ '
check "--no-verify" git commit -qm "as I say" --no-verify
git rm -q softgpu/regs.c
accepted "a file that goes"
finish
