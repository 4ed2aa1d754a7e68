// SPDX-License-Identifier: Apache-2.0
// The program as a heat map: every instruction with its costs, next to its source.

const measures = {
  lost_slots: {title: "lost issue slots", of: (instruction) => instruction.lost_slots},
  lost_lanes: {title: "lost lanes", of: (instruction) => instruction.lost_lanes},
  executions: {title: "executions", of: (instruction) => instruction.executions},
};

// PTX without .loc names no source.
function hasSource(profile) {
  return profile.instructions.some((instruction) => instruction.source);
}

function sourceName(source) {
  return source ? `${source.file.split("/").pop()}:${source.line}` : "";
}

// The line that called the inlined functions which an instruction is in, or the instruction's own.
function outermost(instruction) {
  return instruction.inlined_at?.at(-1) ?? instruction.source;
}

function sourceTip(instruction) {
  const calls = (instruction.inlined_at ?? []).map((call) => `inlined at ${sourceName(call)}  ${call.text}`);
  if (calls.length === 0 && instruction.source.text.length <= 40) return undefined;
  return [instruction.source.text, ...calls].join("\n");
}

// An instruction with derived values.
function analysed(instruction, profile) {
  const lost = instruction.stalls.reduce((sum, slots) => sum + slots, 0);
  const most = Math.max(0, ...instruction.stalls);
  return {...instruction, lost_slots: lost, mean_lanes: instruction.executions > 0 ? instruction.threads / instruction.executions : undefined,
    cause: lost > 0 ? profile.causes[instruction.stalls.indexOf(most)] : ""};
}

function causesText(instruction, causes) {
  const parts = causes.map((name, index) => [name, instruction.stalls[index]]).filter(([, slots]) => slots > 0).sort((a, b) => b[1] - a[1]);
  return parts.length === 0 ? "" : `Issue slots lost here\n${parts.map(([name, slots]) => `${words(name)}: ${formatCount(slots)} (${formatShare(slots / instruction.lost_slots)})`).join("\n")}`;
}

function branchCell(instruction, goTo) {
  if (!instruction.branch) return "";
  const threads = instruction.branch.targets.reduce((sum, target) => sum + target.threads, 0);
  return h("span", {class: "targets"}, instruction.branch.targets.map((target) => h("button", {type: "button", class: "link",
    "data-tip": `${formatCount(target.threads)} threads go to instruction ${target.pc}`, onclick: () => goTo(target.pc)},
    `→${target.pc} ${formatShare(threads > 0 ? target.threads / threads : undefined, 0)}`)),
    instruction.executions > 0 ? h("span", {class: "weak"}, `${formatShare(instruction.branch.divergent / instruction.executions, 0)} split`) : null);
}

function memoryCell(instruction) {
  const memory = instruction.memory;
  if (!memory) return "";
  const all = memory.hits + memory.misses + memory.merges;
  return h("span", {"data-tip": `${memory.space} memory${memory.cache ? ` by ${words(memory.cache)}` : ""}\nlines: ${formatCount(memory.lines)}\nhits: ${
    formatCount(memory.hits)}\nmisses: ${formatCount(memory.misses)}\nmerges: ${formatCount(memory.merges)}`},
    all > 0 ? `${formatShare(memory.hits / all, 0)} of ${formatShort(all)}` : memory.space);
}

// The whole program as one strip of heat, a column an instruction; a click goes to the instruction.
function heatStrip(instructions, share, goTo, label) {
  const canvas = h("canvas", {class: "strip own-tip", role: "img", "aria-label": label, height: 34});
  const at = (event) => instructions[Math.min(instructions.length - 1, Math.floor(instructions.length * event.offsetX / canvas.clientWidth))];
  canvas.addEventListener("pointermove", (event) => {
    const instruction = at(event);
    if (instruction) showTip(`${instruction.pc}  ${instruction.text}\n${formatShare(share(instruction))}`, event.clientX, event.clientY);
  });
  canvas.addEventListener("pointerleave", hideTip);
  canvas.addEventListener("click", (event) => at(event) && goTo(at(event).pc));
  requestAnimationFrame(() => {
    const scale = devicePixelRatio;
    canvas.width = canvas.clientWidth * scale;
    canvas.height = 34 * scale;
    const context = canvas.getContext("2d");
    const most = largest(instructions.map(share), 1e-12);
    const width = canvas.width / instructions.length;
    context.fillStyle = themeColour("--hot");
    instructions.forEach((instruction, index) => {
      const height = Math.ceil(canvas.height * share(instruction) / most);
      context.fillRect(index * width, canvas.height - height, Math.max(1, width - (width > 4 ? 1 : 0)), height);
    });
  });
  return canvas;
}

