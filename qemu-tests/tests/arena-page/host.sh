#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The arena's page in a browser without a window: sums against numbers that were made by hand,
# sorting, filters, cells, keys, the view in the address, and names that would like to be scripts.
# host: timeout=1200
. ./lib.sh

arena=$(realpath "$QEMU_TESTS/../tools/arena")
"$QEMU_TESTS/install-packages" "$QEMU_TESTS/packages-browser" > install.log 2>&1 ||
	not_ok "a browser is installed" "$(tail -n 5 install.log)"

check "units" /usr/bin/python3 -B "$arena/page_test.py"
/usr/bin/python3 -B "$TEST/results.py" "$arena" small.toml made out ||
	not_ok "results are made by hand"
"$arena/arena" small.toml --out out --collect made --page > said 2> err
expect "some have failed" 1 $?
check "the page is there, which is said" grep -qxF 'page: out/a<b>.html' said
cp 'out/a<b>.html' first.html
"$arena/arena" small.toml --out out --collect made --page > said 2> err
check "it is the same again" cmp first.html 'out/a<b>.html'
"$arena/arena" small.toml --out plain --collect made --page > said 2> err
expect "one without bounds" 1 $?

# Lines of: what, wanted, got.
timeout 300 /usr/bin/python3 -B "$TEST/browser.py" out/*.html plain/*.html > seen 2> browser.log
expect "the browser came to its end" 0 $?
note "$(tail -n 5 browser.log)"
while IFS=$'\t' read -r what want got; do
	expect "$what" "$want" "$got"
done < seen
finish
