// SPDX-License-Identifier: Apache-2.0
// Two figures of every point, and the points that no other one dominates.

const pareto = {x: undefined, y: undefined, colour: undefined, smaller: new Map()};

function isSmallerBetter(quantity) {
  return pareto.smaller.get(quantity) ?? smallerIsBetter(quantity);
}

// Two figures that depend on each other less than, for instance, cycles and time.
function defaultPair(numeric) {
  const first = numeric.find(({name}) => name === "cycles") ?? numeric.find(({name}) => name === "time") ?? numeric[0];
  const second = ["simd_efficiency", "thread_ipc", "dram_bandwidth"].map((name) => numeric.find((each) => each.name === name && each !== first)).find(Boolean);
  return [first, second ?? numeric.find((each) => each !== first) ?? first];
}

// The line along which the best y for each x lies, to the edges of the plot.
function frontPath(front, frame, xDirection, yDirection) {
  const xWorst = xDirection > 0 ? frame.left : frame.right;
  const yWorst = yDirection > 0 ? frame.bottom : frame.top;
  const corners = front.map((point) => [frame.px(point.x), frame.py(point.y)]);
  let path = `M ${corners[0][0]} ${yWorst}`;
  for (const [x, y] of corners) path += ` H ${x} V ${y}`;
  return `${path} H ${xWorst}`;
}