// Costs by source line; `sourceOf` gives the line of an instruction.
function bySource(instructions, sourceOf) {
  const lines = new Map();
  for (const instruction of instructions) {
    const source = sourceOf(instruction);
    const key = source ? `${source.file}:${source.line}` : "";
    const line = lines.get(key) ?? {source, place: sourceName(source) || "(no source line)",
      text: source?.text ?? "", instructions: 0, executions: 0, threads: 0, lost_lanes: 0, lost_slots: 0, stalls: instruction.stalls.map(() => 0)};
    line.instructions += 1;
    for (const name of ["executions", "threads", "lost_lanes", "lost_slots"]) line[name] += instruction[name];
    instruction.stalls.forEach((slots, cause) => { line.stalls[cause] += slots; });
    lines.set(key, line);
  }
  return [...lines.values()].map((line) => ({...line, mean_lanes: line.executions > 0 ? line.threads / line.executions : undefined}));
}

function costColumns(profile, share) {
  return [
    {name: "executions", title: "executions", number: true, cell: (row) => formatCount(row.executions), tip: "Warp instructions issued here"},
    {name: "mean_lanes", title: "lanes", number: true, cell: (row) => (row.mean_lanes === undefined ? "–" : row.mean_lanes.toFixed(1)), tip: `Mean active lanes, of ${profile.lanes}`},
    {name: "lost_lanes", title: "lost lanes", number: true, cell: (row) => formatCount(row.lost_lanes), tip: "Lanes that did nothing while an instruction issued here"},
    {name: "lost_slots", title: "lost slots", number: true, cell: (row) => h("span", {"data-tip": causesText(row, profile.causes) || undefined}, formatCount(row.lost_slots)),
      tip: "Issue slots lost while the warp that is charged stood here"},
    {name: "share", title: "share", number: true, value: share, cell: (row) => h("span", {class: "meter", style: `--part: ${share(row)}`}, formatShare(share(row))), tip: "Of the whole kernel, by the chosen measure"},
  ];
}

function instructionTable(profile, instructions, share, heatOf, goTo) {
  const heated = (row) => `background: ${heat(heatOf(row))}`;
  const [executions, lanes, lostLanes, lostSlots, part] = costColumns(profile, share);
  return dataTable([
    {name: "pc", title: "pc", number: true},
    {name: "text", title: "PTX", class: "code", style: heated, cell: (row) => h("span", {"data-tip": row.text.length > 50 ? row.text : undefined}, row.text),
      tip: "In the order of the program when sorted by pc"},
    part,
    ...(hasSource(profile) ? [{name: "source", title: "source", class: "code source", value: (row) => (row.source ? `${sourceName(row.source)} ${row.source.text}` : ""),
      cell: (row) => (row.source ? h("span", {"data-tip": sourceTip(row)}, h("span", {class: "weak"}, `${sourceName(row.source)}  `), row.source.text) : "")}] : []),
    executions, lanes, lostLanes, lostSlots,
    {name: "cause", title: "cause", cell: (row) => words(row.cause), tip: "What most of the slots were lost to"},
    {name: "branch", title: "branch", value: (row) => (row.branch ? row.branch.divergent : undefined), cell: (row) => branchCell(row, goTo), tip: "Where threads go, and how many warps split"},
    {name: "memory", title: "hit rate", value: (row) => (row.memory ? row.memory.hits / Math.max(1, row.memory.hits + row.memory.misses + row.memory.merges) : undefined), cell: memoryCell, tip: "Of the lines that loads, stores and textures asked for"},
    {name: "line", title: "line", number: true, tip: "Of the PTX file"},
  ], instructions, {caption: `Instructions of ${profile.kernel}`, filter: "Filter by PTX, cause or source", sort: [0, false], limit: 400, class: "tall", rowId: (row) => `pc-${row.pc}`});
}

