// SPDX-License-Identifier: Apache-2.0
// Stacked bars: one row a run or part, all rows of the same width.

// names with a share somewhere, in the order of the first row that has each.
function namesIn(rows) {
  const names = [];
  for (const row of rows) {
    for (const [name, share] of row.shares) {
      if (share > 0 && !names.includes(name)) names.push(name);
    }
  }
  return names;
}

function legend(names, colourOf, chart) {
  return h("ul", {class: "legend"}, names.map((name) => h("li", {
    onpointerenter: () => { chart.dataset.only = ""; mark(chart, name); },
    onpointerleave: () => { delete chart.dataset.only; },
  }, h("span", {class: "swatch", style: `background: ${colourOf(name)}`, "aria-hidden": "true"}), words(name))));
}

function mark(chart, name) {
  for (const piece of chart.querySelectorAll(".piece")) piece.classList.toggle("marked", piece.dataset.name === name);
}

// rows: {name, shares: [[name, share]], choose (when a row can be chosen), chosen}; colourOf(name).
function stackedBars(rows, colourOf) {
  const names = namesIn(rows);
  const colours = new Map(names.map((name) => [name, colourOf(name)]));
  const chart = h("div", {class: "bars"});
  for (const row of rows) {
    const bar = h("div", {class: "stack", role: "img", "aria-label": `${row.name}: ${
      row.shares.filter(([, share]) => share >= 0.0005).map(([name, share]) => `${words(name)} ${formatShare(share)}`).join(", ") || "nothing was counted"}`});
    for (const [name, share] of row.shares) {
      if (!(share > 0)) continue;
      const colour = colours.get(name);
      bar.append(h("div", {class: "piece", "data-name": name, "data-tip": `${row.name}\n${words(name)}: ${formatShare(share, 2)}`,
        style: `flex: ${share} 0 0; background: ${colour}; color: ${inkOn(colour)}`},
        // The name goes where there is room for both.
        share >= 0.06 ? [h("span", {}, formatShare(share, 0)), h("span", {}, words(name))] : null));
    }
    chart.append(row.choose
      ? h("button", {type: "button", class: "row-name", "aria-pressed": String(Boolean(row.chosen)), "data-tip": row.name, onclick: row.choose}, row.name)
      : h("span", {class: "row-name", "data-tip": row.name}, row.name), bar);
  }
  return h("div", {}, legend(names, (name) => colours.get(name), chart), chart, numbers(() => ({
    head: ["", ...names.map(words)],
    rows: rows.map((row) => [row.name, ...names.map((name) => formatShare(new Map(row.shares).get(name) ?? 0, 2))]),
  })));
}

// The same shares of every run, or of every part of the shown run.
function sharesPart(sharesOf, colourOf, nothing) {
  const chart = h("div");
  const draw = (of) => {
    const rows = of === "runs"
      ? runs.map((run, index) => ({name: run.name, shares: sharesOf(sectionOf(run)), chosen: index === state.run, choose: () => choose({run: index})}))
      : runs[state.run].sections.map((section) => ({name: section.name, shares: sharesOf(section)}));
    const counted = rows.filter((row) => row.shares.some(([, share]) => share > 0));
    chart.replaceChildren(counted.length > 0 ? stackedBars(counted, colourOf) : missing(nothing));
  };
  draw("runs");
  return [h("div", {class: "controls"}, choice("Rows", [["runs", `All runs (${partName()})`], ["parts", `Parts of ${runs[state.run].name}`]], "runs", draw)), chart];
}

function drawSlots(into) {
  into.append(...sharesPart(outcomes, outcomeColour, "Nothing was counted: a functional machine has no time."));
}
