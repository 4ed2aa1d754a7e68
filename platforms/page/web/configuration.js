// SPDX-License-Identifier: Apache-2.0
// The configuration of a run with the origin of every value, and the differences between runs.

function differences(known) {
  const maps = known.map((run) => new Map(run.configuration.map(([key, value]) => [key, value])));
  const keys = new Set(maps.flatMap((map) => [...map.keys()]));
  return [...keys].filter((key) => new Set(maps.map((map) => map.get(key))).size > 1)
    .map((key) => ({key, values: new Map(known.map((run, index) => [run, maps[index].get(key)]))}));
}

function differenceCell(row, run) {
  const value = row.values.get(run);
  if (value === undefined) return h("span", {class: "weak"}, "–");
  const baseline = baselineRun();
  return h("span", {class: row.values.has(baseline) && value !== row.values.get(baseline) ? "differs" : undefined}, value);
}

function drawDifferences(into) {
  const known = runs.filter((run) => run.configuration.length > 0);
  if (known.length < 2) return;
  const rows = differences(known);
  into.append(h("h3", {}, "What differs between the runs"));
  into.append(rows.length === 0 ? missing("Nothing: the runs have the same configuration.") : dataTable([
    {name: "key", title: "parameter", cell: (row) => h("span", {class: "code"}, breakable(row.key))},
    ...known.map((run) => ({name: run.name, title: run.name, value: (row) => row.values.get(run) ?? "", cell: (row) => differenceCell(row, run)})),
  ], rows, {caption: "Parameters that differ between the runs", filter: "Filter parameters", limit: 300, class: "tall"}).element);
}

function drawConfiguration(into) {
  drawDifferences(into);
  const run = runs[state.run];
  into.append(h("h3", {}, `Configuration of ${run.name}`));
  into.append(run.configuration.length === 0 ? missing("effective.yaml is not in the folder of this report.") : dataTable([
    {name: "key", title: "parameter", value: ([key]) => key, cell: ([key]) => h("span", {class: "code"}, breakable(key))},
    {name: "value", title: "value", value: ([, value]) => value},
    {name: "origin", title: "origin", value: ([, , , origin]) => origin, class: "weak"},
    {name: "source", title: "source of the machine's value", value: ([, , source]) => source, class: "weak"},
  ], run.configuration, {caption: `Configuration of ${run.name}`, filter: "Filter by parameter, value or origin", limit: 200, class: "tall"}).element);
}
