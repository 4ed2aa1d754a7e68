// SPDX-License-Identifier: Apache-2.0
// Colours of points by a quantity: words have colours that are easy to tell apart, numbers a scale from dark to light.

const wordColours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#9467bd", "#999933", ...otherColours];
const steps = 48;
const mostSwatches = 10;

// Viridis; each end is left out where it would not stand out from the background.
const viridis = ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];

function isDark() {
  return document.documentElement.style.colorScheme === "dark";
}

function sequentialColours() {
  const [first, last] = isDark() ? [0.22, 1] : [0, 0.87];
  return Array.from({length: steps}, (_, index) => {
    const place = (first + (last - first) * index / (steps - 1)) * (viridis.length - 1);
    const low = Math.min(viridis.length - 2, Math.floor(place));
    const part = (at) => [viridis[low], viridis[low + 1]].map((colour) => parseInt(colour.slice(at, at + 2), 16));
    const mixed = [1, 3, 5].map((at) => part(at)).map(([from, to]) => Math.round(from + (to - from) * (place - low)));
    return `rgb(${mixed.join(" ")})`;
  });
}

function swatches(quantity, values, colourOf) {
  return h("ul", {class: "legend"}, h("li", {class: "weak"}, quantity.title),
    values.map((value) => h("li", {}, h("span", {class: "swatch", style: `background: ${colourOf(value)}`, "aria-hidden": "true"}), quantity.show(value))));
}

// {of(value), ofRow(row), legend}; without a quantity, all points have one colour.
function colouring(quantity, rows) {
  if (!quantity) {
    const colour = themeColour("--first");
    return {of: () => colour, ofRow: () => colour, legend: null};
  }
  const absent = themeColour("--waiting");
  if (quantity.isWord) {
    const of = (level) => wordColours[level % wordColours.length];
    const used = wordScale(quantity, rows).used;
    return {of, ofRow: (row) => (quantity.at(row) === undefined ? absent : of(quantity.at(row))), legend: swatches(quantity, used, of)};
  }
  const scale = scaleOf(quantity, rows, 0);
  const colours = sequentialColours();
  const values = [...new Set(rows.map(quantity.at))].filter((value) => value !== undefined).sort((a, b) => a - b);
  // Few values of a parameter have colours at equal distances, which are easier to tell apart.
  const isListed = quantity.levels && values.length <= mostSwatches;
  const place = isListed ? (value) => values.indexOf(value) / Math.max(1, values.length - 1) : scale.at;
  const of = (value) => (value === undefined ? absent : colours[Math.max(0, Math.min(steps - 1, Math.round(place(value) * (steps - 1))))]);
  const legend = isListed ? swatches(quantity, values, of)
    : h("p", {class: "legend"}, h("span", {class: "weak"}, quantity.title), h("span", {}, quantity.show(scale.extent[0])),
      h("span", {class: "gradient", style: `background: linear-gradient(to right, ${colours.join(", ")})`, "aria-hidden": "true"}), h("span", {}, quantity.show(scale.extent[1])),
      scale.logarithmic ? h("span", {class: "weak"}, "logarithmic") : null);
  return {of, ofRow: (row) => of(quantity.at(row)), legend};
}
