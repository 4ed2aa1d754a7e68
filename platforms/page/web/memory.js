// SPDX-License-Identifier: Apache-2.0
// Memory traffic by level.

// The caches of an SM, with the names of their counters and of their part in a timeline.
const caches = [["L1", "gpu.sm.l1", "l1"], ["Texture", "gpu.sm.texture_cache", "texture_cache"],
  ["Constant", "gpu.sm.constant_cache", "constant_cache"], ["L2", "gpu.l2", "l2"]];

function cacheOf(run, block) {
  const counters = sectionOf(run)?.counters[block];
  if (!counters) return undefined;
  const {hits = 0, misses = 0, merges = 0} = counters;
  const reads = hits + misses + merges;
  return {reads, misses, merges, rate: reads > 0 ? hits / reads : undefined};
}

function bytesOf(run) {
  const get = (block, name) => counter(run, block, name) ?? 0;
  return {
    core: get("gpu.sm.load_store", "bytes_loaded") + get("gpu.sm.load_store", "bytes_stored"),
    crossbar: get("gpu.crossbar", "request_bytes") + get("gpu.crossbar", "reply_bytes"),
    memory: get("gpu.l2", "bytes_from_memory") + get("gpu.l2", "bytes_to_memory"),
  };
}

function hasMemory(run) {
  const {core, crossbar, memory} = bytesOf(run);
  return core + crossbar + memory > 0;
}

function box(x, y, width, height, title, cache) {
  const rate = cache?.rate;
  const group = svg("g", {}, svg("rect", {x, y, width, height, rx: 5, class: "box"}));
  if (rate !== undefined) group.append(svg("rect", {x: x + 8, y: y + height - 14, width: width - 16, height: 6, rx: 3, class: "track"}),
    svg("rect", {x: x + 8, y: y + height - 14, width: Math.max(1, (width - 16) * rate), height: 6, rx: 3, class: "hit"}));
  group.append(svg("text", {x: x + 8, y: y + 18, class: "strong"}, title));
  if (cache) group.append(svg("text", {x: x + 8, y: y + 35}, rate === undefined ? "no reads" : `${formatShare(rate)} hits`),
    svg("text", {x: x + 8, y: y + 51, class: "weak"}, rate === undefined ? "" : `${formatShort(cache.reads)} reads`));
  return group;
}

function link(x1, x2, y, bytes, most) {
  const width = bytes > 0 ? 2 + 12 * Math.sqrt(bytes / most) : 1;
  return svg("g", {}, svg("line", {x1, x2, y1: y, y2: y, "stroke-width": width, class: bytes > 0 ? "flow" : "flow none"}),
    svg("text", {x: (x1 + x2) / 2, y: y - 12, "text-anchor": "middle"}, formatShort(bytes, "B")));
}

// SM, its caches, crossbar, second level and DRAM, with the traffic between them.
function memoryPicture(run) {
  const bytes = bytesOf(run);
  const most = Math.max(bytes.core, bytes.crossbar, bytes.memory, 1);
  const all = caches.map(([title, block]) => ({title, ...cacheOf(run, block)}));
  const dram = sectionOf(run)?.counters["gpu.dram"];
  const label = `${run.name}: ${formatShort(bytes.core, "B")} by loads and stores, ${formatShort(bytes.crossbar, "B")} through the crossbar, ${
    formatShort(bytes.memory, "B")} from and to memory; ${all.map(({title, rate}) => `${title} ${rate === undefined ? "no reads" : `${formatShare(rate)} hits`}`).join(", ")}`;
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": `Memory of ${run.name}`},
    svg("svg", {viewBox: "0 0 760 236", class: "memory", role: "img", "aria-label": label},
      link(86, 188, 118, bytes.core, most), link(314, 440, 118, bytes.crossbar, most), link(566, 640, 118, bytes.memory, most),
      box(4, 84, 82, 68, "SMs"), svg("text", {x: 12, y: 121}, "load/store"),
      ...all.slice(0, 3).map((cache, index) => box(188, 6 + 78 * index, 126, 70, cache.title, cache)),
      box(440, 83, 126, 70, "L2", all[3]),
      box(640, 84, 116, 68, "DRAM"),
      svg("text", {x: 648, y: 121}, dram ? `${formatShort((dram.reads ?? 0) + (dram.writes ?? 0))} requests` : ""),
      svg("text", {x: 648, y: 138, class: "weak"}, dram?.row_hits !== undefined ? `${formatShare(dram.row_hits / Math.max(1, dram.row_hits + dram.row_misses + dram.row_conflicts))} row hits` : ""),
      svg("text", {x: 377, y: 150, "text-anchor": "middle", class: "weak"}, "crossbar")));
}

