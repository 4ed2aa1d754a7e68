// SPDX-License-Identifier: Apache-2.0
// The frame of every page: its sections are drawn when they become visible, and redrawn when a choice changes. Each page
// has a list of its sections, pageParts, and calls startPage.

// Called after sections were cleared.
const onClear = [];

function drawPart(part) {
  part.drawn = true;
  part.place.replaceChildren();
  for (const tidy of onClear) tidy();
  part.draw(part.place);
}

function sight(part) {
  const box = part.element.getBoundingClientRect();
  return box.top < window.innerHeight + 300 && box.bottom > -300;
}

// A section keeps its height until it is redrawn, so that the page does not scroll.
function redraw() {
  for (const part of pageParts) {
    part.drawn = false;
    if (sight(part)) drawPart(part);
  }
}

function drawFrame(subtitle) {
  document.getElementById("title").replaceChildren(...breakable(page.title));
  document.getElementById("subtitle").textContent = `${subtitle}, reconverge ${page.program_version}`;
  const main = document.getElementById("content");
  const navigation = document.getElementById("parts");
  main.replaceChildren();
  for (const part of pageParts) {
    part.place = h("div", {class: "place"});
    part.element = h("section", {id: part.id, "aria-labelledby": `${part.id}-title`}, h("h2", {id: `${part.id}-title`}, part.title),
      part.text ? h("p", {class: "about"}, part.text) : null, part.place);
    main.append(part.element);
    navigation.append(h("a", {href: `#${part.id}`}, part.title));
  }
}

// The section that is being read.
function markCurrent() {
  const top = document.querySelector(".parts").getBoundingClientRect().bottom;
  const reading = [...pageParts].reverse().find((part) => part.element.getBoundingClientRect().top < Math.max(160, top + 80)) ?? pageParts[0];
  for (const anchor of document.querySelectorAll(".parts a")) {
    if (anchor.hash === `#${reading.id}`) anchor.setAttribute("aria-current", "true");
    else anchor.removeAttribute("aria-current");
  }
}

// Keys move from section to section, and must not skip sections that have not been drawn yet.
function drawAround(element) {
  const at = pageParts.findIndex((part) => part.element.contains(element));
  for (const step of [1, -1]) {
    // Moves to the next section that accepts the focus: sections without data do not.
    for (let next = at + step; pageParts[next]; next += step) {
      if (!pageParts[next].drawn) drawPart(pageParts[next]);
      if (pageParts[next].place.querySelector("button, select, input, summary, [tabindex]")) break;
    }
  }
}

function setTheme(dark) {
  document.documentElement.style.colorScheme = dark ? "dark" : "light";
  const button = document.getElementById("theme");
  button.setAttribute("aria-pressed", String(dark));
  button.textContent = dark ? "Light" : "Dark";
}

function startPage(subtitle) {
  drawFrame(subtitle);
  const prefers = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(prefers.matches);
  prefers.addEventListener("change", () => { setTheme(prefers.matches); redraw(); });
  document.getElementById("theme").addEventListener("click", () => {
    setTheme(document.documentElement.style.colorScheme !== "dark");
    redraw();
  });
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const part = pageParts.find((each) => each.element === entry.target);
      if (entry.isIntersecting && !part.drawn) drawPart(part);
    }
  }, {rootMargin: "300px"});
  for (const part of pageParts) observer.observe(part.element);
  document.addEventListener("focusin", (event) => drawAround(event.target));
  document.addEventListener("scroll", markCurrent, {passive: true});
  markCurrent();
}
