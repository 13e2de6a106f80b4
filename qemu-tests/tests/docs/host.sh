#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What the documentation shows as output is what its commands print.
# host: timeout=900
. ./lib.sh

docs=$QEMU_TESTS/../Documentation

for file in "$docs"/outputs/*.txt; do
	name=$(basename "$file" .txt)
	check "output of $name" "$docs/outputs/regenerate" --check "$name"
	check "output of $name: a page shows it" \
		grep -qr "literalinclude:: outputs/$name.txt" "$docs" --include='*.rst'
done
expect "a wrong output is seen" 1 "$(
	cp -r "$docs/outputs" wrong
	sed -i 's|^VM = .*|VM = "'"$VM"'"|' wrong/regenerate
	echo "more" >> wrong/stat-batches.txt
	wrong/regenerate --check stat-batches > /dev/null
	echo $?
)"
finish