function memoryTable() {
  const rows = [];
  for (const [title, block] of caches) {
    for (const key of ["reads", "rate", "misses", "merges"]) {
      rows.push([`${title} ${{reads: "reads", rate: "hit rate", misses: "misses", merges: "merged with a miss on its way"}[key]}`,
        ...runs.map((run) => (key === "rate" ? formatShare(cacheOf(run, block)?.rate) : formatCount(cacheOf(run, block)?.[key])))]);
    }
  }
  for (const [key, title] of [["core", "bytes by loads and stores"], ["crossbar", "bytes through the crossbar"], ["memory", "bytes from and to memory"]]) {
    rows.push([title, ...runs.map((run) => formatCount(bytesOf(run)[key]))]);
  }
  return {head: ["", ...runs.map((run) => run.name)], rows};
}

// Parts of a timeline one after another; a cache that was not read in an interval has no rate there.
function cacheColumns(timeline) {
  const begins = timeline.flatMap((part) => part.lanes.map((_, index) => beginOf(part, index)));
  begins.push(endOf(timeline));
  const rates = caches.map(([title, , key]) => ({title, values: timeline.flatMap((part) => {
    const cache = part.caches?.[key];
    return part.lanes.map((_, index) => (cache?.accesses[index] > 0 ? 100 * cache.hits[index] / cache.accesses[index] : null));
  })})).filter(({values}) => values.some((value) => value !== null));
  const bytes = timeline.flatMap((part) => part.lanes.map((_, index) => {
    const end = index + 1 < part.lanes.length ? beginOf(part, index + 1) : part.begin + part.cycles;
    const cycles = end - beginOf(part, index);
    return part.dram_bytes && cycles > 0 ? part.dram_bytes[index] / cycles : null;
  }));
  for (const values of [bytes, ...rates.map((rate) => rate.values)]) values.push(values[values.length - 1] ?? null);
  return {begins, rates, bytes};
}

const cacheColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7"];

function drawMemoryOverTime(into, run, lastCycle) {
  const timeline = timelineOf(run);
  if (!timeline) return;
  const {begins, rates, bytes} = cacheColumns(timeline);
  const common = {x: {label: "cycles", format: (value) => formatShort(value), range: [0, lastCycle]}, sync: "cycles", height: 190, hooks: {setScale: [followScale]}};
  const line = (label, stroke, format) => ({label, stroke, width: 1.5, points: {show: false}, paths: levels,
    value: (_, value) => (value === null || value === undefined ? "–" : format(value))});
  if (rates.length > 0) {
    into.append(h("h4", {}, `Hit rates of ${run.name} over time`));
    chartInto(into, {...common, label: `${run.name}: hit rates over time`, data: [begins, ...rates.map(({values}) => values)],
      series: rates.map(({title}) => line(title, cacheColours[caches.findIndex(([name]) => name === title)], (value) => `${value.toFixed(1)} %`)),
      y: {format: (value) => `${value} %`, range: [0, 100]}});
  }
  if (bytes.some((value) => value !== null)) {
    into.append(h("h4", {}, `DRAM bytes a cycle of ${run.name}`));
    chartInto(into, {...common, label: `${run.name}: bytes from and to memory a cycle`, data: [begins, bytes],
      series: [{...line("bytes a cycle", "#d55e00", formatNumber), fill: "rgb(213 94 0 / 0.25)", paths: uPlot.paths.stepped({align: 1})}], y: {format: formatNumber}});
  }
  if (rates.length > 0) into.append(numbers(() => ({
    head: ["first cycle", ...rates.map(({title}) => title), "bytes a cycle"],
    rows: begins.slice(0, -1).map((begin, index) => [formatCount(begin), ...rates.map(({values}) => formatShare(values[index] === null ? null : values[index] / 100)), formatNumber(bytes[index])]),
  })));
}

function drawMemory(into) {
  const shown = shownRuns();
  const columns = h("div", {class: "columns"});
  for (const run of shown) {
    const column = h("div", {}, h("h3", {}, run.name));
    columns.append(column);
    column.append(hasMemory(run) ? memoryPicture(run) : missing("This machine counts no memory traffic by level."));
  }
  into.append(columns);
  if (runs.some(hasMemory)) into.append(numbers(memoryTable));
  const overTime = h("div", {class: "columns"});
  into.append(overTime);
  // All columns first: charts take the width that they find.
  const places = shown.map(() => h("div"));
  overTime.append(...places);
  shown.forEach((run, index) => drawMemoryOverTime(places[index], run, lastCycleOf(shown)));
}