function drawDots(context, dots) {
  context.lineWidth = 1;
  context.strokeStyle = themeColour("--panel");
  context.globalAlpha = dots.length > 2000 ? 0.45 : 0.7;
  for (const {x, y, colour} of dots) {
    context.beginPath();
    context.arc(x, y, dots.length > 2000 ? 3 : 4.5, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
    if (dots.length <= 2000) context.stroke();
  }
}

// The nearest dot within some pixels.
function nearest(dots, x, y, within) {
  let found;
  let least = within * within;
  for (const dot of dots) {
    const distance = (dot.x - x) ** 2 + (dot.y - y) ** 2;
    if (distance > least) continue;
    least = distance;
    found = dot;
  }
  return found;
}

// The points of the front are one stop of the tab key; arrows move between them.
function frontPoints(front, frame, colours, shown) {
  const group = svg("g", {class: "front-points", role: "group", "aria-label": "Points of the Pareto front. Arrows move between them."}, front.map((point, index) => svg("circle", {
    cx: frame.px(point.x), cy: frame.py(point.y), r: 6.5, class: "front-point", fill: colours.ofRow(point.row), tabindex: index === 0 ? "0" : "-1", role: "img",
    "aria-label": pointText(point.row, shown).replaceAll("\n", ", "), "data-tip": `${pointText(point.row, shown)}\non the front`})));
  group.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const next = step && group.children[[...group.children].indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  return group;
}

function frontPlot(place, points, front, rows) {
  const {x, y} = pareto;
  const [xDirection, yDirection] = [x, y].map((quantity) => (isSmallerBetter(quantity) ? -1 : 1));
  const colours = colouring(pareto.colour, rows);
  const shown = [...new Set([x, y])];
  const onFront = new Set(front.map(({row}) => row));
  const holder = h("div", {class: "plot own-tip"});
  place.replaceChildren(colours.legend ?? "", holder);
  drawToWidth(holder, (width) => {
    const height = 440;
    const [xScale, yScale] = [x, y].map((quantity) => scaleOf(quantity, points.map(({row}) => row)));
    const frame = plotFrame({width, height, x: xScale, y: yScale, xQuantity: x, yQuantity: y,
      xName: axisName(x, xScale, xDirection < 0 ? "  (← better)" : "  (better →)"), yName: axisName(y, yScale, yDirection < 0 ? "  (← better)" : "  (better →)")});
    const dots = points.map(({row, x: across, y: up}) => ({row, x: frame.px(across), y: frame.py(up), colour: colours.ofRow(row)}));
    const {canvas, context} = plotCanvas(width, height);
    drawDots(context, dots.filter(({row}) => !onFront.has(row)));
    const ring = svg("circle", {r: 8, class: "ring", visibility: "hidden"});
    frame.element.append(svg("path", {d: frontPath(front, frame, xDirection, yDirection), class: "front-line"}), ring, frontPoints(front, frame, colours, shown));
    frame.element.setAttribute("aria-label", `${formatCount(points.length)} points, of which ${formatCount(front.length)} are on the Pareto front of ${x.title} and ${y.title}`);
    frame.element.setAttribute("role", "group");
    holder.style.height = `${height}px`;
    holder.replaceChildren(frame.grid, canvas, frame.element);
    holder.onpointermove = (event) => {
      const box = holder.getBoundingClientRect();
      const dot = nearest(dots, event.clientX - box.left, event.clientY - box.top, 10);
      ring.setAttribute("visibility", dot ? "visible" : "hidden");
      if (!dot) return hideTip();
      ring.setAttribute("cx", dot.x);
      ring.setAttribute("cy", dot.y);
      return showTip(`${pointText(dot.row, shown)}${onFront.has(dot.row) ? "\non the front" : ""}`, event.clientX, event.clientY);
    };
    holder.onpointerleave = () => { ring.setAttribute("visibility", "hidden"); hideTip(); };
  });
}

function frontTable(front) {
  const shown = [...new Set([pareto.x, pareto.y])];
  const all = [...(severalExperiments ? [experiment] : []), ...parameters.filter((each) => !shown.includes(each)), ...shown];
  return dataTable([{name: "point", title: "point", number: true, value: ({row}) => sweep.positions[row]}, ...all.map((quantity) => ({
    name: quantity.key, title: quantity.title, tip: quantity.about, number: !quantity.isWord,
    value: ({row}) => (quantity.isWord ? quantity.text(row) : quantity.at(row)), cell: ({row}) => quantity.text(row)}))],
  front, {caption: "Points of the Pareto front", filter: "Filter the front", limit: 100, class: "tall"}).element;
}

function direction(quantity, changed) {
  const element = select([["smaller", "smaller is better"], ["larger", "larger is better"]], isSmallerBetter(quantity) ? "smaller" : "larger", (value) => {
    pareto.smaller.set(quantity, value === "smaller");
    changed();
  });
  element.setAttribute("aria-label", `${quantity.title}: which is better`);
  return element;
}

function drawPareto(into) {
  const rows = completedRows();
  const numeric = [...figures, hostTime, ...parameters.filter(({isWord}) => !isWord)];
  if (figures.length === 0 || rows.length === 0) return into.append(missing("No completed point has a figure."));
  if (!pareto.x) [pareto.x, pareto.y] = defaultPair(numeric);
  const groups = [["Figures", [...figures, hostTime]], ["Parameters", parameters.filter(({isWord}) => !isWord)]];
  const colourable = varied(rows);
  const status = h("p", {class: "status", role: "status"});
  const place = h("div");
  const below = h("div");
  // The choice of a figure stays as it is, and keeps the focus; what is better is another choice.
  const axisControls = (label, name) => {
    const pair = h("span", {class: "pair"}, labelled(label, quantitySelect(groups, pareto[name], (quantity) => {
      pareto[name] = quantity;
      pair.lastChild.replaceWith(direction(quantity, draw));
      draw();
    })), direction(pareto[name], draw));
    return pair;
  };
  function draw() {
    const {x, y} = pareto;
    const points = rows.map((row) => ({row, x: x.at(row), y: y.at(row)})).filter((point) => point.x !== undefined && point.y !== undefined);
    if (points.length === 0) {
      place.replaceChildren(missing(`No completed point has both ${x.title} and ${y.title}.`));
      status.textContent = "";
      return below.replaceChildren();
    }
    const front = paretoFront(points, isSmallerBetter(x) ? -1 : 1, isSmallerBetter(y) ? -1 : 1);
    status.textContent = `${formatCount(front.length)} of ${formatCount(points.length)} points are on the front.`;
    frontPlot(place, points, front, rows);
    return below.replaceChildren(h("h3", {}, "Points of the front"), frontTable(front));
  }
  into.append(h("div", {class: "controls"}, axisControls("Across", "x"), axisControls("Up", "y"),
    labelled("Colour", select([["", "one colour"], ...colourable.map((quantity) => [quantity.key, quantity.name])], pareto.colour?.key ?? "", (key) => { pareto.colour = quantities.get(key); draw(); }))),
  status, place, below);
  return draw();
}
