// SPDX-License-Identifier: GPL-2.0
// The arithmetic of the page: of runs to cells, and of cells to the columns on the left.
//
// A cell is a list of runs, one for each seed: { seed, error, numbers: { gpu_time_ns, ... } }.
// A run that failed counts nowhere.  Times are in ns of the virtual clock.
const good = (cell) => cell.filter((run) => !run.error && run.numbers.gpu_time_ns > 0);

const mean = (values) =>
	values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

// Of one value exactly that: logarithms would lose digits.
const geometric = (values) => values.length === 1 ? values[0] :
	values.length ? Math.exp(mean(values.map(Math.log))) : null;

const time = (cell) => geometric(good(cell).map((run) => run.numbers.gpu_time_ns));

// Times of several cells over the seeds that all of them have, or null: others would compare the
// seeds, too.
function times(...cells) {
	const all = cells.map(good);
	const seeds = all[0].map((run) => run.seed)
		.filter((seed) => all.every((cell) => cell.some((run) => run.seed === seed)));

	return seeds.length ?
		all.map((cell) => time(cell.filter((run) => seeds.includes(run.seed)))) : null;
}

// How many times as fast as the baseline.
function speedup(base, cell) {
	const both = times(base, cell);

	return both && both[0] / both[1];
}

// Of what a bound leaves to be gained: 1 is as fast as the bound, 0 as the baseline.  There is no
// share for a run that the bound is not for.
function closed(base, cell, bound) {
	if (cell.some((run) => run.bounded === false))
		return null;
	const all = times(base, cell, bound);

	return all && all[0] > all[2] ? (all[0] - all[1]) / (all[0] - all[2]) : null;
}

// Of bytes and of events the usual mean: they are summed up, and may be 0.
const amount = (cell, measure) => measure === "gpu_time_ns" ? time(cell) :
	mean(good(cell).map((run) => run.numbers[measure]).filter((value) => value !== null));

// Less is better in all that is measured; null if one of them is 0 or not there.
function better(base, cell, measure) {
	if (measure === "gpu_time_ns")
		return speedup(base, cell);
	const [was, is] = [amount(base, measure), amount(cell, measure)];

	return was && is ? was / is : null;
}

function sum(cells, measure) {
	const values = cells.map((cell) => amount(cell, measure)).filter((value) => value !== null);

	return values.length ? values.reduce((all, value) => all + value, 0) : null;
}

// Of a row: @cells, @base and @bound are cells by column, @bound null if there is none.
function summary(cells, base, bound) {
	const ratios = cells.map((cell, i) => speedup(base[i], cell));
	const there = ratios.filter((ratio) => ratio !== null);
	const worst = there.length ? Math.min(...there) : null;
	const shares = bound ? cells.map((cell, i) => closed(base[i], cell, bound[i]))
		.filter((share) => share !== null) : [];

	return {
		mean: geometric(there), over: there.length, of: cells.length,
		worst, worstAt: worst === null ? null : ratios.indexOf(worst),
		closed: mean(shares), closedOver: shares.length,
		bytes_in: sum(cells, "bytes_in"), bytes_out: sum(cells, "bytes_out"),
		faults: sum(cells, "faults"),
		summed: cells.filter((cell) => good(cell).length).length,
	};
}

// By row, in how many columns none is faster; @table is rows of cells.
function wins(table) {
	const found = table.map(() => 0);

	for (let i = 0; table.length && i < table[0].length; i++) {
		const column = table.map((cells) => time(cells[i]));
		const best = Math.min(...column.filter((value) => value !== null));

		column.forEach((value, row) => { found[row] += value === best ? 1 : 0; });
	}
	return found;
}

globalThis.sums = { good, mean, geometric, time, speedup, closed, amount, better, summary, wins };
