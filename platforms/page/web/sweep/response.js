// SPDX-License-Identifier: Apache-2.0
// The response plot with its controls and numbers.

const response = {figure: undefined, x: undefined, lines: undefined, isBands: true};

function responseNumbers(found, {figure, x, lines}) {
  return numbers(() => ({
    head: [x.title, ...(lines ? [lines.title] : []), `mean ${figure.title}`, "least", "largest", "points"],
    rows: found.flatMap((each) => each.places.map((place) => [x.show(place.place), ...(lines ? [lines.show(each.line)] : []),
      figure.show(place.mean), figure.show(place.least), figure.show(place.most), formatCount(place.count)])),
  }));
}

// The rows of the lines that the plot shows.
function shownOf(rows, found) {
  const {lines} = response;
  return lines ? rows.filter((row) => found.some(({line}) => line === lines.at(row))) : rows;
}

function drawResponse(into) {
  const rows = completedRows();
  const possible = rows.length > 0 ? varied(rows) : [];
  if (figures.length === 0 || possible.length === 0) return into.append(missing("No parameter differs between completed points."));
  if (!response.figure) response.figure = firstFigures(1)[0];
  if (!possible.includes(response.x)) {
    response.x = possible.find((quantity) => quantity !== experiment) ?? possible[0];
    response.lines = possible.find((quantity) => quantity !== response.x);
  }
  if (!possible.includes(response.lines)) response.lines = undefined;
  const hint = h("p", {class: "hint"});
  const place = h("div");
  const bands = h("input", {type: "checkbox", checked: response.isBands, onchange: () => { response.isBands = bands.checked; draw(); }});
  // The parameter across is no choice for lines.
  const lineSelect = () => labelled("A line for each", select([["", "nothing: all points"], ...possible.filter((quantity) => quantity !== response.x).map((quantity) => [quantity.key, quantity.name])],
    response.lines?.key ?? "", (key) => { response.lines = quantities.get(key); draw(); }));
  const lines = h("span", {}, lineSelect());
  const draw = () => {
    const {figure, x} = response;
    const {lines: all, isGrouped} = responses(rows, figure, x, response.lines);
    const found = all.slice(0, mostResponseLines);
    hint.textContent = [isGrouped ? `${x.title} has more than ${mostPlaces} values: the plot groups them into ${bins} parts.` : "",
      all.length > found.length ? `The plot shows the first ${mostResponseLines} of ${formatCount(all.length)} values of ${response.lines.title}.` : ""].filter(Boolean).join(" ");
    if (found.length === 0) return place.replaceChildren(missing(`No completed point has ${figure.title}.`));
    const colours = colouring(response.lines, shownOf(rows, found));
    const holder = h("div", {class: "plot"});
    place.replaceChildren(colours.legend ?? "", holder, responseNumbers(found, response));
    return responsePlot(holder, found, {...response, rows, colours});
  };
  into.append(h("div", {class: "controls"},
    labelled("Figure", quantitySelect([["", [...figures, hostTime]]], response.figure, (quantity) => { response.figure = quantity; draw(); })),
    labelled("Over", quantitySelect([["", possible]], response.x, (quantity) => {
      if (quantity === response.lines) response.lines = response.x;
      response.x = quantity;
      lines.replaceChildren(lineSelect());
      draw();
    })), lines, h("label", {class: "labelled"}, bands, h("span", {}, "range"))), hint, place);
  return draw();
}
