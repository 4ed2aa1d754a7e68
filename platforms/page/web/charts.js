// SPDX-License-Identifier: Apache-2.0
// Charts with a numeric x axis on canvas, drawn by uPlot: their common code.

const liveCharts = [];

function axis(format, label, size) {
  const colour = themeColour("--faint");
  const grid = themeColour("--line");
  return {stroke: colour, grid: {stroke: grid, width: 1}, ticks: {stroke: grid, width: 1}, font: "12px system-ui, sans-serif",
    values: (_, values) => values.map(format), label, labelSize: label ? 18 : 0, labelFont: "12px system-ui, sans-serif", size, labelGap: 0};
}

// Keys for the actions of the pointer: arrows move the cursor, + and - zoom around it, 0 shows all.
function onKey(plot, event) {
  const xs = plot.data[0];
  const {min, max} = plot.scales.x;
  const at = Math.max(0, plot.cursor.idx ?? plot.valToIdx((min + max) / 2));
  const [first, last] = plot.fullRange;
  const zoom = (factor) => {
    const half = factor * (max - min) / 2;
    plot.setScale("x", {min: Math.max(first, xs[at] - half), max: Math.min(last, xs[at] + half)});
  };
  const move = (step) => {
    const to = Math.max(0, Math.min(xs.length - 1, at + step));
    plot.setCursor({left: plot.valToPos(xs[to], "x"), top: 10});
  };
  const actions = {ArrowLeft: () => move(-1), ArrowRight: () => move(1), "+": () => zoom(0.5), "-": () => zoom(2),
    0: () => plot.setScale("x", {min: first, max: last})};
  if (!actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

// The path of a line that is level over each interval, up to the next. The library's steps leave out the interval before
// one without a value.
function levels(plot, index, first, last) {
  const xs = plot.data[0];
  const values = plot.data[index];
  const at = (place) => plot.valToPos(xs[place], "x", true);
  const stroke = new Path2D();
  for (let place = first; place <= last && place + 1 < xs.length; place += 1) {
    if (values[place] === null) continue;
    const y = plot.valToPos(values[place], "y", true);
    if (place > first && values[place - 1] !== null) stroke.lineTo(at(place), y);
    else stroke.moveTo(at(place), y);
    stroke.lineTo(at(place + 1), y);
  }
  return {stroke};
}

// chart: {label, height, data, series, x: {label, format, range}, y: {format, range, label}, sync, legend, hooks, onCursor(index)}.
// The chart has the width of its container, also after the container is resized.
function chartInto(into, chart) {
  const place = h("div", {class: "chart", tabindex: "0", role: "img", "aria-label": `${chart.label}. Arrows move the cursor, plus and minus zoom, 0 shows all.`});
  into.append(place);
  const range = chart.x.range ?? [chart.data[0][0], chart.data[0][chart.data[0].length - 1]];
  const plot = new uPlot({
    width: Math.max(200, place.clientWidth),
    height: chart.height,
    cursor: {bind: {dblclick: (self) => () => self.setScale("x", {min: range[0], max: range[1]})}, sync: chart.sync ? {key: chart.sync, scales: ["x", null]} : undefined, y: false, drag: {x: true, y: false}, points: {show: false}},
    legend: {show: chart.legend !== false, live: true},
    scales: {x: {time: false, range: (_, min, max) => (min === null ? range : [min, max])},
      y: {range: chart.y.range ?? ((_, min, max) => [0, max > 0 ? max * 1.05 : 1])}},
    axes: [axis(chart.x.format, chart.x.label, 32), {...axis(chart.y.format, chart.y.label, 56)}],
    series: [{label: chart.x.label, value: (_, value) => (value === null || value === undefined ? "–" : chart.x.format(value))}, ...chart.series],
    hooks: {...chart.hooks, setCursor: [(self) => chart.onCursor?.(self.cursor.idx)]},
  }, chart.data, place);
  plot.fullRange = range;
  plot.setScale("x", {min: range[0], max: range[1]});
  place.addEventListener("keydown", (event) => onKey(plot, event));
  liveCharts.push({plot, place, height: chart.height});
  return plot;
}

// Charts whose containers have been removed are released; the others are resized with their containers.
function tidyCharts() {
  for (let index = liveCharts.length - 1; index >= 0; index -= 1) {
    if (liveCharts[index].place.isConnected) continue;
    liveCharts[index].plot.destroy();
    liveCharts.splice(index, 1);
  }
}

onClear.push(tidyCharts);

window.addEventListener("resize", () => {
  tidyCharts();
  for (const {plot, place, height} of liveCharts) {
    if (Math.abs(plot.width - place.clientWidth) > 1) plot.setSize({width: Math.max(200, place.clientWidth), height});
  }
});
