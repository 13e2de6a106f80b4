# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What tests of reports share, on the host, after lib.sh: a report is made at its smallest, and
# each section of its page is looked at.

# report_made NAME: its judge can say no, all of it runs, what is kept makes the same page.
report_made() {
	local reports=$QEMU_TESTS/../tools/report

	check "judgements" /usr/bin/python3 -B "$reports/${1//-/_}_test.py"
	check "a quick report" "$reports/$1" --quick --out out
	check "the same again, from what is kept" "$reports/$1" --quick --cached --out out
	cp out/index.html first.html
	check "drawn again from its data" "$reports/$1" --draw --out out
	check "the same page" cmp first.html out/index.html
	sed 's/<h2/\n<h2/g' first.html > sections
}

# report_drawn WHAT ID...: these sections have that in them, commands, and no gap.
report_drawn() {
	local what=$1 id section

	shift
	for id; do
		section=$(grep -A100000 "^<h2 id=\"$id\"" sections |
			awk 'NR > 1 && /^<h2/ { exit } { print }')
		if [[ $section == *"$what"* && $section != *succe* &&
		      $section == *"qemu-tests/vm "* ]]; then
			ok "$id is drawn"
		else
			not_ok "$id is drawn" "$(cut -c 1-300 <<< "$section")"
		fi
	done
}

# report_ends: the page begins with what deviates; and the plan.
report_ends() {
	expect "verdicts come first" deviations \
		"$(sed -n 's/^<h2 id="\([a-z0-9]*\)".*/\1/p' sections | head -n 1)"
	finish
}
