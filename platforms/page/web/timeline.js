// SPDX-License-Identifier: Apache-2.0
// The outcomes of issue slots over time: stacked areas, the run above the baseline, over the same cycles.

const lanesOverTime = {names: "lane_classes", rows: "lanes", colours: laneClassColours};
// In many runs, most slots are empty; without empty slots, the lanes can be distinguished.
const issuedOverTime = {...lanesOverTime, without: ["empty", "waiting"]};
const outcomesOverTime = {names: "outcomes", rows: "slots", colours: (names) => names.map(outcomeColour)};

// First cycle of an interval of a part. Runs of a launch follow one another, and the last interval of each may be short.
function beginOf(part, index) {
  return part.begin + (part.begins ? part.begins[index] : index * part.interval);
}

// The end of the last interval.
function endOf(timeline) {
  const last = timeline[timeline.length - 1];
  return last.begin + last.cycles;
}

// Columns over time: begins of intervals, and for each name its share of the slots and that of all intervals together.
// Names without a slot are omitted.
function columnsOf(timeline, kind) {
  const columns = timeline[0][kind.names].map((name, column) => ({name, column, shares: [], slots: 0}))
    .filter(({name}) => !kind.without?.includes(name));
  const begins = [];
  for (const part of timeline) {
    part[kind.rows].forEach((row, index) => {
      begins.push(beginOf(part, index));
      const all = columns.reduce((sum, {column}) => sum + row[column], 0);
      for (const each of columns) {
        each.shares.push(all > 0 ? row[each.column] / all : 0);
        each.slots += row[each.column];
      }
    });
  }
  begins.push(endOf(timeline));
  const used = columns.filter(({slots}) => slots > 0);
  const all = used.reduce((sum, {slots}) => sum + slots, 0);
  for (const each of used) {
    each.shares.push(each.shares[each.shares.length - 1]);
    each.mean = each.slots / all;
  }
  return {begins, used};
}

// From the bottom up: most lanes first, empty slots last. For outcomes, issued slots are at the bottom.
function stackOrder(used, kind) {
  return kind.rows === "lanes" ? [...used].reverse() : used;
}

// Names of stages at their beginnings.
function stageMarks(timeline) {
  return (plot) => {
    const {ctx, bbox} = plot;
    ctx.save();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    ctx.textBaseline = "alphabetic";
    ctx.strokeStyle = themeColour("--ink");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    timeline.forEach((part, index) => {
      const x = plot.valToPos(part.begin, "x", true);
      const end = plot.valToPos(part.begin + part.cycles, "x", true);
      if (end < bbox.left || x > bbox.left + bbox.width) return;
      if (index > 0 && x >= bbox.left) {
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
      }
      const width = ctx.measureText(part.name).width + 8 * devicePixelRatio;
      const room = Math.min(end, bbox.left + bbox.width) - Math.max(x, bbox.left);
      if (timeline.length === 1 || room < width) return;
      const left = Math.max(x, bbox.left) + 2 * devicePixelRatio;
      ctx.fillStyle = themeColour("--panel");
      ctx.globalAlpha = 0.85;
      ctx.fillRect(left, bbox.top + 3 * devicePixelRatio, width, 16 * devicePixelRatio);
      ctx.globalAlpha = 1;
      ctx.fillStyle = themeColour("--ink");
      ctx.fillText(part.name, left + 4 * devicePixelRatio, bbox.top + 15 * devicePixelRatio);
    });
    ctx.restore();
  };
}

// Names next to the areas, in order from the top, with the mean share or the share under the cursor.
function areaNames(stack, begins) {
  const values = new Map();
  const head = h("p", {class: "areas-head"}, "mean");
  const list = h("ul", {class: "areas"}, [...stack].reverse().map((area) => {
    const value = h("span", {class: "value"}, formatShare(area.mean));
    values.set(area, value);
    return h("li", {}, h("span", {class: "swatch", style: `background: ${area.colour}`, "aria-hidden": "true"}), h("span", {}, words(area.name)), value);
  }));
  const show = (index) => {
    const at = index === null || index === undefined ? undefined : Math.min(index, begins.length - 2);
    head.textContent = at === undefined ? "mean" : `cycle ${formatCount(begins[at])}`;
    for (const [area, value] of values) value.textContent = formatShare(at === undefined ? area.mean : area.shares[at]);
  };
  return {element: h("div", {class: "beside"}, head, list), show};
}

function drawTimeline(into, run, kind, lastCycle) {
  const timeline = timelineOf(run);
  into.append(h("h3", {}, run.name));
  if (!timeline) {
    into.append(missing("There is no timeline of this part of the run. Record one, for instance of every 1,000 cycles, with", "reconverge run … --interval 1000"));
    return;
  }
  const {begins, used} = columnsOf(timeline, kind);
  const colours = kind.colours(timeline[0][kind.names]);
  const stack = stackOrder(used, kind);
  const sums = [];
  stack.forEach((area, index) => {
    area.colour = colours[area.column];
    sums.push(area.shares.map((share, at) => 100 * (share + (index > 0 ? sums[index - 1][at] / 100 : 0))));
  });
  const beside = areaNames(stack, begins);
  const place = h("div", {class: "wide"});
  into.append(h("div", {class: "with-areas"}, place, beside.element));
  // The highest sum is drawn first, and each lower one over it.
  chartInto(place, {
    label: `${run.name}: shares of ${kind.without ? "issued instructions" : "issue slots"} over ${formatCount(begins[begins.length - 1])} cycles`,
    height: 260,
    data: [begins, ...sums.reverse()],
    series: [...stack].reverse().map((area) => ({label: area.name, fill: area.colour, width: 0, points: {show: false}, paths: uPlot.paths.stepped({align: 1})})),
    x: {label: "cycles", format: (value) => formatShort(value), range: [0, lastCycle]},
    y: {format: (value) => `${value} %`, range: [0, 100]},
    sync: "cycles",
    legend: false,
    hooks: {draw: [stageMarks(timeline)], setScale: [followScale]},
    onCursor: beside.show,
  });
  into.append(numbers(() => ({
    head: ["first cycle", ...stack.map(({name}) => words(name))],
    rows: begins.slice(0, -1).map((begin, index) => [formatCount(begin), ...stack.map(({shares}) => formatShare(shares[index], 2))]),
  })));
}

// Charts of the same cycles zoom together. A scale that is already correct is not propagated, so that this ends.
function followScale(plot, key) {
  if (key !== "x") return;
  for (const other of uPlot.sync("cycles").plots) {
    if (other !== plot) other.setScale("x", {min: plot.scales.x.min, max: plot.scales.x.max});
  }
}

function lastCycleOf(shown) {
  return Math.max(1, ...shown.map((run) => timelineOf(run)).filter(Boolean).map(endOf));
}

function drawOccupancy(into) {
  const charts = h("div");
  const shown = shownRuns();
  const draw = (kind) => {
    charts.replaceChildren();
    tidyCharts();
    for (const run of shown) drawTimeline(charts, run, kind, lastCycleOf(shown));
  };
  const recorded = shown.some(timelineOf);
  into.append(recorded ? h("div", {class: "controls"},
    choice("Areas", [[lanesOverTime, "Active lanes"], [issuedOverTime, "Active lanes of what issued"], [outcomesOverTime, "Outcomes of issue slots"]], lanesOverTime, draw),
    h("p", {class: "hint"}, "Drag to zoom, double-click for all.")) : "", charts);
  draw(lanesOverTime);
}
