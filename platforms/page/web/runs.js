// SPDX-License-Identifier: Apache-2.0
// The runs of the page, and the run and part that are shown.

const page = JSON.parse(document.getElementById("data").textContent);
const runs = page.runs;

// run and baseline are indices; a page of one run has no baseline.
const state = {run: runs.length > 1 ? 1 : 0, baseline: runs.length > 1 ? 0 : -1, part: ""};

function partKey(section) {
  return `${section.kind}:${section.name}`;
}

// Parts that at least one run has: tracing first, then in their order. For rays, the parts that trace are compared; for launches, all parts.
function parts() {
  const seen = new Map(runs.some((run) => hasPart(run, "sum:tracing")) ? [["sum:tracing", "tracing"]] : []);
  for (const run of runs) {
    for (const section of run.sections) seen.set(partKey(section), section.name);
  }
  if (seen.has("sum:tracing") && runs.some((run) => !hasPart(run, "sum:tracing"))) {
    seen.set("sum:tracing", "tracing, or total of launches");
  }
  return [...seen];
}

function hasPart(run, key) {
  return run.sections.some((section) => partKey(section) === key);
}

function sectionOf(run, key = state.part) {
  const section = run.sections.find((each) => partKey(each) === key);
  return section || (key === "sum:tracing" ? sectionOf(run, "sum:total") : undefined);
}

function partName(key = state.part) {
  return new Map(parts()).get(key);
}

// The stages or launches of a section, which may be a sum.
function constituents(run, section) {
  if (section.kind !== "sum") return [section];
  const all = run.sections.filter((each) => each.kind !== "sum");
  return section.name === "tracing" ? all.filter((each) => each.rays > 0) : all;
}

// The shown run and, if it differs, the baseline, for side-by-side display.
function shownRuns() {
  const shown = [runs[state.run]];
  if (state.baseline >= 0 && state.baseline !== state.run) shown.push(runs[state.baseline]);
  return shown;
}

function baselineRun() {
  return state.baseline >= 0 ? runs[state.baseline] : undefined;
}

function figure(run, name) {
  return sectionOf(run)?.figures[name];
}

function counter(run, block, name) {
  return sectionOf(run)?.counters[block]?.[name];
}

function figureUnit(name) {
  return page.definitions.figures[name]?.unit ?? "";
}

function schemeOf(run) {
  return words(String(run.platform.scheme ?? run.platform.machine ?? ""));
}

// The outcomes of a run's issue slots, or the causes of cycles on a machine without warps: names and shares.
function outcomes(section) {
  const figures = Object.entries(section?.figures ?? {});
  const slots = figures.filter(([name]) => name.startsWith("slots_")).map(([name, value]) => [name.slice(6), value]);
  if (slots.length > 0) return slots;
  return figures.filter(([name, value]) => name.startsWith("cycles_") && figureUnit(name) === "share" && value !== null)
    .map(([name, value]) => [name.slice(7), value]);
}

// Timelines of the parts one after another, with the cycle at which each begins; nothing when none was recorded.
function timelineOf(run) {
  const section = sectionOf(run);
  const recorded = section ? constituents(run, section).filter((each) => each.timeline) : [];
  if (recorded.length === 0) return undefined;
  let begin = 0;
  return recorded.map((each) => {
    const part = {...each.timeline, name: each.name, begins: each.timeline.begin, begin};
    begin += each.timeline.cycles;
    return part;
  });
}

function addProfiles(sum, profile) {
  profile.stalls_of_no_warp?.forEach((slots, cause) => { sum.stalls_of_no_warp[cause] += slots; });
  sum.instructions.forEach((instruction, index) => {
    const more = profile.instructions[index];
    for (const key of ["executions", "threads", "lost_lanes"]) instruction[key] += more[key];
    more.stalls.forEach((slots, cause) => { instruction.stalls[cause] += slots; });
    if (instruction.branch && more.branch) {
      instruction.branch.divergent += more.branch.divergent;
      for (const target of more.branch.targets) {
        const same = instruction.branch.targets.find((each) => each.pc === target.pc);
        if (same) same.threads += target.threads;
        else instruction.branch.targets.push({...target});
      }
    }
    if (instruction.memory && more.memory) {
      for (const key of ["lines", "hits", "misses", "merges"]) instruction.memory[key] += more.memory[key];
    } else if (more.memory) {
      instruction.memory = {...more.memory};  // it has requested no line before
    }
  });
}

function hasProfile(run) {
  const section = sectionOf(run);
  return section !== undefined && constituents(run, section).some((each) => each.profile);
}

// One profile for each kernel of the shown part, added up over the stages that ran it.
function profilesOf(run) {
  const section = sectionOf(run);
  const byKernel = new Map();
  for (const each of section ? constituents(run, section) : []) {
    if (!each.profile) continue;
    const key = `${each.kernel}\n${each.profile.program}\n${each.profile.instructions.length}`;
    const sum = byKernel.get(key);
    if (sum) addProfiles(sum, each.profile);
    else byKernel.set(key, {kernel: each.kernel, ...structuredClone(each.profile)});
  }
  return [...byKernel.values()];
}
