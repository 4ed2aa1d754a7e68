// SPDX-License-Identifier: Apache-2.0
// Figures and raw counters of all runs side by side, with the difference from the baseline.

function figureRows() {
  const names = new Set(runs.flatMap((run) => Object.keys(sectionOf(run)?.figures ?? {})));
  return [...names].map((name) => {
    const definition = page.definitions.figures[name] ?? {};
    return {name, unit: definition.unit ?? "", text: definition.text ?? "", formula: definition.formula ?? "", values: runs.map((run) => sectionOf(run)?.figures[name])};
  });
}

function counterRows() {
  const rows = new Map();
  runs.forEach((run, index) => {
    for (const [block, counters] of Object.entries(sectionOf(run)?.counters ?? {})) {
      for (const [name, value] of Object.entries(counters)) {
        const definition = page.definitions.counters[block]?.[name] ?? {};
        const values = Array.isArray(value) ? value.map((each, bin) => [`${block}.${name}.${definition.bins?.[bin] ?? bin}`, each]) : [[`${block}.${name}`, value]];
        for (const [key, each] of values) {
          if (!rows.has(key)) rows.set(key, {name: key, unit: definition.unit ?? "", text: definition.text ?? "", formula: "", values: runs.map(() => undefined)});
          rows.get(key).values[index] = each;
        }
      }
    }
  });
  return [...rows.values()];
}

function valueCell(row, index) {
  const change = index === state.baseline || state.baseline < 0 ? "" : formatChange(row.values[index], row.values[state.baseline]);
  return [h("span", {}, formatByUnit(row.values[index], row.unit)), state.baseline < 0 ? null : h("span", {class: "change"}, change)];
}

function drawFigures(into) {
  const place = h("div");
  const chosen = {of: "figures", zeros: false};
  const draw = () => {
    const all = chosen.of === "figures" ? figureRows() : counterRows();
    const rows = chosen.zeros ? all : all.filter((row) => row.values.some((value) => value));
    place.replaceChildren(dataTable([
      {name: "name", title: chosen.of === "figures" ? "figure" : "counter", value: (row) => `${row.name} ${row.text}`,
        cell: (row) => h("span", {class: "code", "data-tip": [row.text, row.formula && `= ${row.formula}`].filter(Boolean).join("\n") || undefined}, breakable(row.name))},
      {name: "unit", title: "unit", cell: (row) => h("span", {class: "weak"}, row.unit)},
      ...runs.map((run, index) => ({name: run.name, title: index === state.baseline ? `${run.name} (baseline)` : run.name, number: true,
        value: (row) => row.values[index], cell: (row) => valueCell(row, index)})),
    ], rows, {caption: `${words(chosen.of)} of all runs: ${partName()}`, filter: `Filter ${chosen.of}`, limit: 300, class: "tall"}).element);
  };
  const zeros = h("input", {type: "checkbox", onchange: () => { chosen.zeros = zeros.checked; draw(); }});
  into.append(h("div", {class: "controls"}, choice("Values", [["figures", "Figures"], ["counters", "Counters"]], "figures", (value) => { chosen.of = value; draw(); }),
    h("label", {class: "labelled"}, zeros, h("span", {}, "also values that are 0 everywhere"))), place);
  draw();
}
