// SPDX-License-Identifier: Apache-2.0
// The table of all points, its download, and the failures.

const tableState = {columns: undefined, onlySelected: false};

// RFC 4180: a field with a comma, quote or line break is in quotes.
function csvField(value) {
  const text = value === undefined || value === null ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function csvOf(rows) {
  const columns = [["point", (row) => sweep.positions[row]], ["experiment", experiment.text],
    ...parameters.map((quantity) => [quantity.name, (row) => (quantity.at(row) === undefined ? "" : quantity.text(row))]),
    ["status", statusOf], ...figures.map((quantity) => [quantity.name, quantity.at]), ["seconds", hostTime.at]];
  const lines = [columns.map(([name]) => csvField(name)), ...rows.map((row) => columns.map(([, of]) => csvField(of(row))))];
  return `${lines.map((fields) => fields.join(",")).join("\r\n")}\r\n`;
}

// The text is made when the reader asks for it.
function csvLink(rowsNow) {
  const link = h("a", {class: "download", href: "#points", download: "points.csv", onclick: (event) => {
    if (link.href.startsWith("blob:")) return;
    event.preventDefault();
    link.href = URL.createObjectURL(new Blob([csvOf(rowsNow())], {type: "text/csv"}));
    link.click();
    const made = link.href;
    link.href = "#points";
    setTimeout(() => URL.revokeObjectURL(made), 60000);
  }}, "Download as CSV");
  return link;
}

function statusChip(row) {
  const status = statusOf(row);
  return h("span", {class: `chip ${status === "ok" ? "good" : status === "partial" ? "warn" : "bad"}`}, status);
}

function pointColumns() {
  const all = [...(severalExperiments ? [experiment] : []), ...parameters];
  const column = (quantity) => ({name: quantity.key, title: quantity.title, tip: quantity.about, number: !quantity.isWord,
    value: (row) => (quantity.isWord ? quantity.text(row) : quantity.at(row)), cell: (row) => quantity.text(row)});
  return [{name: "point", title: "point", number: true, value: (row) => sweep.positions[row]}, ...all.map(column),
    {name: "status", title: "status", value: statusOf, cell: statusChip}, ...[...figures, hostTime].filter((figure) => tableState.columns.has(figure)).map(column)];
}

function drawPoints(into) {
  if (!tableState.columns) tableState.columns = new Set([...firstFigures(5), hostTime]);
  const place = h("div");
  const rowsNow = () => shownRows().filter((row) => !tableState.onlySelected || isSelected(row));
  const draw = () => place.replaceChildren(dataTable(pointColumns(), rowsNow(), {caption: "Points of the sweep", filter: "Filter by parameter or status", limit: 200, class: "tall"}).element);
  const rows = choice("Rows", [["all", "All points"], ["selected", "Selected by ranges"]], tableState.onlySelected ? "selected" : "all", (value) => {
    tableState.onlySelected = value === "selected";
    draw();
  });
  const follow = () => {
    if (!place.isConnected) return onSelection.delete(follow);
    if (!tableState.onlySelected) return undefined;
    clearTimeout(follow.timer);
    follow.timer = setTimeout(draw, 150);
    return undefined;
  };
  onSelection.add(follow);
  into.append(h("div", {class: "controls"}, rows, csvLink(rowsNow)), quantityBoxes("Columns", [...figures, hostTime], tableState.columns, draw), place);
  draw();
}

function drawFailures(into) {
  const chosen = new Set(shownRows());
  const rows = sweep.failures.filter(([row]) => chosen.has(row)).map(([row, message]) => ({row, message}));
  if (rows.length === 0) return into.append(missing("Every point with a result ended with ok or is partial."));
  if (sweep.failed > sweep.failures.length) into.append(h("p", {class: "hint"}, `The page has the messages of the first ${formatCount(sweep.failures.length)} of ${formatCount(sweep.failed)} failed points.`));
  const settings = ({row}) => parameters.filter((quantity) => quantity.at(row) !== undefined).map((quantity) => `${quantity.title} = ${quantity.text(row)}`).join(", ");
  return into.append(dataTable([
    {name: "point", title: "point", number: true, value: ({row}) => sweep.positions[row]},
    ...(severalExperiments ? [{name: "experiment", title: "experiment", value: ({row}) => experiment.text(row)}] : []),
    {name: "settings", title: "settings", value: settings, class: "wrapped"},
    {name: "status", title: "status", value: ({row}) => statusOf(row), cell: ({row}) => statusChip(row)},
    {name: "message", title: "message", value: ({message}) => message, class: "wrapped"},
  ], rows, {caption: "Failed points", filter: "Filter by setting or message", limit: 100, class: "tall"}).element);
}
