#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Scripts that share a VM do not see each other, and whoever spoils it has failed, alone.
# host: timeout=1200
. ./lib.sh

mkdir scripts
# script NAME [WORDS]: stdin is what tests/NAME does.
script() {
	mkdir "scripts/$1"
	{
		printf '#!/bin/sh\n# vm: kernel=uml memory=768 %s\n. ./lib.sh\n' "${2-}"
		cat
		echo finish
	} > "scripts/$1/test.sh"
}

# They run in this order.
script a-report 'softgpu="gpus=2"' <<-'END'
	check "its own parameters" test -c /dev/softgpu1
	check "file in the working directory" touch here /tmp/there
	echo "WARNING: reported by a" > /dev/kmsg
END
script b-daemon <<-'END'
	expect "nothing of a" "" "$(ls /dev/softgpu1 here /tmp/there 2>/dev/null)"
	sleep 1000 &
END
script c-hang timeout=8 <<-'END'
	ok "c begins"
	sleep 1000
END
script d-mount <<-'END'
	check "mounts" mount -t tmpfs none /root
END
script e-setting <<-'END'
	check "nothing is mounted" test -z "$(grep /root /proc/mounts)"
	check "sets" sh -c 'echo 61 > /proc/sys/vm/swappiness'
END
script f-panic <<-'END'
	expect "swappiness is as ever" 60 "$(cat /proc/sys/vm/swappiness)"
	# what was said is still on its way out
	sleep 2
	echo 2 > /proc/sys/vm/panic_on_oom
	tail /dev/zero
END
script g-no-module no-modules <<-'END'
	check "nothing is loaded" test ! -e /dev/uvm
	check "it can be" insmod /lib/softuvm/softgpu.ko
END
script h-busy <<-'END'
	check "keeps a device open" test -c /dev/uvm
	exec 9< /dev/uvm
	sleep 1000 <&9 &
END
script i-good <<-'END'
	check "the last runs" test -c /dev/uvm
END

# So short that they share a VM.
sed 's/.*/"tests\/&@uml": 1/; 1s/^/{/; $!s/$/,/; $s/$/}/' > test-durations.json <<-END
	$(basename -a scripts/*)
END
"$QEMU_TESTS/run-tests" -v --scripts "$PWD/scripts" --logs "$PWD/logs" '^tests/' > out
expect "some failed" 1 $?
note "$(cat out)"

# fails NAME PATTERN: its end, for this reason; what it had to show has passed.
fails() {
	grep -A 9 "^# failed: tests/$1@.*: the VM ends well" out | grep -q "$2"
	expect "$1 fails: $2" 0 $?
	check "$1: what it shows has passed" sh -c "sed -n '/^not ok tests\/$1@/,/^[no]/p' out | grep -q '^  ok'"
}
fails a-report 'WARNING: reported by a'
fails b-daemon 'leaves process .*sleep'
fails c-hang 'timeout'
fails d-mount 'leaves another VM behind: .*/root'
fails e-setting 'swappiness:61'
fails f-panic 'the VM died'
fails h-busy 'leaves process .*sleep'
check "g is loaded without modules" grep -q '^ok tests/g-no-module@.*: 2 tests' out
check "i passes" grep -q '^ok tests/i-good@' out
expect "one failure each, and a plan that c and f did not reach" 9 "$(grep -c '^  not ok' out)"
expect "their reasons and logs are last" 9 "$(sed '1,/^# all: /d' out | grep -c "^#   log: $PWD/logs/")"
expect "a fresh VM for each that follows one that was spoilt" 7 "$(find logs/vm -name console | grep -c .)"

# Repeated beside two busy processes: a test that fails every other time.
script j-now-and-then <<-'END'
	before=$(cat /run/tries 2> /dev/null)
	echo $((before + 1)) > /run/tries
	expect "odd" 0 $((before % 2))
END
"$QEMU_TESTS/run-tests" --repeat 4 --load 2 --scripts "$PWD/scripts" --logs "$PWD/again" \
	'^tests/[ij]-' > out
expect "a test that fails now and then is a failure" 1 $?
check "how often it passed" grep -qx '# repeated: 2 of 4 passed tests/j-now-and-then@uml' out
check "and the other" grep -qx '# repeated: 4 of 4 passed tests/i-good@uml' out
check "the log of each failure" grep -q "^#   log: .*/again/tests_j-now-and-then@uml#2" out
note "$(cat out)"

# Two that write the same logs would spoil each other.
exec 8>> logs.lock
flock 8
"$QEMU_TESTS/run-tests" --scripts "$PWD/scripts" --logs "$PWD/logs/" '^tests/' > out 2>&1
expect "a second one is refused" 1 $?
check "it says what to do" grep -q 'give --logs another directory' out
check "and leaves the logs alone" test -d logs/vm
exec 8>&-
finish
