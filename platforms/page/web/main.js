// SPDX-License-Identifier: Apache-2.0
// The page of reports: its sections, and the choice of run, baseline and part.

const pageParts = [
  {id: "overview", title: "Overview", draw: drawOverview},
  {id: "slots", title: "Issue slots", text: "What every issue slot of every cycle went to.", draw: drawSlots},
  {id: "lanes", title: "Active lanes", text: "Warp instructions by the lanes that were active.", draw: drawLanes},
  {id: "time", title: "Over time", text: "What issue slots went to, interval by interval.", draw: drawOccupancy},
  {id: "program", title: "Program", text: "Where in the kernel slots and lanes are lost.", draw: drawProgram},
  {id: "warps", title: "Warps", text: "Every warp in a window of cycles.", draw: drawWarps},
  {id: "memory", title: "Memory", text: "Traffic and hit rates by level.", draw: drawMemory},
  {id: "pictures", title: "Pictures", draw: drawPictures},
  {id: "figures", title: "Figures", text: "All figures and counters, and their differences from the baseline.", draw: drawFigures},
  {id: "configuration", title: "Configuration", draw: drawConfiguration},
];

function choose(change) {
  Object.assign(state, change);
  drawChoices();
  redraw();
}

function drawChoices() {
  const names = runs.map((run, index) => [String(index), run.name]);
  const several = runs.length > 1;
  document.getElementById("choices").replaceChildren(
    ...(several ? [labelled("Run", select(names, String(state.run), (value) => choose({run: Number(value)}))),
      labelled("Baseline", select([["-1", "none"], ...names], String(state.baseline), (value) => choose({baseline: Number(value)})))] : []),
    labelled("Part", select(parts(), state.part, (value) => choose({part: value}))));
}

state.part = parts()[0][0];
drawChoices();
startPage(runs.length === 1 ? "1 run" : `${runs.length} runs`);
