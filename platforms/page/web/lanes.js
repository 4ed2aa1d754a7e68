// SPDX-License-Identifier: Apache-2.0
// The number of active lanes of issued warp instructions.

const laneGroups = [["W0", "lanes_0"], ["W1:4", "lanes_1_to_4"], ["W5:8", "lanes_5_to_8"], ["W9:12", "lanes_9_to_12"],
  ["W13:16", "lanes_13_to_16"], ["W17:20", "lanes_17_to_20"], ["W21:24", "lanes_21_to_24"], ["W25:28", "lanes_25_to_28"],
  ["W29:32", "lanes_29_to_32"]];

function laneShares(section) {
  return laneGroups.filter(([, figure]) => section?.figures[figure] !== undefined)
    .map(([name, figure]) => [name, section.figures[figure]]);
}

function laneGroupColour(name) {
  const place = laneGroups.findIndex(([group]) => group === name);
  return place === 0 ? themeColour("--waiting") : laneColours[place - 1];
}

// For each number of lanes, the share of the warp instructions.
function histogramOf(run) {
  const counts = counter(run, "gpu.sm.scheduler", "active_lanes");
  const all = counts?.reduce((sum, count) => sum + count, 0);
  return all > 0 ? counts.map((count) => count / all) : undefined;
}

function drawHistogram(into) {
  const shown = shownRuns().map((run) => ({run, shares: histogramOf(run)})).filter(({shares}) => shares);
  if (shown.length === 0) return;
  const bins = Math.max(...shown.map(({shares}) => shares.length));
  const data = [Array.from({length: bins}, (_, lanes) => lanes), ...shown.map(({shares}) => shares.map((share) => 100 * share))];
  const colours = [themeColour("--first"), themeColour("--second")];
  const names = shown.map(({run}) => run.name);
  into.append(h("h3", {}, "By the number of lanes"));
  chartInto(into, {
    label: `Share of warp instructions by active lanes: ${names.join(", ")}`,
    height: 200,
    data,
    // Bars, and the baseline as a line across them.
    series: shown.map(({run}, index) => ({label: run.name.split(joints).join("\u200b"), stroke: colours[index], fill: index === 0 ? colours[0] : undefined,
      width: index === 0 ? 0 : 2, points: {show: index > 0, size: 5, fill: colours[1]}, paths: index === 0 ? uPlot.paths.bars({size: [0.8, 40]}) : uPlot.paths.linear(),
      value: (_, value) => (value === null || value === undefined ? "–" : `${value.toFixed(2)} %`)})),
    x: {label: "lanes", format: (value) => `${value}`, range: [-0.6, bins - 0.4]},
    y: {format: (value) => `${value} %`},
  });
  into.append(numbers(() => ({
    head: ["lanes", ...names],
    rows: data[0].map((lanes, index) => [String(lanes), ...shown.map(({shares}) => formatShare(shares[index] ?? 0, 3))]),
  })));
}

function drawLanes(into) {
  into.append(...sharesPart(laneShares, laneGroupColour, "No warp instruction was counted."));
  drawHistogram(into);
}
