// SPDX-License-Identifier: GPL-2.0
// The page: controls, the table as it is seen, keys, and the view in the address.
const { told, rows, columns, boundRow, make, METRICS, SUMMARIES, linesOf } = arena;
const element = (id) => document.getElementById(id);
const DEFAULTS = { ratio: 0, metric: "speedup", base: 0, sort: "mean", reverse: false, policies: "",
		   workloads: "", row: null, column: null };
let view = { ...DEFAULTS };
let current = { shown: [], lines: [] };
let focus = [0, 0];	// of cells, the one that Tab reaches

const find = (list, name) => {
	const at = list.findIndex((item) => item.name === name);

	return at < 0 ? null : at;
};
const isSort = (key) => key === "policy" || SUMMARIES.has(key) ||
	columns.some((column) => key === `workload:${column.name}`);

// The address comes from anybody: what is not known is as if it were not there.
function readAddress() {
	const said = new URLSearchParams(location.hash.slice(1));
	const ratio = told.ratios.findIndex((value) => String(value) === said.get("ratio"));
	const or = (value, good, other) => value !== null && good ? value : other;

	view = {
		ratio: Math.max(ratio, 0),
		metric: or(said.get("metric"), METRICS.has(said.get("metric")), DEFAULTS.metric),
		base: find(rows, said.get("base")) ?? DEFAULTS.base,
		sort: or(said.get("sort"), isSort(said.get("sort")), DEFAULTS.sort),
		reverse: said.get("reverse") === "1",
		policies: said.get("policies") ?? "", workloads: said.get("workloads") ?? "",
		row: find(rows, said.get("row")), column: find(columns, said.get("column")),
	};
}

function writeAddress() {
	const said = new URLSearchParams();
	const words = { ...view, ratio: told.ratios[view.ratio], base: rows[view.base].name,
			reverse: "1", row: rows[view.row]?.name,
			column: columns[view.column]?.name };

	for (const name of Object.keys(DEFAULTS))
		if (view[name] !== DEFAULTS[name])
			said.set(name, words[name]);
	history.replaceState(null, "", `#${said}`);
}

function change(what) {
	view = { ...view, ...what };
	writeAddress();
	draw();
}

// Full at four times and at a quarter: two doublings.
function tint(cell, ratio) {
	const strength = ratio ? Math.min(Math.abs(Math.log2(ratio)) / 2, 1) : 0;

	if (strength > 0.005) {
		cell.classList.add(ratio > 1 ? "better" : "worse");
		cell.style.setProperty("--strength", `${(strength * 100).toFixed(0)}%`);
	}
}

function head(key, title, why, vertical) {
	const mine = view.sort === key;
	const sorted = mine ? (current.descending ? "descending" : "ascending") : "none";
	const arrow = current.descending ? " \u25be" : " \u25b4";
	const sign = mine ? make("span", { "aria-hidden": "true" }, arrow) : "";
	const sort = () => change({ sort: key, reverse: mine && !view.reverse });

	return make("th", { scope: "col", "aria-sort": sorted, "data-key": key, title: why,
			    class: vertical ? "vertical" : "" },
		    make("button", { type: "button", click: sort }, make("span", {}, title, sign)));
}

function heads() {
	const list = [head("policy", "policy", "as in the experiment")];

	for (const [key, { title, why }] of SUMMARIES)
		if (key !== "closed" || boundRow)
			list.push(head(key, title, why));
	for (const { name, run, group } of current.shown)
		list.push(head(`workload:${name}`, name, group ? `${run} (${group})` : run, true));
	return make("thead", {}, make("tr", {}, ...list));
}

function summaryCells(line) {
	const list = [];

	for (const [key, { write, over }] of SUMMARIES) {
		const value = line.summary[key];
		const lacks = over && value !== null && line.summary[over] < line.summary.of;
		const where = key === "worst" && line.summary.worstAt !== null &&
			current.shown[line.summary.worstAt].name;
		const cell = make("td", { class: "sum", "data-key": key },
				  value === null ? "" : write(value));

		if (where)
			cell.append(" ", make("small", {}, where));
		if (lacks)
			cell.append(" ", make("small", { class: "lacks", title: "workloads" },
					      `(${line.summary[over]} of ${line.summary.of})`));
		if (key !== "closed" || boundRow)
			list.push(cell);
	}
	return list;
}

