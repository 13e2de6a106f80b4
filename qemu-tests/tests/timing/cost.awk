# SPDX-License-Identifier: GPL-2.0
# KB  fault to replay  batch  copy, in ns: one line per batch
function number(key)
{
	if (!match($0, "\"" key "\":[0-9]+"))
		return 0
	return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
}
/"event":"gpu_fault"/	{ fault = number("time_ns"); copy = 0 }
/"event":"copy"/	{ copy += number("duration_ns") }
/"event":"replay"/	{ replay = number("time_ns") }
/"event":"batch"/	{ print number("bytes") / 1024, replay - fault, number("duration_ns"), copy }
