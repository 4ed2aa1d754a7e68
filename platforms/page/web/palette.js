// SPDX-License-Identifier: Apache-2.0
// Colours that people with any kind of colour vision tell apart.

// From red (few lanes) to blue (all lanes): ColorBrewer's RdYlBu. Every area also has a name.
const laneColours = ["#d73027", "#f46d43", "#fdae61", "#fee090", "#e0f3f8", "#abd9e9", "#74add1", "#4575b4"];

// After Okabe and Ito; Tol's muted scheme for outcomes of few machines.
const outcomeColours = {
  issued: "#0072b2",
  dual_issue: "#b8cbe0",
  pipe: "#cc79a7",
  collector: "#882255",
  dependency: "#d55e00",
  fetch: "#009e73",
  memory: "#e69f00",
  barrier: "#f0e442",
  shuffling: "#7b68c8",
  compaction: "#44aa99",
  divergence_wait: "#999933",
  divergence_switch: "#ddcc77",
};
const otherColours = ["#88ccee", "#117733", "#aa4499", "#cc6677", "#6699cc", "#a65628", "#b2df8a", "#8c96c6", "#661100", "#ffaabb",
  "#bb5566", "#004488", "#ddaa33", "#666633", "#56b4e9"];

// The current colour of a name of the style sheet, in light or dark mode: canvases need a plain colour.
function themeColour(name) {
  const probe = h("span", {style: `color: var(${name}); display: none`});
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

// The same name has the same colour in every chart.
const othersSeen = [];
function outcomeColour(name) {
  if (name === "empty") return themeColour("--empty");
  if (Object.hasOwn(outcomeColours, name)) return outcomeColours[name];
  if (!othersSeen.includes(name)) othersSeen.push(name);
  return otherColours[othersSeen.indexOf(name) % otherColours.length];
}

function laneClassColours(classes) {
  const groups = classes.filter((name) => name.startsWith("W"));
  return classes.map((name) => {
    if (name === "empty") return themeColour("--empty");
    if (name === "waiting") return themeColour("--waiting");
    const place = groups.length > 1 ? groups.indexOf(name) / (groups.length - 1) : 1;
    return laneColours[Math.max(0, Math.round(place * (laneColours.length - 1)))];
  });
}

// Black or white, whichever can be read on the colour.
function inkOn(colour) {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : colour.match(/[\d.]+/g).map(Number);
  return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] > 140 ? "#10151c" : "#ffffff";
}

// Heat from nothing to all, for a background under text.
function heat(share) {
  return share > 0 ? `rgb(var(--heat) / ${(0.75 * Math.sqrt(Math.min(1, share))).toFixed(3)})` : "transparent";
}
