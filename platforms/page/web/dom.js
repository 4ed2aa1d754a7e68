// SPDX-License-Identifier: Apache-2.0
// Elements, the tooltip, and the common parts of the page's sections.

// A name may wrap after a character that joins its words, not within a word.
const joints = /(?<=[_\/=.:-])(?=\p{L})/u;

function breakable(text) {
  return String(text).split(joints).flatMap((part, index) => (index === 0 ? [part] : [document.createElement("wbr"), part]));
}

// An element that contains names. Code and numbers do not wrap.
const wrapping = new Set(["BUTTON", "FIGCAPTION", "H3", "H4", "P", "STRONG", "TH"]);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  // Text is always inserted as text: names and source lines must not be interpreted as markup.
  const given = children.flat(Infinity).filter((child) => child !== undefined && child !== null);
  const wraps = wrapping.has(element.tagName) || element.classList.contains("row-name");
  element.append(...(wraps ? given.flatMap((child) => (child instanceof Node ? [child] : breakable(child))) : given));
  return element;
}

function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

const tip = document.getElementById("tip");

function placeTip(x, y) {
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, document.documentElement.clientWidth - box.width - 4))}px`;
  tip.style.top = `${y + 18 + box.height > window.innerHeight ? y - box.height - 10 : y + 18}px`;
}

function showTip(text, x, y) {
  tip.replaceChildren(...breakable(text));
  tip.hidden = false;
  placeTip(x, y);
}

function hideTip() {
  tip.hidden = true;
}

// Elements with data-tip show an explanation under the pointer and when they have the focus.
document.addEventListener("pointermove", (event) => {
  const target = event.target instanceof Element ? event.target.closest("[data-tip]") : null;
  if (target) showTip(target.dataset.tip, event.clientX, event.clientY);
  else if (!(event.target instanceof Element && event.target.closest(".own-tip"))) hideTip();
});
document.addEventListener("focusin", (event) => {
  const target = event.target.closest("[data-tip]");
  if (!target || !target.matches(":focus-visible")) return hideTip();
  const box = target.getBoundingClientRect();
  showTip(target.dataset.tip, box.left, box.bottom - 10);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTip();
});

// One line in place of a section without data: what is missing, and the option of `run` that records it.
function missing(what, option) {
  return h("p", {class: "note"}, what, " ", option ? h("code", {}, option) : null);
}

// A choice between a few items, as buttons of which one is pressed.
function choice(label, options, current, choose) {
  const group = h("div", {class: "choice", role: "group", "aria-label": label});
  for (const [value, text] of options) {
    group.append(h("button", {type: "button", "aria-pressed": String(value === current), onclick: () => {
      for (const button of group.children) button.setAttribute("aria-pressed", String(button.textContent === text));
      choose(value);
    }}, text));
  }
  return group;
}

function labelled(text, control) {
  return h("label", {class: "labelled"}, h("span", {}, text), control);
}

function select(options, current, choose) {
  const element = h("select", {onchange: () => choose(element.value)},
    options.map(([value, text]) => h("option", {value, selected: value === current}, text)));
  return element;
}

const mostNumbers = 2000;

// The numbers of a chart, created when the user opens them. `make` returns the head and the rows as texts. The number of
// rows on the page is limited; the report contains all of them.
function numbers(make) {
  const details = h("details", {class: "numbers", ontoggle: () => {
    if (!details.open || details.children.length > 1) return;
    const {head, rows} = make();
    details.append(h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Numbers of the chart"},
      h("table", {},
        h("thead", {}, h("tr", {}, head.map((text) => h("th", {scope: "col"}, text)))),
        h("tbody", {}, rows.slice(0, mostNumbers).map((row) => h("tr", {}, row.map((text, column) =>
          column === 0 ? h("th", {scope: "row"}, text) : h("td", {class: "number"}, text))))))));
    if (rows.length > mostNumbers) details.append(h("p", {class: "hint"}, `The first ${formatCount(mostNumbers)} of ${formatCount(rows.length)} rows; report.json has all.`));
  }}, h("summary", {}, "Numbers"));
  return details;
}
