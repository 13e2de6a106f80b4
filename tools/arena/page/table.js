// SPDX-License-Identifier: GPL-2.0
// What the page shows: data, the view that a reader has chosen, and the table that it makes.
const told = JSON.parse(document.getElementById("data").textContent);
const MB = 2 ** 20;
const named = (values, names) => Object.fromEntries(names.map((name, i) => [name, values[i]]));

// Elements: text is never HTML.
function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes))
		if (typeof value === "function")
			element.addEventListener(name, value);
		else if (value !== null && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	element.append(...children);
	return element;
}

// Of speedups those that are small are the ones to look at.
const factor = (value) => value < 0.095 ? value.toPrecision(2) : value.toFixed(2);
const whole = (value) => Math.round(value).toLocaleString("en");
const bytes = (value) => value < 100 * MB ? (value / MB).toFixed(1) : whole(value / MB);

// What cells can show: the measure, how it is written, and whether more is better.
const METRICS = new Map([
	["speedup", { title: "speedup", measure: "gpu_time_ns", write: factor, relative: true }],
	["gpu_time_ms", { title: "GPU time, ms", measure: "gpu_time_ns",
			  write: (value) => (value / 1e6).toFixed(2) }],
	["faults", { title: "faults", measure: "faults", write: whole }],
	["batches", { title: "batches", measure: "batches", write: whole }],
	["bytes_in", { title: "MB in", measure: "bytes_in", write: bytes }],
	["bytes_out", { title: "MB out", measure: "bytes_out", write: bytes }],
	["remote_bytes", { title: "MB remote", measure: "remote_bytes", write: bytes }],
	["returned_pages", { title: "returned pages", measure: "returned_pages", write: whole }],
]);

// Columns on the left: where values are in a summary, and which way they are sorted at first.
const SUMMARIES = new Map([
	["mean", { title: "geometric mean", write: factor, most: true, over: "over",
		   why: "geometric mean of the speedup over the baseline" }],
	["worst", { title: "worst case", write: factor, most: true,
		    why: "least speedup over the baseline, and where" }],
	["wins", { title: "wins", write: whole, most: true,
		   why: "workloads in which none of the policies is faster" }],
	["closed", { title: "bound closed", most: true, over: "closedOver",
		     write: (value) => `${Math.round(100 * value) + 0} %`,	// no "-0"
		     why: "(baseline - time) / (baseline - bound B2), mean of workloads" }],
	["bytes_in", { title: "MB in", write: bytes, over: "summed", why: "copied to the GPU" }],
	["bytes_out", { title: "MB out", write: bytes, over: "summed",
			why: "copied from the GPU" }],
	["faults", { title: "faults", write: whole, over: "summed", why: "of the GPU" }],
]);

const cells = new Map();
for (const run of told.runs) {
	const key = `${run.row} ${run.column} ${run.ratio}`;

	run.numbers = named(run.numbers, told.measures);
	if (!cells.has(key))
		cells.set(key, []);
	cells.get(key).push(run);
}
for (const cell of cells.values())
	cell.sort((a, b) => a.seed - b.seed);

const rows = told.rows.map((row, index) => ({ ...row, index }));
const columns = told.columns.map((column, index) => ({ ...column, index }));
const boundRow = rows.find((row) => row.reference) ?? null;
const cellAt = (row, column, ratio) => cells.get(`${row.index} ${column.index} ${ratio}`) ?? [];

// A filter: any of the words between commas, anywhere in a name; group:NAME is a group.
function fits(words, name, group = "") {
	const wanted = words.toLowerCase().split(",").map((word) => word.trim()).filter(Boolean);

	return !wanted.length || wanted.some((word) => word.startsWith("group:") ?
		group.toLowerCase() === word.slice(6).trim() : name.toLowerCase().includes(word));
}

// Values that are not there come last, whichever way; rows that are no policies come after all.
function inOrder(lines, value, most) {
	return [...lines].sort((a, b) => {
		const [x, y] = [value(a), value(b)];

		if (Boolean(a.row.reference) !== Boolean(b.row.reference))
			return a.row.reference ? 1 : -1;
		if (x === null || y === null)
			return (x === null) - (y === null) || a.row.index - b.row.index;
		return (most ? y - x : x - y) || a.row.index - b.row.index;
	});
}

// What a sort key sorts by: of a line, and whether it begins with the most.
function sorting(key, view, shown) {
	const at = shown.findIndex((column) => `workload:${column.name}` === key);
	const metric = METRICS.get(view.metric);

	if (SUMMARIES.has(key))
		return { value: (line) => line.summary[key],
			 most: Boolean(SUMMARIES.get(key).most) };
	if (at >= 0)
		return { value: (line) => line.values[at], most: Boolean(metric.relative) };
	return { value: (line) => line.row.index, most: false };
}

// The lines of a view, in order: { row, cells, values, betters, summary }.
function linesOf(view) {
	const metric = METRICS.get(view.metric);
	const shown = columns.filter((column) => fits(view.workloads, column.name, column.group));
	const across = (row) => shown.map((column) => cellAt(row, column, view.ratio));
	const base = across(rows[view.base]);
	const bound = boundRow && across(boundRow);
	const lines = rows.filter((row) => fits(view.policies, row.name)).map((row) => {
		const mine = across(row);

		return {
			row, cells: mine,
			values: mine.map((cell, i) => metric.relative ?
				sums.speedup(base[i], cell) : sums.amount(cell, metric.measure)),
			betters: mine.map((cell, i) => sums.better(base[i], cell, metric.measure)),
			summary: { ...sums.summary(mine, base, bound), wins: null },
		};
	});
	const policies = lines.filter((line) => !line.row.reference);
	const { value, most } = sorting(view.sort, view, shown);

	sums.wins(policies.map((line) => line.cells)).forEach((count, i) => {
		policies[i].summary.wins = count;
	});
	return { shown, descending: most !== view.reverse,
		 lines: inOrder(lines, value, most !== view.reverse) };
}

globalThis.arena = { told, rows, columns, boundRow, cellAt, make, METRICS, SUMMARIES, bytes, whole,
		     fits, linesOf };
