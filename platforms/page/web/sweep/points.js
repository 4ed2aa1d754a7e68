// SPDX-License-Identifier: Apache-2.0
// The points of the sweep, and the quantities that plots and tables show of them.

const page = JSON.parse(document.getElementById("data").textContent);
const sweep = page.sweep;
const allRows = sweep.positions.map((_, row) => row);

// -1: all experiments.
const state = {experiment: -1};

function formatBytes(value) {
  let step = 0;
  let rest = value;
  while (Math.abs(rest) >= 1024 && step < 5) {
    rest /= 1024;
    step += 1;
  }
  return `${Number(rest.toPrecision(4))} ${["B", "KiB", "MiB", "GiB", "TiB", "PiB"][step]}`;
}

function formatSeconds(value) {
  const size = Math.abs(value);
  if (size === 0 || size >= 1) return `${Number(value.toPrecision(4))} s`;
  const [factor, unit] = size >= 1e-3 ? [1e3, "ms"] : size >= 1e-6 ? [1e6, "µs"] : [1e9, "ns"];
  return `${Number((factor * value).toPrecision(4))} ${unit}`;
}

// A value in a table or tooltip; it is shorter on an axis.
function formatValue(value, unit) {
  if (value === undefined || value === null) return "–";
  if (unit === "s") return formatSeconds(value);
  if (unit === "bytes/s") return formatShort(value, "B/s");
  return formatByUnit(value, unit);
}

function formatTick(value, unit) {
  if (unit === "share") return `${Number((100 * value).toPrecision(3))} %`;
  if (unit === "s") return formatSeconds(Number(value.toPrecision(3)));
  if (unit === "bytes") return formatShort(value, "B");
  if (unit === "bytes/s") return formatShort(value, "B/s");
  return Math.abs(value) >= 1000 ? formatShort(value) : String(Number(value.toPrecision(3)));
}

// The last parts of each path that distinguish it from the others, two at least.
function shortNames(paths) {
  const end = (path, parts) => path.split(".").slice(-parts).join(".");
  return paths.map((path) => {
    let parts = 2;
    while (parts < path.split(".").length && paths.some((other) => other !== path && end(other, parts) === end(path, parts))) parts += 1;
    return end(path, parts);
  });
}

// A quantity has, of each row, a number (at) and a text; a word is the number of its level.
function parameterQuantity(axis, index, title) {
  const {numbers, levels, column} = axis;
  const level = (row) => (column[row] < 0 ? undefined : column[row]);
  const texts = new Map((numbers ?? []).map((number, place) => [number, levels[place]]));
  const show = {bytes: formatBytes, frequency: (value) => formatShort(value, "Hz")}[axis.quantity] ?? formatNumber;
  return {
    key: `axis ${index}`, name: axis.path, title, about: axis.path, isParameter: true, isWord: !numbers, levels, isBytes: axis.quantity === "bytes",
    at: numbers ? (row) => numbers[level(row)] : level,
    text: (row) => levels[level(row)] ?? "–",
    show: numbers ? (value) => texts.get(value) ?? show(value) : (value) => levels[value] ?? "–",
    tick: numbers ? (value) => texts.get(value) ?? show(value) : (value) => levels[value],
  };
}

function figureQuantity(figure, key) {
  const {column, unit} = figure;
  const at = (row) => column[row] ?? undefined;
  return {
    key, name: figure.name, title: words(figure.name), unit, isWord: false, at,
    about: [figure.text, unit && unit !== "share" ? `in ${unit}` : ""].filter(Boolean).join("; ") || figure.name,
    text: (row) => formatValue(at(row), unit), show: (value) => formatValue(value, unit), tick: (value) => formatTick(value, unit),
  };
}

const axisTitles = shortNames(sweep.axes.map(({path}) => path));
const parameters = sweep.axes.map((axis, index) => parameterQuantity(axis, index, axisTitles[index]));
const figures = sweep.figures.map((figure, index) => figureQuantity(figure, `figure ${index}`));
const hostTime = figureQuantity({name: "host time", unit: "s", text: "of running the point", column: sweep.seconds}, "host time");
const experiment = {
  key: "experiment", name: "experiment", title: "experiment", about: "the experiment's name", isParameter: true, isWord: true, levels: sweep.experiments.names,
  at: (row) => sweep.experiments.column[row], text: (row) => sweep.experiments.names[sweep.experiments.column[row]],
  show: (value) => sweep.experiments.names[value], tick: (value) => sweep.experiments.names[value],
};
const severalExperiments = sweep.experiments.names.length > 1;
const quantities = new Map([experiment, ...parameters, ...figures, hostTime].map((quantity) => [quantity.key, quantity]));

// What differs between points, and so can be an axis of a plot.
function varied(rows) {
  return [...(severalExperiments ? [experiment] : []), ...parameters].filter((quantity) => {
    const first = quantity.at(rows[0]);
    return rows.some((row) => quantity.at(row) !== first);
  });
}

function statusOf(row) {
  return sweep.statuses.names[sweep.statuses.column[row]];
}

function shownRows() {
  return state.experiment < 0 ? allRows : allRows.filter((row) => sweep.experiments.column[row] === state.experiment);
}

// Figures of other points are wrong or incomplete.
function completedRows() {
  return shownRows().filter((row) => statusOf(row) === "ok");
}

function pointName(row) {
  return `point ${sweep.positions[row]}`;
}

// What the tooltip of a point says.
function pointText(row, more) {
  const lines = [...(severalExperiments ? [experiment] : []), ...parameters].filter((quantity) => quantity.at(row) !== undefined)
    .map((quantity) => `${quantity.title} = ${quantity.text(row)}`);
  return [pointName(row), ...lines, ...more.map((quantity) => `${quantity.title}: ${quantity.text(row)}`)].join("\n");
}

// The figures that readers look at first.
const mainFigures = ["cycles", "ray_rate", "simd_efficiency", "thread_ipc", "dram_bandwidth", "time", "warp_instructions"];

function firstFigures(most) {
  const known = mainFigures.map((name) => figures.find((figure) => figure.name === name)).filter(Boolean);
  return [...known, ...figures.filter((figure) => !known.includes(figure))].slice(0, most);
}
