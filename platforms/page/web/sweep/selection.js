// SPDX-License-Identifier: Apache-2.0
// Controls that choose quantities, and the ranges that select points.

// groups: [[label, quantities]]; `choose` gets the quantity.
function quantitySelect(groups, current, choose) {
  const option = (quantity) => h("option", {value: quantity.key, selected: quantity === current}, quantity.isParameter ? quantity.name : quantity.title);
  const element = h("select", {onchange: () => choose(quantities.get(element.value))},
    groups.filter(([, members]) => members.length > 0).map(([label, members]) => (label ? h("optgroup", {label}, members.map(option)) : members.map(option))));
  return element;
}

// A list of boxes; `chosen` is a set of quantities.
function quantityBoxes(title, members, chosen, changed) {
  return h("details", {class: "boxes"}, h("summary", {}, title), h("div", {class: "box-list"}, members.map((quantity) => {
    const box = h("input", {type: "checkbox", checked: chosen.has(quantity), onchange: () => {
      if (box.checked) chosen.add(quantity);
      else chosen.delete(quantity);
      changed();
    }});
    return h("label", {class: "labelled", "data-tip": quantity.about}, box, h("span", {}, quantity.title));
  })));
}

// By quantity: [least, most], also of levels of a word. A point is selected if it is in all ranges.
const ranges = new Map();
const onSelection = new Set();

function isSelected(row) {
  for (const [quantity, [least, most]] of ranges) {
    const value = quantity.at(row);
    if (value === undefined || value < least || value > most) return false;
  }
  return true;
}

function setRange(quantity, range) {
  if (range === undefined) ranges.delete(quantity);
  else ranges.set(quantity, range);
  for (const listener of onSelection) listener();
}

function clearRanges() {
  ranges.clear();
  for (const listener of onSelection) listener();
}
