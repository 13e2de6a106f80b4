#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# An arena by Snakemake: on this machine, and by a batch system, which a script plays: it takes jobs,
# says their numbers, and runs them later, two at a time.
# host: timeout=1200 when=full
. ./lib.sh

arena=$(realpath "$QEMU_TESTS/../tools/arena")
"$QEMU_TESTS/install-packages" "$QEMU_TESTS/packages-cluster" > install.log 2>&1 ||
	not_ok "snakemake is installed" "$(tail -n 5 install.log)"

cat > small.toml <<'END'
name = "small"
oversubscription = [200]
bounds = true
[policies]
lru = {}
wrong = { eviction_policy = "nosuch" }
[workloads]
triad = "triad --size 2M"
regular = "regular --size 2M"
chase = "chase --size 2M"
END
mkdir queue
cat > batch <<'END'
#!/bin/sh
# batch SCRIPT: a job for later.
n=$(ls queue | wc -l)
cp "$1" "queue/$n"
echo "job $n" >&2
(
	# two slots
	exec 9> "slot$((n % 2))"
	flock 9
	sleep 0.5
	sh "queue/$n" > "queue/$n.out" 2>&1
) > /dev/null 2>&1 &
echo "$n"
END
chmod +x batch

# cluster OUT WORDS...
cluster() {
	local out=$1

	shift
	snakemake -s "$arena/Snakefile" --config experiment=small.toml out="$out" "$@" \
		> "$out.log" 2>&1
}
cluster here --cores 2
expect "on this machine" 0 $?
expect "six rows, and a head" 7 "$(wc -l < here/small.csv)"
expect "a run that failed is a row" 3 "$(grep -c 'wrong.*nosuch' here/small.csv)"
cluster there --jobs 4 --cluster ./batch --latency-wait 30
expect "by a batch system" 0 $?
expect "a job for each workload" 3 "$(grep -c '^job [0-9]' there.log)"
check "the same rows" cmp here/small.csv there/small.csv
expect "bounds, and a head" 4 "$(wc -l < here/small-bounds.csv)"
check "the same bounds" cmp here/small-bounds.csv there/small-bounds.csv
cluster there --jobs 4 --cluster ./batch
expect "again, with nothing to do" 0 $?
check "which is said" grep -q 'Nothing to be done' there.log
"$arena/arena" small.toml --out there > /dev/null 2> err
expect "an arena of it has all rows" 0 "$(grep -c '^arena: [0-9]*/' err)"
finish
