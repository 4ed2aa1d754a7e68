// SPDX-License-Identifier: Apache-2.0
// The common parts of plots with two axes: their place, scales, grid and names.

const plotFont = "12px system-ui, sans-serif";
const measuring = document.createElement("canvas").getContext("2d");

function textWidth(text) {
  measuring.font = plotFont;
  return measuring.measureText(text).width;
}

// In the middle: names often begin or end alike.
function cutText(text, width) {
  if (textWidth(text) <= width) return text;
  let left = text.length - 1;
  const cut = () => `${text.slice(0, Math.ceil(left / 2))}…${text.slice(text.length - Math.floor(left / 2))}`;
  while (left > 2 && textWidth(cut()) > width) left -= 1;
  return cut();
}

// Draws now, and again whenever the element has another width.
function drawToWidth(element, draw) {
  let width = element.clientWidth;
  draw(Math.max(260, width));
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (!element.isConnected || element.clientWidth === width) return;
    width = element.clientWidth;
    draw(Math.max(260, width));
  })).observe(element);
}

// A canvas with the size of the plot, whose units are those of the page.
function plotCanvas(width, height) {
  const canvas = h("canvas", {"aria-hidden": "true", style: `width: ${width}px; height: ${height}px`});
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  const context = canvas.getContext("2d");
  context.scale(devicePixelRatio, devicePixelRatio);
  return {canvas, context};
}

// Ticks whose texts do not overlap.
function spacedTicks(ticks, place, size) {
  let end = -Infinity;
  return ticks.filter((tick) => {
    const centre = place(tick);
    if (centre - size(tick) / 2 < end) return false;
    end = centre + size(tick) / 2 + 8;
    return true;
  });
}

const slant = 28;  // degrees

function xTicks(x, quantity, place, bottom) {
  const text = (tick) => quantity.tick(tick);
  if (!x.isWord) {
    return spacedTicks(x.ticks(8), place, (tick) => textWidth(text(tick)))
      .map((tick) => svg("text", {x: place(tick), y: bottom + 18, "text-anchor": "middle"}, text(tick)));
  }
  const band = x.used.length > 1 ? place(x.used[1]) - place(x.used[0]) : Infinity;
  const straight = x.used.every((tick) => textWidth(text(tick)) < band - 6);
  return x.used.map((tick) => (straight ? svg("text", {x: place(tick), y: bottom + 18, "text-anchor": "middle"}, text(tick))
    : svg("text", {x: place(tick), y: bottom + 16, "text-anchor": "end", transform: `rotate(-${slant} ${place(tick)} ${bottom + 16})`, "data-tip": text(tick)}, cutText(text(tick), 110))));
}

function slantedHeight(x, quantity, band) {
  const widest = largest(x.used.map((tick) => textWidth(quantity.tick(tick))), 0);
  return widest < band - 6 ? 0 : 14 + Math.sin(slant * Math.PI / 180) * Math.min(110, widest);
}

// A plot's axes in an SVG. options: {width, height, x, y (scales), xQuantity, yQuantity, xName, yName}. The frame has its
// element, the grid, and the places of values.
function plotFrame(options) {
  const {width, height, x, y, xQuantity, yQuantity} = options;
  const yTexts = y.ticks(6).map((tick) => cutText(yQuantity.tick(tick), 130));
  const left = 34 + largest(yTexts.map(textWidth), 0);
  const right = width - 14;
  const top = 12;
  const bottom = height - 44 - (x.isWord ? slantedHeight(x, xQuantity, (right - left) / x.used.length) : 0);
  const px = (value) => left + x.at(value) * (right - left);
  const py = (value) => bottom - y.at(value) * (bottom - top);
  const yGrid = y.ticks(6);
  // Under the marks.
  const grid = svg("svg", {class: "axes", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true"},
    yGrid.map((tick) => svg("line", {x1: left, x2: right, y1: py(tick), y2: py(tick), class: "grid"})),
    x.isWord ? [] : x.ticks(8).map((tick) => svg("line", {x1: px(tick), x2: px(tick), y1: top, y2: bottom, class: "grid"})));
  const element = svg("svg", {class: "axes", width, height, viewBox: `0 0 ${width} ${height}`},
    svg("rect", {x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), class: "frame"}),
    spacedTicks(yGrid, (tick) => -py(tick), () => 12).map((tick) => svg("text", {x: left - 7, y: py(tick) + 4, "text-anchor": "end"}, cutText(yQuantity.tick(tick), 130))),
    xTicks(x, xQuantity, px, bottom),
    svg("text", {class: "name", x: (left + right) / 2, y: height - 6, "text-anchor": "middle"}, cutText(options.xName, right - left)),
    svg("text", {class: "name", x: 0, y: 0, "text-anchor": "middle", transform: `translate(13 ${(top + bottom) / 2}) rotate(-90)`}, cutText(options.yName, bottom - top)));
  return {element, grid, px, py, left, right, top, bottom};
}

// A quantity's name on an axis.
function axisName(quantity, scale, more = "") {
  const unit = quantity.unit && !["share", "s", "bytes", "bytes/s", quantity.name].includes(quantity.unit) ? ` [${quantity.unit}]` : "";
  return `${quantity.title}${unit}${scale.logarithmic ? ", logarithmic" : ""}${more}`;
}
