// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates: a vertical axis for each quantity, and a line for each point.

const mostLines = 20000;
const parallelHeight = 400;
const parallelTop = 46;
const parallelBottom = parallelHeight - 26;
const axisDistance = 104;

// Of more points than can be told apart, every n-th.
function thinned(rows) {
  const stride = Math.ceil(rows.length / mostLines);
  return stride > 1 ? rows.filter((_, index) => index % stride === 0) : rows;
}

function lineOpacity(count) {
  return Math.max(0.08, Math.min(0.9, 12 / Math.sqrt(count)));
}

// axes: {quantity, scale, x, y(value)}. A line ends where a point has no value.
function strokeLines(context, lines, axes) {
  context.beginPath();
  for (const row of lines) {
    let isDown = false;
    for (const {quantity, x, y} of axes) {
      const value = quantity.at(row);
      if (value === undefined) isDown = false;
      else if (isDown) context.lineTo(x, y(value));
      else context.moveTo(x, y(value));
      isDown = value !== undefined;
    }
  }
  context.stroke();
}

function paintLines(context, rows, axes, colours, width) {
  context.clearRect(0, 0, width, parallelHeight);
  context.lineWidth = rows.length > 1000 ? 1 : 1.5;
  const chosen = rows.filter(isSelected);
  if (chosen.length < rows.length) {
    context.globalAlpha = Math.max(0.06, lineOpacity(rows.length) / 3);
    context.strokeStyle = themeColour("--faint");
    strokeLines(context, rows.filter((row) => !isSelected(row)), axes);
  }
  context.globalAlpha = lineOpacity(chosen.length);
  const byColour = new Map();
  for (const row of chosen) {
    const colour = colours.ofRow(row);
    if (!byColour.has(colour)) byColour.set(colour, []);
    byColour.get(colour).push(row);
  }
  // Each line by itself, so that lines of one colour add up where they overlap.
  for (const [colour, lines] of byColour) {
    context.strokeStyle = colour;
    for (const row of lines) strokeLines(context, [row], axes);
  }
}

// The point whose line is nearest above or below a place.
function lineAt(rows, axes, x, y) {
  const right = axes.findIndex((axis) => axis.x >= x);
  if (right < 0 || (right === 0 && axes[0].x - x > 8)) return undefined;
  const [from, to] = [axes[Math.max(0, right - 1)], axes[right]];
  const share = to.x > from.x ? (x - from.x) / (to.x - from.x) : 0;
  let least = 7;
  let found;
  for (const row of rows) {
    const [start, end] = [from.quantity.at(row), to.quantity.at(row)];
    if (start === undefined || end === undefined || !isSelected(row)) continue;
    const distance = Math.abs(from.y(start) * (1 - share) + to.y(end) * share - y);
    if (distance >= least) continue;
    least = distance;
    found = row;
  }
  return found;
}

function axisTicks({quantity, scale, x, y}, room) {
  const ticks = spacedTicks([...scale.ticks(7)], (tick) => -y(tick), () => 11);
  return ticks.map((tick) => svg("g", {}, svg("line", {x1: x - 4, x2: x, y1: y(tick), y2: y(tick), class: "tick"}),
    svg("text", {x: x + 6, y: y(tick) + 4, class: "halo", "data-tip": cutText(quantity.tick(tick), room) === quantity.tick(tick) ? undefined : quantity.tick(tick)}, cutText(quantity.tick(tick), room))));
}

// Dragging along an axis selects a range, a click without a drag clears it.
function axisHandle({quantity, scale, x}, changed) {
  const shareOf = (y) => Math.max(0, Math.min(1, (parallelBottom - y) / (parallelBottom - parallelTop)));
  const handle = svg("rect", {x: x - 16, y: parallelTop - 8, width: 32, height: parallelBottom - parallelTop + 16, class: "handle"});
  let begin;
  const at = (event) => event.clientY - handle.ownerSVGElement.getBoundingClientRect().top;
  handle.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    begin = at(event);
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (begin === undefined || Math.abs(at(event) - begin) < 4) return;
    const [low, high] = [shareOf(begin), shareOf(at(event))].sort((a, b) => a - b);
    changed(scale.range(low, high));
  });
  handle.addEventListener("pointerup", (event) => {
    if (begin !== undefined && Math.abs(at(event) - begin) < 4) changed(undefined);
    begin = undefined;
  });
  return handle;
}

