// SPDX-License-Identifier: GPL-2.0
// The panel: what a cell is made of, where the driver's time goes, and the command that repeats it.
const { told, rows, columns, boundRow, cellAt, make, METRICS, bytes, whole } = arena;
const PHASES = "execution.phases_ns.";
const panel = document.getElementById("panel");
const ms = (value) => `${(value / 1e6).toFixed(3)} ms`;
const BOUNDS = [
	["b2_ns", "B2, GPU time at least", ms], ["fnu_ns", "FNU, which knows the future", ms],
	["unlimited_ns", "with all memory, no faults", ms],
	["b1_bytes", "B1, MB in at least", bytes],
	["b1r_bytes", "B1r, with remote accesses", bytes],
	["min_loads", "loads of MIN, pages", whole],
];

const said = (value, write) => value === null || value === undefined ? "" : write(value);

function table(heads, lines) {
	return make("table", {},
		    make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text))),
		    ...lines.map(([title, ...values]) => make(
			    "tr", {}, make("th", { scope: "row" }, title),
			    ...values.map((value) => make("td", {}, value)))));
}

const section = (title, ...parts) => make("section", {}, make("h3", {}, title), ...parts);

// Each seed, their mean, and the baseline.
function numbers(cell, base) {
	const several = cell.length > 1;
	const line = (title, one, all, write, other) => [
		title, ...cell.map((run) => said(one(run), write)),
		...(several ? [said(all, write)] : []), said(other, write)];
	const measures = [...METRICS.values()].filter((metric) => !metric.relative);

	return table(["", ...cell.map((run) => `seed ${run.seed}`), ...(several ? ["mean"] : []),
		      "baseline"], [
		line("speedup", (run) => sums.speedup(base, [run]), sums.speedup(base, cell),
		     (value) => value.toFixed(4), sums.speedup(base, base)),
		...measures.map(({ title, measure, write }) => line(
			title, (run) => run.numbers[measure], sums.amount(cell, measure), write,
			sums.amount(base, measure))),
	]);
}

function leaf(cell, index) {
	return sums.mean(sums.good(cell).map((run) => run.leaves[index] ?? null)
		.filter((value) => value !== null));
}

function bar(share) {
	const line = make("span", { class: "bar" });

	line.style.setProperty("--share", `${Math.min(100, 100 * share).toFixed(1)}%`);
	return line;
}

// Driver time by phase, of GPU time; a part of it passes while warps run.
function phases(cell, base) {
	const total = sums.amount(cell, "gpu_time_ns");
	const list = told.leaves.map((name, index) => [name, leaf(cell, index), leaf(base, index)])
		.filter(([name, mine, other]) => name.startsWith(PHASES) && (mine || other))
		.map(([name, mine, other]) => [name.slice(PHASES.length), mine, other]);

	if (!total || !list.length)
		return "";
	list.sort((a, b) => b[1] - a[1]);
	const all = (at) => list.reduce((sum, line) => sum + line[at], 0);
	const line = ([name, mine, other]) => [
		name, said(mine, ms), `${(100 * mine / total).toFixed(1)} %`, bar(mine / total),
		said(other, ms)];

	return section("Where the driver's time goes",
		       table(["phase", "time", "of GPU time", "", "baseline"],
			     [...list, ["all", all(1), all(2)]].map(line)),
		       make("p", {}, "While kernels ran.  The driver works while warps run, " +
			    "too, so that these need not be a part of GPU time."));
}

function bounds(row, column, ratio, base) {
	const runs = boundRow ? cellAt(boundRow, column, ratio) : [];

	if (!runs.length)
		return "";
	const share = sums.closed(base, cellAt(row, column, ratio), runs);
	const lines = BOUNDS.map(([name, title, write]) => [
		title, ...runs.map((run) => said(run.bound[name], write))]);

	lines.push(["bound closed", said(share, (value) => `${(100 * value).toFixed(1)} %`)]);
	return section("Bounds", table(["", ...runs.map((run) => `seed ${run.seed}`)], lines),
		       ...runs.filter((run) => run.bound.error)
			       .map((run) => make("p", { class: "gap" }, run.bound.error)));
}

function more(cell, base) {
	const lines = told.leaves.map((name, index) => [name, leaf(cell, index), leaf(base, index)])
		.filter(([name, mine, other]) => !name.startsWith(PHASES) && (mine || other))
		.map(([name, mine, other]) => [name, said(mine, String), said(other, String)]);

	return lines.length ? make("details", {}, make("summary", {}, "All that was measured"),
				   table(["", "here", "baseline"], lines)) : "";
}

// The clipboard is not to be had everywhere; what is selected is.
async function copy(text, from, button) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		getSelection().selectAllChildren(from);
		document.execCommand("copy");
	}
	button.textContent = "copied";
}

function commands(cell) {
	return section("Again", ...cell.filter((run) => run.command).map((run) => {
		const text = make("pre", { class: "command", tabindex: "0" }, run.command);

		const press = ({ target }) => copy(run.command, text, target);

		return make("div", {}, make("p", {}, `seed ${run.seed}:`), text,
			    make("button", { type: "button", class: "copy", click: press },
				 "copy"));
	}));
}

function settings(row, column) {
	const device = column.device || "as the profile has it";

	return section("Settings", table(["setting", "value"], [
		["workload", column.run], ["device", device], ...row.settings]));
}

function failures(cell) {
	return cell.filter((run) => run.error).map((run) => make(
		"p", { class: "gap" }, `Failed with seed ${run.seed}: ${run.error}`));
}

arena.drawPanel = (view, close) => {
	const [row, column] = [rows[view.row], columns[view.column]];

	panel.hidden = !row || !column;
	if (panel.hidden)
		return panel.replaceChildren();
	const cell = cellAt(row, column, view.ratio);
	const base = cellAt(rows[view.base], column, view.ratio);
	const title = `${row.name}, ${column.name}, ${told.ratios[view.ratio]} %`;

	return panel.replaceChildren(
		make("button", { type: "button", id: "close", click: close }, "close"),
		make("h2", { id: "panel-title" }, title), ...failures(cell),
		...(cell.length ? [numbers(cell, base), phases(cell, base)] :
			[make("p", {}, "It was not run.")]),
		bounds(row, column, view.ratio, base), settings(row, column), commands(cell),
		more(cell, base));
};
