// SPDX-License-Identifier: Apache-2.0
// A figure over one parameter: lines of means with bands over numbers, dots with bars over words.

const mostResponseLines = 12;
const mostPlaces = 40;
const bins = 24;

// Numbers with many values are grouped into parts of their axis with equal width: each is shown at its middle.
function placesOf(quantity, rows) {
  const values = [...new Set(rows.map(quantity.at))].filter((value) => value !== undefined);
  if (quantity.isWord || values.length <= mostPlaces) return {of: quantity.at, isGrouped: false};
  const scale = scaleOf(quantity, rows, 0);
  const middle = (value) => scale.value((Math.min(bins - 1, Math.floor(scale.at(value) * bins)) + 0.5) / bins);
  return {of: (row) => (quantity.at(row) === undefined ? undefined : middle(quantity.at(row))), isGrouped: true};
}

// By value of `lines` and place of `x`: mean, least and largest value of the figure, and their count.
function responses(rows, figure, x, lines) {
  const places = placesOf(x, rows);
  const all = new Map();
  for (const row of rows) {
    const [place, value, line] = [places.of(row), figure.at(row), lines ? lines.at(row) : 0];
    if (place === undefined || value === undefined || line === undefined) continue;
    if (!all.has(line)) all.set(line, new Map());
    const line_ = all.get(line);
    const known = line_.get(place) ?? {place, sum: 0, count: 0, least: value, most: value};
    known.sum += value;
    known.count += 1;
    known.least = Math.min(known.least, value);
    known.most = Math.max(known.most, value);
    line_.set(place, known);
  }
  const sorted = [...all].sort(([a], [b]) => a - b).map(([line, byPlace]) => ({line,
    places: [...byPlace.values()].sort((a, b) => a.place - b.place).map((each) => ({...each, mean: each.sum / each.count}))}));
  return {lines: sorted, isGrouped: places.isGrouped};
}

function responseTip(figure, x, lines, {line}, place) {
  return [`${x.title} = ${x.show(place.place)}`, lines ? `${lines.title} = ${lines.show(line)}` : "", `mean ${figure.show(place.mean)}`,
    place.count > 1 ? `${figure.show(place.least)} to ${figure.show(place.most)}, ${formatCount(place.count)} points` : "1 point"].filter(Boolean).join("\n");
}

function bandPath(places, frame) {
  const along = (list, key) => list.map((each) => `${frame.px(each.place)} ${frame.py(each[key])}`).join(" L ");
  return `M ${along(places, "most")} L ${along([...places].reverse(), "least")} Z`;
}

function responseMarks(each, colour, frame, options) {
  const {figure, x, lines, isBands, shift} = options;
  const group = svg("g", {style: `color: ${colour}`});
  const at = (place) => frame.px(place.place) + shift;
  if (!x.isWord) {
    if (isBands && each.places.length > 1) group.append(svg("path", {class: "band", d: bandPath(each.places, frame)}));
    group.append(svg("path", {class: "mean", d: each.places.map((place, index) => `${index === 0 ? "M" : "L"} ${at(place)} ${frame.py(place.mean)}`).join(" ")}));
  }
  for (const place of each.places) {
    // A band of one place has no width.
    if (isBands && (x.isWord || each.places.length === 1) && place.count > 1) {
      group.append(svg("line", {class: "spread", x1: at(place), x2: at(place), y1: frame.py(place.least), y2: frame.py(place.most)}),
        ...[place.least, place.most].map((value) => svg("line", {class: "cap", x1: at(place) - 4, x2: at(place) + 4, y1: frame.py(value), y2: frame.py(value)})));
    }
    group.append(svg("circle", {class: "dot", cx: at(place), cy: frame.py(place.mean), r: 4.5, tabindex: "0", role: "img",
      "aria-label": responseTip(figure, x, lines, each, place).replaceAll("\n", ", "), "data-tip": responseTip(figure, x, lines, each, place)}));
  }
  return group;
}

// options: {rows, figure, x, lines (a quantity or undefined), isBands, colours}.
function responsePlot(holder, found, options) {
  const {rows, figure, x, lines, isBands, colours} = options;
  const values = found.flatMap(({places}) => places.flatMap(({mean, least, most}) => (isBands ? [mean, least, most] : [mean])));
  const yScale = scaleOf({isWord: false, at: () => undefined}, [], 0.06, values);
  const xScale = scaleOf(x, rows);
  drawToWidth(holder, (width) => {
    const height = 400;
    const frame = plotFrame({width, height, x: xScale, y: yScale, xQuantity: x, yQuantity: figure, xName: axisName(x, xScale), yName: axisName(figure, yScale, ", mean")});
    const band = xScale.isWord ? (frame.right - frame.left) / xScale.used.length : 0;
    const distance = Math.min(16, band * 0.7 / Math.max(1, found.length));
    found.forEach((each, index) => frame.element.append(responseMarks(each, colours.of(each.line), frame,
      {figure, x, lines, isBands, shift: xScale.isWord ? (index - (found.length - 1) / 2) * distance : 0})));
    frame.element.setAttribute("role", "group");
    frame.element.setAttribute("aria-label", `Mean ${figure.title} over ${x.title}${lines ? `, by ${lines.title}` : ""}`);
    holder.style.height = `${height}px`;
    holder.replaceChildren(frame.grid, frame.element);
  });
}
