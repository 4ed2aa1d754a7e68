// SPDX-License-Identifier: Apache-2.0
// Tables that sort by their headings and filter by words.

// columns: {name, title, number, value(row) for sorting and filtering, cell(row) for display, tip}; a cell may be text or elements.
// options: caption, filter (label of the field), sort ([column, descending]), rowClass(row), limit (rows drawn at first).
function dataTable(columns, rows, options) {
  let [sorted, descending] = options.sort ?? [-1, false];
  let wanted = "";
  let limit = options.limit ?? Infinity;
  const body = h("tbody");
  const status = h("p", {class: "status", role: "status"});
  const heads = columns.map((column, index) => h("th", {scope: "col", class: column.number ? "number" : undefined},
    h("button", {type: "button", "data-tip": column.tip, onclick: () => {
      descending = sorted === index ? !descending : Boolean(column.number);
      sorted = index;
      draw();
    }}, column.title)));

  const valueOf = (column, row) => (column.value ? column.value(row) : row[column.name]);
  const textOf = (row) => columns.map((column) => String(valueOf(column, row) ?? "")).join("\n").toLowerCase();
  const compare = (left, right) => {
    if (left === right) return 0;
    if (left === undefined || left === null || left === "") return 1;
    if (right === undefined || right === null || right === "") return -1;
    const order = typeof left === "number" && typeof right === "number" ? left - right
      : String(left).localeCompare(String(right), "en", {numeric: true});
    return descending ? -order : order;
  };

  function rowsNow() {
    const matching = rows.filter((row) => wanted.split(/\s+/).every((word) => textOf(row).includes(word)));
    if (sorted < 0) return matching;
    return [...matching].sort((a, b) => compare(valueOf(columns[sorted], a), valueOf(columns[sorted], b)));
  }

  function drawRow(row) {
    return h("tr", {class: options.rowClass?.(row), id: options.rowId?.(row)}, columns.map((column, index) => {
      const content = column.cell ? column.cell(row) : valueOf(column, row);
      const attributes = {class: column.number ? "number" : column.class, style: column.style?.(row)};
      return index === 0 ? h("th", {scope: "row", ...attributes}, content) : h("td", attributes, content);
    }));
  }

  function draw() {
    const now = rowsNow();
    heads.forEach((head, index) => {
      if (index === sorted) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    body.replaceChildren(...now.slice(0, limit).map(drawRow));
    status.textContent = `${formatCount(now.length)} of ${formatCount(rows.length)} rows`;
    more.hidden = now.length <= limit;
  }

  const more = h("button", {type: "button", class: "quiet", onclick: () => {
    limit = Infinity;
    draw();
  }}, "Show all rows");
  const field = h("input", {type: "search", placeholder: options.filter, "aria-label": options.filter, oninput: () => {
    wanted = field.value.trim().toLowerCase();
    draw();
  }});
  const element = h("div", {class: "data-table"},
    h("div", {class: "controls"}, field, options.controls, status),
    h("div", {class: `scroll ${options.class ?? ""}`, tabindex: "0", role: "region", "aria-label": options.caption},
      h("table", {}, h("caption", {class: "hidden"}, options.caption), h("thead", {}, h("tr", {}, heads)), body)),
    more);
  draw();
  return {element, showAll: () => { limit = Infinity; draw(); }, clear: () => { field.value = wanted = ""; draw(); }};
}
