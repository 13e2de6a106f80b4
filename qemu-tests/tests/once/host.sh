#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What has been built is not built again: not in a second checkout of the same sources, not after a
# commit that changes none, not in a copy; what differs is built.
# host: timeout=1200
. ./lib.sh

top=$(realpath "$QEMU_TESTS/..")
"$QEMU_TESTS/modules" uml > modules 2> err || not_ok "modules are built" "$(cat err)"
"$QEMU_TESTS/tools" > tools 2> err || not_ok "tools are built" "$(cat err)"
expect "they compile without a word" "" "$("$QEMU_TESTS/check" --only compile-uml 2>&1)"
unset SOFTUVM_BUILD
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@test GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@test

mkdir second fake
cp -r "$top"/{Kbuild,include,softgpu,uvm,kunit,tools,qemu-tests} second/
git -C second init -q
git -C second add -A
git -C second commit -qm one

# Compilers that say what they are and where things are, and compile nothing.  Not of a ccache,
# which would look for the next one of that name and find these.
for name in gcc cc clang ld ld.lld strip; do
	cat > "fake/$name" <<-END
		#!/bin/sh
		for word; do
			case \$word in
			-c | -o) echo "$name \$*" >> "$PWD/compiled"; exit 1 ;;
			esac
		done
		exec $(PATH=/usr/bin:/bin command -v "$name") "\$@"
	END
	chmod +x "fake/$name"
done

# in_tree TREE COMMAND...: without a compiler.
in_tree() {
	(cd "$1" && PATH=$OLDPWD/fake:$PATH "${@:2}" 2>&1 | tail -n 1)
}

expect "a second checkout: modules" "$PWD/second/build/uml" "$(in_tree second qemu-tests/modules uml)"
for name in softgpu uvm; do
	check "the same $name.ko" cmp "$(cat modules)/loaded/$name.ko" "second/build/uml/loaded/$name.ko"
	check "the same $name.ko, with symbols" cmp "$(cat modules)/$name.ko" "second/build/uml/$name.ko"
done
expect "a second checkout: what compiles without a word" "" "$(in_tree second qemu-tests/check --only compile-uml)"
# As on a new machine, where the kernel is built first and says so.
sed -i "2i [ \"\$1\" = --source ] || { mkdir '$PWD/built' 2> /dev/null && echo 'kernel: building, once ...' >&2; }" \
	second/qemu-tests/kernel
expect "it compiles without a word, too, where the kernel has to be built" \
	"" "$(in_tree second qemu-tests/check --only compile-uml)"
git -C second checkout -q qemu-tests/kernel
expect "a second checkout: tools" "$PWD/second/build/tools" "$(in_tree second qemu-tests/tools)"
check "the same uvm" cmp "$(cat tools)/uvm" second/build/tools/uvm
expect "its version" "uvm $(git -C second describe --always)" "$(second/build/tools/uvm --version)"
git -C second commit -q --allow-empty -m two
expect "an empty commit: modules" "$PWD/second/build/uml" "$(in_tree second qemu-tests/modules uml)"
expect "an empty commit: tools" "$PWD/second/build/tools" "$(in_tree second qemu-tests/tools)"
expect "its version" "uvm $(git -C second describe --always)" "$(second/build/tools/uvm --version)"
cp -a second third
expect "a copy: modules" "$PWD/third/build/uml" "$(in_tree third qemu-tests/modules uml)"
expect "a copy: tools" "$PWD/third/build/tools" "$(in_tree third qemu-tests/tools)"
expect "nothing was compiled" "" "$(cat compiled 2> /dev/null)"

# It is not that nothing is ever built.
echo '/* changed */' >> second/tools/lib/memory.c
in_tree second qemu-tests/tools > out
check "what differs is built" grep -q '/second/tools/.*\.c$' compiled
: > compiled
echo '/* changed */' >> second/uvm/main.c
in_tree second qemu-tests/modules uml > out
check "of the modules, too" grep -q '/second/build/uml/' compiled
: > compiled
in_tree second qemu-tests/check --only compile-uml > out
check "and what it says is heard" grep -q '/second/build/uml/' compiled
: > compiled
# An object of other flags is not linked with those of these.
cat > fake/object <<END
#!/bin/sh
while [ \$# -gt 1 ] && [ "\$1" != -o ]; do shift; done
[ "\$1" != -o ] || { : > "\$2"; echo "\$2" >> "$PWD/compiled"; }
END
chmod +x fake/object
object() {
	make -s -C second/tools "O=$PWD/objects" "CC=$PWD/fake/object" "$@" "$PWD/objects/lib/nearest.o" &&
		wc -l < compiled
}
expect "an object" 1 "$(object)"
expect "is compiled once" 1 "$(object)"
expect "and anew with other flags" 2 "$(object CFLAGS=-O1)"
[ "$failures" = 0 ] || note "$(cat err out)"
finish
