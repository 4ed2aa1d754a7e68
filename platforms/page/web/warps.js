// SPDX-License-Identifier: Apache-2.0
// The warps in a window of cycles: a row for each warp slot, a bar from each instruction to the next of its warp.

const warpRow = 16;
const warpNames = 130;

function laneColour(lanes) {
  return lanes === 0 ? themeColour("--waiting") : laneColours[Math.min(laneColours.length - 1, Math.floor((lanes - 1) / 4))];
}

function spanAt(row, cycle) {
  return row?.spans.find(([begin, end]) => cycle >= begin && cycle < end);
}

// Round cycles within the view, about one in 100 pixels.
function cycleTicks(view, width) {
  const least = view.cycles / Math.max(1, width / 100);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= least));
  const ticks = [];
  for (let cycle = Math.ceil(view.begin / step) * step; cycle < view.begin + view.cycles; cycle += step) ticks.push(cycle);
  return ticks;
}

function cycleAxis(view, width) {
  return cycleTicks(view, width).map((cycle) => h("span", {style: `left: ${warpNames + (cycle - view.begin) / view.cycles * width}px`}, formatCount(cycle)));
}

// Draws the visible part of the warps; `view` has the first cycle, the cycles across, and the warps.
function paintWarps(canvas, view) {
  const scale = devicePixelRatio;
  canvas.width = canvas.clientWidth * scale;
  canvas.height = canvas.clientHeight * scale;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  const width = canvas.clientWidth - warpNames;
  const ink = themeColour("--ink");
  const line = themeColour("--line");
  const height = view.rows.length * warpRow;
  const colours = Array.from({length: 33}, (_, lanes) => laneColour(lanes));
  context.fillStyle = line;
  for (const cycle of cycleTicks(view, width)) context.fillRect(warpNames + (cycle - view.begin) / view.cycles * width, 0, 1, height);
  context.font = "11px system-ui, sans-serif";
  view.rows.forEach((row, index) => {
    const y = index * warpRow;
    context.fillStyle = ink;
    context.fillText(row.name, 2, y + 12, warpNames - 8);
    context.fillStyle = line;
    context.fillRect(warpNames, y + warpRow - 1, width, 1);
    for (const [begin, end, lanes] of row.spans) {
      const left = Math.max(0, (begin - view.begin) / view.cycles * width);
      const right = Math.min(width, (end - view.begin) / view.cycles * width);
      if (right <= 0 || left >= width) continue;
      context.fillStyle = colours[Math.min(32, lanes)];
      context.fillRect(warpNames + left, y + 1, Math.max(0.6, right - left), warpRow - 3);
    }
  });
}

function warpCanvas(warps) {
  const view = {begin: warps.begin, cycles: Math.max(1, warps.end - warps.begin), rows: warps.rows};
  const whole = {...view};
  const range = h("p", {class: "hint", role: "status"});
  const canvas = h("canvas", {class: "warps own-tip", tabindex: "0", role: "img", style: `height: ${warpRow * warps.rows.length}px`,
    "aria-label": `${warps.rows.length} warps from cycle ${warps.begin} to ${warps.end - 1}. Plus and minus zoom, arrows move, 0 shows all.`});
  const axis = h("div", {class: "cycles", "aria-hidden": "true"});
  const paint = () => {
    paintWarps(canvas, view);
    axis.replaceChildren(...cycleAxis(view, canvas.clientWidth - warpNames));
    range.textContent = `Cycles ${formatCount(Math.round(view.begin))} to ${formatCount(Math.round(view.begin + view.cycles) - 1)}`;
  };
  const show = (begin, cycles) => {
    view.cycles = Math.max(4, Math.min(whole.cycles, cycles));
    view.begin = Math.max(whole.begin, Math.min(whole.begin + whole.cycles - view.cycles, begin));
    paint();
  };
  const zoom = (factor, place) => show(view.begin + place * view.cycles * (1 - factor), view.cycles * factor);
  const placeOf = (event) => Math.max(0, (event.offsetX - warpNames) / Math.max(1, canvas.clientWidth - warpNames));
  canvas.addEventListener("keydown", (event) => {
    const actions = {"+": () => zoom(0.5, 0.5), "-": () => zoom(2, 0.5), 0: () => show(whole.begin, whole.cycles),
      ArrowLeft: () => show(view.begin - view.cycles / 8, view.cycles), ArrowRight: () => show(view.begin + view.cycles / 8, view.cycles)};
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;  // the page scrolls as it always does
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, placeOf(event));
  }, {passive: false});
  let dragged;
  canvas.addEventListener("pointerdown", (event) => { dragged = {x: event.offsetX, begin: view.begin}; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointerup", () => { dragged = undefined; });
  canvas.addEventListener("dblclick", () => show(whole.begin, whole.cycles));
  canvas.addEventListener("pointermove", (event) => {
    if (dragged) return show(dragged.begin - (event.offsetX - dragged.x) / Math.max(1, canvas.clientWidth - warpNames) * view.cycles, view.cycles);
    const row = view.rows[Math.floor(event.offsetY / warpRow)];
    const cycle = Math.floor(view.begin + placeOf(event) * view.cycles);
    const span = event.offsetX >= warpNames ? spanAt(row, cycle) : undefined;
    if (row) showTip(`${row.name}\ncycle ${formatCount(cycle)}\n${span ? `instruction ${span[3]}, ${span[2]} lanes` : "no warp"}`, event.clientX, event.clientY);
    return undefined;
  });
  canvas.addEventListener("pointerleave", hideTip);
  new ResizeObserver(paint).observe(canvas);  // which ends with the canvas, and paints at first
  const buttons = h("div", {class: "choice", role: "group", "aria-label": "Zoom"},
    h("button", {type: "button", onclick: () => zoom(0.5, 0.5)}, "Zoom in"), h("button", {type: "button", onclick: () => zoom(2, 0.5)}, "Zoom out"),
    h("button", {type: "button", onclick: () => show(whole.begin, whole.cycles)}, "All"));
  return [h("div", {class: "controls"}, buttons, range), h("div", {class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Warps over cycles"}, axis, canvas)];
}

function drawWarps(into) {
  for (const run of shownRuns()) {
    into.append(h("h3", {}, run.name));
    if (!run.warps || run.warps.rows.length === 0) {
      into.append(missing("There is no trace of this run here. Record one with reconverge run … --trace FILE, and give it to", "reconverge report … --trace FILE"));
      continue;
    }
    into.append(legend(laneColours.map((_, index) => `${4 * index + 1} to ${4 * index + 4} lanes`), (name) => laneColour(parseInt(name, 10)), h("div")), ...warpCanvas(run.warps), numbers(() => ({
      head: ["warp", "first cycle", "last cycle", "lanes", "pc"],
      rows: run.warps.rows.flatMap((row) => row.spans.map(([begin, end, lanes, pc]) => [row.name, formatCount(begin), formatCount(Math.max(begin, end - 1)), String(lanes), String(pc)])),
    })));
  }
}
