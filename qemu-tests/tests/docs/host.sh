#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The documentation can be built, and what it shows as output is what its commands print.
# host: timeout=1200
. ./lib.sh

top=$(dirname "$QEMU_TESTS")
docs=$top/Documentation

expect "all pages are built, and each link leads somewhere" \
	"${SOFTUVM_BUILD:-$top/build}/docs/index.html" "$(make -s -C "$top" docs 2>&1 | tail -n 1)"

# Pages of policies are made of their files.
mkdir -p tree/uvm
cp -r "$docs" tree/
cp -r "$top/uvm/policy" tree/uvm/
pages() {
	(cd tree/Documentation && /usr/bin/python3 -B -c \
		"import policy_pages; print(len(policy_pages.pages()))" 2>&1 | tail -n 1)
}
expect "a page for each policy" "$(grep -l "^UVM_POLICY(" tree/uvm/policy/*/*.c | wc -l)" "$(pages)"
expect "hardware that no GPU has is what the driver turns on" \
	"concurrency_oversubscribe concurrency_throttle timing_ideal" \
	"$(cd tree/Documentation && /usr/bin/python3 -B -c '
import policy_pages
found = [name[:-4] for name, text in policy_pages.pages().items() if policy_pages.NO_GPU in text]
print(*sorted(name for name in found if name.startswith(("concurrency_", "timing_"))))')"
sed -i "s/Deviates: /By the way: /" tree/uvm/policy/adaptive/eviction_tbne.c
check "one that is published says where it deviates" \
	sh -c 'echo "$1" | grep -q "eviction_tbne.c: published, but"' sh "$(pages)"
cp "$top/uvm/policy/adaptive/eviction_tbne.c" tree/uvm/policy/adaptive/
sed -i "s/Standing: ours/Standing: mine/" tree/uvm/policy/pilot/eviction_pilot.c
check "each says what it is" sh -c 'echo "$1" | grep -q "eviction_pilot.c: one paragraph must begin with"' sh "$(pages)"
cp "$top/uvm/policy/pilot/eviction_pilot.c" tree/uvm/policy/pilot/
sed -i "2,/\*\//d" tree/uvm/policy/references/eviction_random.c
check "and none is without words" \
	sh -c 'echo "$1" | grep -q "eviction_random.c: begins with no comment"' sh "$(pages)"

for file in "$docs"/outputs/*.txt; do
	name=$(basename "$file" .txt)
	check "output of $name" "$docs/outputs/regenerate" --check "$name"
	check "output of $name: a page shows it" \
		grep -qr "literalinclude:: outputs/$name.txt" "$docs" --include='*.rst'
done
expect "a slower host is no difference, another number is" "True False" "$(/usr/bin/python3 -B - \
	"$docs/outputs/regenerate" <<- "EOF"
	import runpy, sys
	same = runpy.run_path(sys.argv[1])["same"]
	old = "  host time      1.514 s\n  faults  3\n"
	new = "  host time     80.762 s\n  faults  "
	print(same(old, new + "3\n"), same(old, new + "4\n"))
	EOF
)"
expect "README shows what make run prints" "" \
	"$(sed '/^# /d; s/^/    /' "$docs/outputs/run-all.txt" | grep -vxFf "$top/README.md")"
expect "a wrong output is seen" 1 "$(
	cp -r "$docs/outputs" wrong
	sed -i 's|^VM = .*|VM = "'"$VM"'"|' wrong/regenerate
	echo "more" >> wrong/stat-batches.txt
	wrong/regenerate --check stat-batches > /dev/null
	echo $?
)"
finish
