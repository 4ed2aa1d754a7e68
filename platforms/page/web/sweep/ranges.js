// SPDX-License-Identifier: Apache-2.0
// Inputs for the ranges of parallel coordinates: the way by keyboard, and for exact numbers.

const mostOptions = 32;

// Levels that can be chosen from a list: of words, and of parameters with few values.
function listedLevels(quantity, rows) {
  if (!quantity.levels) return undefined;
  const used = [...new Set(rows.map(quantity.at))].filter((value) => value !== undefined).sort((a, b) => a - b);
  return used.length <= mostOptions ? used : undefined;
}

function rangeInput(quantity, end, levels, limits) {
  const range = () => ranges.get(quantity);
  const change = (value) => {
    const next = [...(range() ?? limits)];
    next[end] = value;
    setRange(quantity, next[0] === limits[0] && next[1] === limits[1] ? undefined : next);
  };
  const label = `${quantity.title}: ${end === 0 ? "from" : "to"}`;
  if (levels) {
    const element = select(levels.map((value) => [String(value), quantity.show(value)]), String(limits[end]), (value) => change(Number(value)));
    element.setAttribute("aria-label", label);
    // A dragged range may lie between levels.
    const inside = () => levels.filter((value) => !range() || (value >= range()[0] && value <= range()[1]));
    return {element, refresh: () => {
      const values = inside();
      element.value = values.length > 0 ? String(values[end === 0 ? 0 : values.length - 1]) : "";
    }};
  }
  const element = h("input", {type: "number", step: "any", "aria-label": label, placeholder: String(Number(limits[end].toPrecision(5))), onchange: () => {
    change(element.value === "" || !Number.isFinite(element.valueAsNumber) ? limits[end] : element.valueAsNumber);
  }});
  return {element, refresh: () => { element.value = range() && range()[end] !== limits[end] ? String(range()[end]) : ""; }};
}

// A row of inputs for each quantity; `refresh` shows ranges that were dragged.
function rangeInputs(shown, rows) {
  const inputs = [];
  const lines = shown.map((quantity) => {
    const limits = extent(rows.map(quantity.at));
    if (!limits) return null;
    const levels = listedLevels(quantity, rows);
    const both = [0, 1].map((end) => rangeInput(quantity, end, levels, limits));
    const clear = h("button", {type: "button", class: "quiet", "aria-label": `Clear the range of ${quantity.title}`, onclick: () => setRange(quantity, undefined)}, "Clear");
    inputs.push(...both, {refresh: () => { clear.disabled = !ranges.has(quantity); }});
    return h("div", {class: "range-row"}, h("span", {class: "range-name", "data-tip": quantity.about}, breakable(quantity.title)), both[0].element, h("span", {class: "weak"}, "to"), both[1].element, clear);
  });
  const refresh = () => inputs.forEach((input) => input.refresh());
  refresh();
  return {element: h("details", {class: "boxes"}, h("summary", {}, "Ranges"), h("div", {class: "range-rows"}, lines)), refresh};
}
