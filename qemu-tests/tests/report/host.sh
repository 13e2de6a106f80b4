#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# make report at its smallest: every generator runs, every figure of the page is
# drawn from a run that succeeded, a second report runs nothing, such a smoke run is
# not judged, and the judge of what is expected to hold can say no.
# host: timeout=1800 when=soak
. ./lib.sh

report=$QEMU_TESTS/../tools/report/demystifying

check "judgements" /usr/bin/python3 -B "$QEMU_TESTS/../tools/report/demystifying_test.py"
check "what reports are made of" /usr/bin/python3 -B "$QEMU_TESTS/../tools/report/framework_test.py"
"$report" --quick --out out > out.txt
expect "a quick report" 0 $?
check "the same again, from what is kept" "$report" --quick --cached --out out
cp out/index.html first.html
check "drawn again from its data" "$report" --draw --out out
check "the same page" cmp first.html out/index.html

# drawn ID KIND: the section has a drawing of that kind, and no gap.
drawn() {
	section=$(sed 's/<h2/\n<h2/g' first.html | grep -A100000 "^<h2 id=\"$1\"" |
		awk 'NR > 1 && /^<h2/ { exit } { print }')
	if [[ $section == *"<$2"* && $section != *succe* && $section == *"uvm run "* ]]; then
		ok "$1 is drawn"
	else
		not_ok "$1 is drawn" "$(cut -c 1-300 <<< "$section")"
	fi
}
for figure in fig1 fig3 fig4 fig5 fig9 fig10 suggestions suggested real; do
	drawn $figure svg
done
# Its chart opens the page.
drawn table1 td
drawn fig7 image
drawn fig8 image
sed 's/<h2/\n<h2/g' first.html > sections
expect "one chart opens the page" 1 "$(sed '/^<h2/,$d' sections | grep -o '<svg' | wc -l)"
expect "Fig. 7 has eight workloads" 8 \
	"$(sed -n '/^<h2 id="fig7"/,/^<h2 id="fig8"/p' sections | grep -v 'id="fig8"' |
		grep -o '<svg' | wc -l)"
expect "verdicts come first" deviations \
	"$(sed -n 's/^<h2 id="\([a-z0-9]*\)".*/\1/p' sections | head -n 1)"
expect "a smoke run says so" 1 "$(grep -c 'This is a smoke run' first.html)"
expect "and is not judged" 0 "$(grep -c 'class=deviation' first.html)"
expect "nor on stdout" 0 "$(grep -Ec '^(pass|deviation): ' out.txt)"
expect "but measured" 1 "$(($(grep -c '^not judged: ' out.txt) > 20))"
finish
