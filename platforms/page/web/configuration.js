// The configuration of a run with the origin of every value, and what differs between runs.

function differences() {
  const maps = runs.map((run) => new Map(run.configuration.map(([key, value]) => [key, value])));
  const keys = new Set(runs.flatMap((run) => run.configuration.map(([key]) => key)));
  return [...keys].filter((key) => new Set(maps.map((map) => map.get(key))).size > 1)
    .map((key) => ({key, values: maps.map((map) => map.get(key))}));
}

function drawDifferences(into) {
  const known = runs.filter((run) => run.configuration.length > 0);
  if (known.length < 2) return;
  const rows = differences();
  into.append(h("h3", {}, "What differs between the runs"));
  into.append(rows.length === 0 ? missing("Nothing: the runs have the same configuration.") : dataTable([
    {name: "key", title: "parameter", cell: (row) => h("span", {class: "code"}, row.key)},
    ...runs.map((run, index) => ({name: run.name, title: run.name, value: (row) => row.values[index] ?? "",
      cell: (row) => (row.values[index] === undefined ? h("span", {class: "weak"}, "–") : h("span", {class: state.baseline >= 0 && row.values[index] !== row.values[state.baseline] ? "differs" : undefined}, row.values[index]))})),
  ], rows, {caption: "Parameters that differ between the runs", filter: "Filter parameters", limit: 300, class: "tall"}).element);
}

function drawConfiguration(into) {
  drawDifferences(into);
  const run = runs[state.run];
  into.append(h("h3", {}, `Configuration of ${run.name}`));
  into.append(run.configuration.length === 0 ? missing("effective.yaml is not in the folder of this report.") : dataTable([
    {name: "key", title: "parameter", value: ([key]) => key, cell: ([key]) => h("span", {class: "code"}, key)},
    {name: "value", title: "value", value: ([, value]) => value},
    {name: "origin", title: "origin", value: ([, , , origin]) => origin, class: "weak"},
    {name: "source", title: "source of the machine's value", value: ([, , source]) => source, class: "weak"},
  ], run.configuration, {caption: `Configuration of ${run.name}`, filter: "Filter by parameter, value or origin", limit: 200, class: "tall"}).element);
}