function valueCell(line, y, x) {
	const runs = line.cells[x];
	const failed = runs.filter((run) => run.error).length;
	const value = line.values[x];
	const none = failed ? "\u2717" : "";
	const text = value === null ? none : METRICS.get(view.metric).write(value);
	const column = current.shown[x];
	const cell = make("td", {
		class: "cell", tabindex: y === focus[0] && x === focus[1] ? "0" : "-1",
		"data-row": line.row.name, "data-column": column.name, "data-y": y, "data-x": x,
		title: `${line.row.name}, ${column.name}`,
	}, text);

	if (failed)
		cell.classList.add("failed");
	if (view.row === line.row.index && view.column === column.index)
		cell.classList.add("opened");
	if (failed && value !== null)
		cell.append("\u2717");
	if (!runs.length)
		cell.setAttribute("aria-label", "not run");
	tint(cell, line.betters[x]);
	return cell;
}

function body() {
	return make("tbody", {}, ...current.lines.map((line, y) => make(
		"tr", { class: line.row.reference ? "reference" : "" },
		make("th", { scope: "row",
			     title: line.row.settings.map((pair) => pair.join("=")).join(" ") },
		     line.row.name),
		...summaryCells(line), ...line.cells.map((_, x) => valueCell(line, y, x)))));
}

function count() {
	const policies = rows.filter((row) => !row.reference);
	const shown = current.lines.filter((line) => !line.row.reference);
	const runs = told.runs.filter((run) => !rows[run.row].reference);
	const failed = runs.filter((run) => run.error);

	element("count").textContent = `${shown.length} of ${policies.length} policies, ` +
		`${current.shown.length} of ${columns.length} workloads; ` +
		`profile ${told.profile}; in all ${runs.length} runs, ${failed.length} failed.`;
}

// The table is made anew at each change; what had the focus has it again.
function draw() {
	const active = document.activeElement;
	const key = active?.closest?.("th[data-key]")?.dataset.key;
	const wasCell = active?.classList?.contains("cell");

	current = linesOf(view);
	focus = [Math.min(focus[0], Math.max(current.lines.length - 1, 0)),
		 Math.min(focus[1], Math.max(current.shown.length - 1, 0))];
	element("table").replaceChildren(heads(), body());
	for (const name of ["ratio", "metric", "base", "policies", "workloads"])
		if (element(name).value !== String(view[name]))
			element(name).value = view[name];
	count();
	if (key)
		[...document.querySelectorAll("th[data-key]")].find(
			(th) => th.dataset.key === key)?.firstChild.focus({ preventScroll: true });
	if (wasCell)
		cellElement(...focus)?.focus({ preventScroll: true });
	arena.drawPanel(view, close);
}

const cellElement = (y, x) => document.querySelector(`td[data-y="${y}"][data-x="${x}"]`);

function moveTo(y, x) {
	const to = cellElement(y, x);

	if (!to)
		return;
	cellElement(...focus)?.setAttribute("tabindex", "-1");
	focus = [y, x];
	to.setAttribute("tabindex", "0");
	to.focus();
	to.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function open(cell) {
	const [y, x] = [Number(cell.dataset.y), Number(cell.dataset.x)];

	moveTo(y, x);
	change({ row: current.lines[y].row.index, column: current.shown[x].index });
}

function close() {
	change({ row: null, column: null });
	cellElement(...focus)?.focus({ preventScroll: true });
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function keys(event) {
	const cell = event.target.closest?.("td.cell");

	if (event.key === "Escape" && view.row !== null) {
		close();
	} else if (cell && event.key === "Enter") {
		open(cell);
	} else if (cell && MOVES[event.key]) {
		moveTo(focus[0] + MOVES[event.key][0], focus[1] + MOVES[event.key][1]);
	} else {
		return;
	}
	event.preventDefault();
}

function options(id, list) {
	element(id).replaceChildren(
		...list.map(([value, text]) => make("option", { value }, text)));
}

options("ratio", told.ratios.map((percent, i) => [
	i, `${(10000 / percent).toFixed(0)} % of the footprint (${percent})`]));
options("metric", [...METRICS].map(([key, { title }]) => [key, title]));
options("base", rows.map((row) => [row.index, row.name]));
for (const name of ["ratio", "base"])
	element(name).addEventListener(
		"change", ({ target }) => change({ [name]: Number(target.value) }));
element("metric").addEventListener("change", ({ target }) => change({ metric: target.value }));
for (const name of ["policies", "workloads"])
	element(name).addEventListener("input", ({ target }) => change({ [name]: target.value }));
element("controls").addEventListener("submit", (event) => event.preventDefault());
element("table").addEventListener("click", (event) => {
	const cell = event.target.closest("td.cell");

	if (cell)
		open(cell);
});
document.addEventListener("keydown", keys);
window.addEventListener("hashchange", () => { readAddress(); draw(); });
readAddress();
draw();