function sourceTable(profile, lines, share, heatOf) {
  return dataTable([
    {name: "place", title: "source line"},
    {name: "text", title: "source", class: "code", style: (row) => `background: ${heat(heatOf(row))}`},
    {name: "instructions", title: "instructions", number: true},
    ...costColumns(profile, share),
  ], lines, {caption: `Source lines of ${profile.kernel}`, filter: "Filter by source", sort: [7, true], limit: 400, class: "tall"});
}

function drawProfile(into, profile, measure, by) {
  const instructions = profile.instructions.map((instruction) => analysed(instruction, profile));
  const sourceOf = {source: (instruction) => instruction.source, caller: outermost}[by];
  const rows = sourceOf ? bySource(instructions, sourceOf) : instructions;
  const all = Math.max(1, instructions.reduce((sum, instruction) => sum + measure.of(instruction), 0));
  const share = (row) => measure.of(row) / all;
  const most = largest(rows.map(share), 1e-12);
  const heatOf = (row) => share(row) / most;
  let table;
  const goTo = (pc) => {
    if (sourceOf) return;
    table.clear();
    table.showAll();
    const row = document.getElementById(`pc-${pc}`);
    row?.scrollIntoView({block: "center"});
    row?.classList.add("found");
    setTimeout(() => row?.classList.remove("found"), 1500);
  };
  table = sourceOf ? sourceTable(profile, rows, share, heatOf) : instructionTable(profile, rows, share, heatOf, goTo);
  const total = (name) => formatCount(instructions.reduce((sum, instruction) => sum + instruction[name], 0));
  const ofNone = formatCount((profile.stalls_of_no_warp ?? []).reduce((sum, slots) => sum + slots, 0));
  const lostSlots = profile.causes.length > 0 ? `, issue slots lost: ${total("lost_slots")} of warps, ${ofNone} of none` : "";
  into.replaceChildren(
    h("p", {class: "hint"}, `${profile.program}: ${formatCount(instructions.length)} instructions, ${total("executions")} executions, ${total("lost_lanes")} lost lanes${lostSlots}`),
    heatStrip(instructions, (row) => measure.of(row) / all, goTo, `Share of ${measure.title} over the instructions of the program`), table.element);
}

// Which of the runs that have the part have no profile of it, and the shown run, where it has none.
function withoutProfile() {
  const most = 12;
  const names = runs.filter((run, index) => !hasProfile(run) && (sectionOf(run) || index === state.run)).map((run) => run.name);
  if (names.length === 0) return null;
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return missing(`There is no profile of this part of ${names.slice(0, most).join(", ")}${more}. Record one with`, "reconverge run … --profile");
}

function drawProgram(into) {
  into.append(withoutProfile() ?? "");
  const profiles = profilesOf(runs[state.run]);
  if (profiles.length === 0) return;
  const place = h("div");
  const sources = profiles.some(hasSource);
  const inlines = profiles.some((profile) => profile.instructions.some((instruction) => instruction.inlined_at));
  const kinds = [["instruction", "PTX"], ["source", "Source lines"], ...(inlines ? [["caller", "Lines that call"]] : [])];
  // A machine without time loses no slots.
  const timed = profiles.some((profile) => profile.causes.length > 0);
  const chosen = {profile: 0, measure: timed ? "lost_slots" : "executions", by: "instruction"};
  const draw = () => drawProfile(place, profiles[chosen.profile], measures[chosen.measure], chosen.by);
  into.append(h("div", {class: "controls"},
    profiles.length > 1 ? labelled("Kernel", select(profiles.map((profile, index) => [String(index), profile.kernel]), "0", (value) => { chosen.profile = Number(value); draw(); })) : h("strong", {}, profiles[0].kernel),
    choice("Colour by", Object.entries(measures).map(([key, {title}]) => [key, title]), chosen.measure, (value) => { chosen.measure = value; draw(); }),
    sources ? choice("Rows", kinds, chosen.by, (value) => { chosen.by = value; draw(); }) : ""), place);
  draw();
}
