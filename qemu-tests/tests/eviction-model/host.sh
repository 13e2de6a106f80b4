#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Eviction policies of the HPE paper do as an independent model does (model.py): of random strings of
# page walks they evict the same pages, one by one.  The driver's evictor and policies are built into
# a program of the host (program/).
# host: timeout=1200 args="300 1"
# Ten thousand of them.
# host: timeout=3600 when=soak name=soak args="10000 1"
. ./lib.sh

SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover" "$TEST/program/compile" > build.log 2>&1 ||
	not_ok "the program is built" "$(cat build.log)"
check "the numbers of the paper's patterns" python3 -B "$TEST/compare.py" ./strings --table
check "the model and the policies evict the same" \
	python3 -B "$TEST/compare.py" ./strings "$1" "$2"
# A comparison that accepts everything compares nothing.
check "another parameter is noticed" python3 -B "$TEST/compare.py" ./strings --control
finish
