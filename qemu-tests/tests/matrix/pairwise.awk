# SPDX-License-Identifier: GPL-2.0
# Rows that together hold every pair of values of any two columns: from lines
# "NAME VALUE VALUE ..." on stdin, one line of values per row.  Greedy, and
# always the same rows.  With -v full=1: every combination.  -v check=FILE
# instead reads rows from FILE and prints the pairs that are missing.

{
	for (i = 2; i <= NF; i++)
		value[NR, i - 1] = $i
	size[NR] = NF - 1
	columns = NR
}

function product(column, row,    i) {
	if (column > columns) {
		print substr(row, 2)
		return
	}
	for (i = 1; i <= size[column]; i++)
		product(column + 1, row " " value[column, i])
}

# Pairs not yet covered that value v of column c makes with those already chosen.
function gain(c, v,    d, n) {
	n = 0
	for (d = 1; d <= columns; d++)
		if (d != c && chosen[d] && !((c < d ? c SUBSEP v SUBSEP d SUBSEP chosen[d] : \
				d SUBSEP chosen[d] SUBSEP c SUBSEP v) in covered))
			n++
	return n
}

# How many pairs of value v of column c are still open at all.
function open_pairs(c, v,    d, w, n) {
	n = 0
	for (d = 1; d <= columns; d++)
		for (w = 1; d != c && w <= size[d]; w++)
			if (!((c < d ? c SUBSEP v SUBSEP d SUBSEP w : d SUBSEP w SUBSEP c SUBSEP v) in covered))
				n++
	return n
}

function cover(    c, d, n) {
	n = 0
	for (c = 1; c < columns; c++)
		for (d = c + 1; d <= columns; d++)
			if (!((c, chosen[c], d, chosen[d]) in covered)) {
				covered[c, chosen[c], d, chosen[d]] = 1
				n++
			}
	return n
}

# The first open pair begins the row; the other columns follow, best value first.
function next_row(    c, d, v, w, best, score, top, row) {
	for (c = 1; c <= columns; c++)
		chosen[c] = 0
	for (c = 1; c < columns && !chosen[1 + columns]; c++)
		for (v = 1; v <= size[c]; v++)
			for (d = c + 1; d <= columns; d++)
				for (w = 1; w <= size[d]; w++)
					if (!((c, v, d, w) in covered)) {
						chosen[c] = v
						chosen[d] = w
						v = size[c]
						d = columns
						w = size[d]
						chosen[1 + columns] = 1
					}
	if (!chosen[1 + columns])
		return ""
	chosen[1 + columns] = 0
	for (c = 1; c <= columns; c++) {
		if (chosen[c])
			continue
		top = -1
		for (v = 1; v <= size[c]; v++) {
			score = gain(c, v) * 1000 + open_pairs(c, v)
			if (score > top) {
				top = score
				best = v
			}
		}
		chosen[c] = best
	}
	cover()
	row = ""
	for (c = 1; c <= columns; c++)
		row = row " " value[c, chosen[c]]
	return substr(row, 2)
}

function missing(file,    line, field, n, c, d, v, w, seen, count) {
	while ((getline line < file) > 0) {
		n = split(line, field, " ")
		for (c = 1; c < columns; c++)
			for (d = c + 1; d <= columns; d++)
				seen[c, field[c], d, field[d]] = 1
	}
	for (c = 1; c < columns; c++)
		for (d = c + 1; d <= columns; d++)
			for (v = 1; v <= size[c]; v++)
				for (w = 1; w <= size[d]; w++)
					if (!((c, value[c, v], d, value[d, w]) in seen))
						print value[c, v], value[d, w]
}

END {
	if (check) {
		missing(check)
	} else if (full) {
		product(1, "")
	} else {
		while ((row = next_row()) != "")
			print row
	}
}
