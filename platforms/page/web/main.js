// SPDX-License-Identifier: Apache-2.0
// The page: its sections are drawn when they become visible, and redrawn when another run is chosen.

const pageParts = [
  {id: "overview", title: "Overview", draw: drawOverview},
  {id: "slots", title: "Issue slots", text: "What every issue slot of every cycle went to.", draw: drawSlots},
  {id: "lanes", title: "Active lanes", text: "Warp instructions by the lanes that were active.", draw: drawLanes},
  {id: "time", title: "Over time", text: "What issue slots went to, interval by interval.", draw: drawOccupancy},
  {id: "program", title: "Program", text: "Where in the kernel slots and lanes are lost.", draw: drawProgram},
  {id: "warps", title: "Warps", text: "Every warp in a window of cycles.", draw: drawWarps},
  {id: "memory", title: "Memory", text: "Traffic and hit rates by level.", draw: drawMemory},
  {id: "pictures", title: "Pictures", draw: drawPictures},
  {id: "figures", title: "Figures", text: "All figures and counters, and their differences from the baseline.", draw: drawFigures},
  {id: "configuration", title: "Configuration", draw: drawConfiguration},
];

function drawPart(part) {
  part.drawn = true;
  part.place.replaceChildren();
  tidyCharts();
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

function choose(change) {
  Object.assign(state, change);
  drawChoices();
  redraw();
}

function drawChoices() {
  const names = runs.map((run, index) => [String(index), run.name]);
  const several = runs.length > 1;
  document.getElementById("choices").replaceChildren(
    ...(several ? [labelled("Run", select(names, String(state.run), (value) => choose({run: Number(value)}))),
      labelled("Baseline", select([["-1", "none"], ...names], String(state.baseline), (value) => choose({baseline: Number(value)})))] : []),
    labelled("Part", select(parts(), state.part, (value) => choose({part: value}))));
}

function drawFrame() {
  document.getElementById("title").replaceChildren(...breakable(page.title));
  document.getElementById("subtitle").textContent = `${runs.length === 1 ? "1 run" : `${runs.length} runs`}, reconverge ${page.program_version}`;
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

function start() {
  state.part = parts()[0][0];
  drawFrame();
  drawChoices();
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

start();
