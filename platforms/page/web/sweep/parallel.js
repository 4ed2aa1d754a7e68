// SPDX-License-Identifier: Apache-2.0
// Parallel coordinates of parameters and chosen figures, and the points that their ranges select.

const parallel = {colour: undefined, figures: undefined};

function drawParallel(into) {
  const rows = completedRows();
  if (figures.length === 0 || rows.length === 0) return into.append(missing("No completed point has a figure."));
  if (!parallel.figures) {
    parallel.figures = new Set(firstFigures(3));
    parallel.colour = firstFigures(1)[0];
  }
  const status = h("p", {class: "status", role: "status"});
  const legendPlace = h("div");
  const place = h("div", {class: "scroll plain", tabindex: "0", role: "region", "aria-label": "Parallel coordinates"});
  const rangesPlace = h("div");
  const clear = h("button", {type: "button", class: "quiet", onclick: clearRanges}, "Clear all ranges");
  let repaint = () => {};
  let refresh = () => {};
  const update = () => {
    const count = rows.filter(isSelected).length;
    status.textContent = `${formatCount(count)} of ${formatCount(rows.length)} points selected.${rows.length > mostLines ? ` The plot draws one line in ${Math.ceil(rows.length / mostLines)}.` : ""}`;
    clear.disabled = ranges.size === 0;
    repaint();
    refresh();
  };
  const draw = () => {
    const shown = [...varied(rows), ...[...figures, hostTime].filter((figure) => parallel.figures.has(figure))];
    for (const quantity of [...ranges.keys()]) {
      if (!shown.includes(quantity)) ranges.delete(quantity);
    }
    const colours = colouring(parallel.colour, rows);
    const holder = h("div", {class: "plot own-tip"});
    legendPlace.replaceChildren(colours.legend ?? "");
    place.replaceChildren(holder);
    repaint = parallelPlot(holder, rows, shown, colours);
    const isOpen = rangesPlace.querySelector("details")?.open;
    const inputs = rangeInputs(shown, rows);
    inputs.element.open = Boolean(isOpen);
    rangesPlace.replaceChildren(inputs.element);
    refresh = inputs.refresh;
    update();
  };
  let isWaiting = false;
  const later = () => {
    if (!place.isConnected) return onSelection.delete(later);
    if (isWaiting) return undefined;
    isWaiting = true;
    return requestAnimationFrame(() => { isWaiting = false; update(); });
  };
  onSelection.add(later);
  const groups = [["Figures", [...figures, hostTime]], ["Parameters", varied(rows)]];
  into.append(h("div", {class: "controls"}, labelled("Colour", quantitySelect(groups, parallel.colour, (quantity) => { parallel.colour = quantity; draw(); })), clear, status),
    quantityBoxes("Figures shown", [...figures, hostTime], parallel.figures, draw), legendPlace, place, rangesPlace);
  return draw();
}
