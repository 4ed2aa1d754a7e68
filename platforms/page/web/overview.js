// SPDX-License-Identifier: Apache-2.0
// The runs, their checks, their main figures, and their pictures.

const headline = [["cycles", "cycles"], ["ray_rate", "Mrays/s"], ["thread_ipc", "thread IPC"], ["simd_efficiency", "SIMD efficiency"],
  ["warp_instructions", "warp instructions"], ["dram_bandwidth", "DRAM"]];

// Cycles of different clocks cannot be compared: if runs have different clocks, clock and time are shown, too.
function headlines() {
  const several = new Set(runs.map((run) => run.platform.clock_hz).filter(Boolean)).size > 1;
  const all = several ? [headline[0], ["clock", "clock"], ["time", "seconds"], ...headline.slice(1)] : headline;
  return all.filter(([name]) => runs.some((run) => headlineValue(run, name) !== undefined));
}

function headlineValue(run, name) {
  return name === "clock" ? run.platform.clock_hz : figure(run, name);
}

function shownFigure(name, value) {
  if (name === "clock") return formatShort(value, "Hz");
  return name === "dram_bandwidth" ? formatShort(value, "B/s") : formatByUnit(value, figureUnit(name));
}

function chips(run) {
  const list = [];
  for (const [check, holds] of Object.entries(run.checks)) {
    if (!holds) list.push(h("span", {class: "chip bad"}, `check failed: ${words(check)}`));
  }
  if (run.partial) list.push(h("span", {class: "chip warn"}, "partial: the run ended early"));
  if (run.stopped_after) list.push(h("span", {class: "chip warn"}, `stopped after ${formatCount(run.stopped_after)} cycles`));
  if (list.length === 0) list.push(h("span", {class: "chip good"}, "all hold"));
  return h("span", {class: "chips"}, list);
}

function cards() {
  const run = runs[state.run];
  const baseline = baselineRun();
  return h("dl", {class: "cards"}, headlines().filter(([name]) => headlineValue(run, name) !== undefined).map(([name, title]) => {
    const [value, before] = [run, baseline].map((each) => each && headlineValue(each, name));
    const change = baseline && baseline !== run ? formatChange(value, before) : "";
    return h("div", {class: "card"}, h("dt", {}, title), h("dd", {}, shownFigure(name, value),
      change ? h("span", {class: "change", "data-tip": `${baseline.name}: ${shownFigure(name, before)}`}, change) : null));
  }));
}

function runTable() {
  const known = headlines();
  return h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Runs"}, h("table", {class: "runs"},
    h("thead", {}, h("tr", {}, ["run", "machine or scheme", "checks", ...known.map(([, title]) => title)].map((text, column) => h("th", {scope: "col", class: column > 2 ? "number" : undefined}, text)))),
    h("tbody", {}, runs.map((run, index) => h("tr", {class: index === state.run ? "chosen" : undefined},
      h("th", {scope: "row"}, h("button", {type: "button", class: "link", "aria-pressed": String(index === state.run), "data-tip": run.folder, onclick: () => choose({run: index})}, run.name),
        index === state.baseline ? h("span", {class: "weak"}, " baseline") : null),
      h("td", {}, schemeOf(run)), h("td", {}, chips(run)),
      known.map(([name]) => h("td", {class: "number"}, shownFigure(name, headlineValue(run, name)))))))));
}

// The comparisons of the checks.
function evidence(run) {
  const lines = [];
  if (run.hits) lines.push(`Hits against the oracle: ${["checked", "equal", "ties", "edges", "mismatches"].map((name) => `${formatCount(run.hits[name])} ${name}`).join(", ")}.`);
  for (const check of run.expected ?? []) {
    lines.push(`${check.buffer} against ${check.against}: ${formatCount(check.values)} values, ${check.differing === 0 ? "all agree" : `${formatCount(check.differing)} differ`}.`);
  }
  const {scene, triangles, rays} = run.workload ?? {};
  if (scene) lines.push(`Scene ${scene}, ${formatCount(triangles)} triangles, ${formatCount(rays)} rays.`);
  return lines.map((line) => h("p", {class: "hint"}, line));
}

function drawOverview(into) {
  into.append(cards(), ...evidence(runs[state.run]), runTable());
}

function drawPictures(into) {
  const shown = runs.flatMap((run) => run.pictures.map((picture) => ({run, picture})));
  if (shown.length === 0) {
    into.append(missing("No run left a picture. Rays are resolved to picture.png; launches write one with", "outputs: [{buffer: …, png: …}]"));
    return;
  }
  into.append(h("div", {class: "pictures"}, shown.map(({run, picture}) => h("figure", {class: run === runs[state.run] ? "chosen" : undefined},
    h("img", {src: `data:image/png;base64,${page.images[picture.image]}`, alt: `${picture.file} of ${run.name}`, width: picture.width, height: picture.height, loading: "lazy", decoding: "async"}),
    h("figcaption", {}, `${run.name}: ${picture.file}, ${picture.width} × ${picture.height}`)))));
}
