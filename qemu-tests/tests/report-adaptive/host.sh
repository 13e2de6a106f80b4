#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# uvm report adaptive at its smallest: every generator runs, every figure of the page is
# drawn, a second report runs nothing, and the judge of what is expected to hold can say no.
# host: timeout=1200 when=soak
. ./lib.sh

reports=$QEMU_TESTS/../tools/report

check "judgements" /usr/bin/python3 -B "$reports/adaptive_test.py"
check "a quick report" "$reports/adaptive" --quick --out out
check "the same again, from what is kept" "$reports/adaptive" --quick --cached --out out
cp out/index.html first.html
check "drawn again from its data" "$reports/adaptive" --draw --out out
check "the same page" cmp first.html out/index.html
sed 's/<h2/\n<h2/g' first.html > sections

# drawn ID WHAT: the section has that in it, commands, and no gap.
drawn() {
	section=$(grep -A100000 "^<h2 id=\"$1\"" sections |
		awk 'NR > 1 && /^<h2/ { exit } { print }')
	if [[ $section == *"$2"* && $section != *succe* && $section == *"qemu-tests/vm "* ]]; then
		ok "$1 is drawn"
	else
		not_ok "$1 is drawn" "$(cut -c 1-300 <<< "$section")"
	fi
}
for figure in fig1 fig2 fig5a fig5b timing remote memory footprint; do
	drawn $figure "<svg"
done
drawn detection "<td>"
expect "verdicts come first" deviations \
	"$(sed -n 's/^<h2 id="\([a-z0-9]*\)".*/\1/p' sections | head -n 1)"
finish