// The range of an axis as a bar.
function rangeBar({quantity, scale, x, y}) {
  const range = ranges.get(quantity);
  if (!range) return null;
  const [low, high] = range;
  const half = scale.isWord ? (parallelBottom - parallelTop) / scale.used.length / 2 - 1 : 0;
  const place = (value) => Math.max(parallelTop - 4, Math.min(parallelBottom + 4, y(value)));
  const [lowest, highest] = [place(low) + half, place(high) - half];
  if (!Number.isFinite(lowest) || !Number.isFinite(highest)) return null;
  return svg("rect", {x: x - 8, y: highest, width: 16, height: Math.max(2, lowest - highest), class: "range", rx: 3});
}

// Draws into `holder` until its next use. Returns a function that paints the selection again.
function parallelPlot(holder, rows, shown, colours) {
  const lines = thinned(rows);
  let paint = () => {};
  drawToWidth(holder, (available) => {
    const width = Math.max(available, 70 + axisDistance * (shown.length - 1) + 90);
    const distance = shown.length > 1 ? (width - 60 - 100) / (shown.length - 1) : 0;
    const axes = shown.map((quantity, index) => {
      const scale = scaleOf(quantity, rows, 0);
      return {quantity, scale, x: 60 + distance * index, y: (value) => parallelBottom - scale.at(value) * (parallelBottom - parallelTop)};
    });
    const {canvas, context} = plotCanvas(width, parallelHeight);
    const bars = svg("g");
    const marked = svg("path", {class: "marked-line"});
    const element = svg("svg", {class: "axes", width, height: parallelHeight, viewBox: `0 0 ${width} ${parallelHeight}`, role: "img",
      "aria-label": `${formatCount(rows.length)} points over ${shown.map(({title}) => title).join(", ")}. The ranges below select points by keyboard.`},
    marked, axes.map((axis, index) => svg("g", {}, svg("line", {x1: axis.x, x2: axis.x, y1: parallelTop, y2: parallelBottom, class: "axis"}), axisTicks(axis, distance > 0 ? distance - 14 : 200),
      svg("text", {x: axis.x, y: index % 2 === 0 ? 16 : 34, "text-anchor": index === 0 ? "start" : "middle", dx: index === 0 ? -44 : 0, class: "name", "data-tip": axis.quantity.about}, cutText(axis.quantity.title, 2 * distance - 16 || 200)))),
    bars, axes.map((axis) => axisHandle(axis, (range) => setRange(axis.quantity, range))));
    paint = () => {
      paintLines(context, lines, axes, colours, width);
      bars.replaceChildren(...axes.map(rangeBar).filter(Boolean));
      marked.removeAttribute("d");
    };
    holder.style.height = `${parallelHeight}px`;
    holder.replaceChildren(canvas, element);
    holder.onpointermove = (event) => {
      const box = element.getBoundingClientRect();
      const row = event.buttons === 0 ? lineAt(lines, axes, event.clientX - box.left, event.clientY - box.top) : undefined;
      if (row === undefined) {
        marked.removeAttribute("d");
        return event.target.dataset?.tip ? undefined : hideTip();
      }
      const known = axes.filter(({quantity}) => quantity.at(row) !== undefined);
      marked.setAttribute("d", known.map(({quantity, x, y}, index) => `${index === 0 ? "M" : "L"} ${x} ${y(quantity.at(row))}`).join(" "));
      return showTip(pointText(row, shown.filter(({isParameter}) => !isParameter)), event.clientX, event.clientY);
    };
    holder.onpointerleave = () => { marked.removeAttribute("d"); hideTip(); };
    paint();
  });
  return () => paint();
}
