// SPDX-License-Identifier: Apache-2.0
// What the sweep ran: points, how they ended, parameters and experiments.

const mostLevels = 12;

function formatDuration(seconds) {
  if (seconds < 60) return formatSeconds(seconds);
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${formatCount(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function statusCounts(rows) {
  const counts = sweep.statuses.names.map((name) => [name, 0]);
  for (const row of rows) counts[sweep.statuses.column[row]][1] += 1;
  return counts.filter(([, count]) => count > 0).sort(([a], [b]) => (b === "ok") - (a === "ok"));
}

function statusChips(rows) {
  return h("span", {class: "chips"}, statusCounts(rows).map(([name, count]) =>
    h("span", {class: `chip ${name === "ok" ? "good" : name === "partial" ? "warn" : "bad"}`}, `${formatCount(count)} ${name}`)),
  sweep.points > allRows.length && rows === allRows ? h("span", {class: "chip warn"}, `${formatCount(sweep.points - allRows.length)} without a result`) : null);
}

function levelText(quantity, rows) {
  const scale = scaleOf(quantity, rows);
  const used = scale.isWord ? scale.used : [...new Set(rows.map(quantity.at))].filter((value) => value !== undefined).sort((a, b) => a - b);
  if (used.length <= mostLevels) return used.map(quantity.show).join(", ");
  const some = quantity.isWord ? used.slice(0, mostLevels).map(quantity.show).join(", ") : `${quantity.show(used[0])} to ${quantity.show(used[used.length - 1])}`;
  return `${some}${quantity.isWord ? "…" : ""} (${formatCount(used.length)} values)`;
}

function drawOverview(into) {
  const time = sweep.seconds.reduce((sum, seconds) => sum + seconds, 0);
  const cards = [["points", formatCount(sweep.points)], ["with a result", formatCount(allRows.length)], ["parameters", formatCount(parameters.length)],
    ["experiments", formatCount(sweep.experiments.names.length)], ["host time of all points", formatDuration(time)]];
  into.append(h("dl", {class: "cards"}, cards.map(([title, value]) => h("div", {class: "card"}, h("dt", {}, title), h("dd", {}, value)))), statusChips(allRows));
  if (parameters.length > 0) {
    into.append(h("h3", {}, "Parameters of the sweep"), h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Parameters of the sweep"}, h("table", {},
      h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "parameter"), h("th", {scope: "col"}, "values"))),
      h("tbody", {}, parameters.map((quantity) => h("tr", {}, h("th", {scope: "row", class: "code"}, quantity.name), h("td", {class: "wrapped"}, levelText(quantity, allRows))))))));
  }
  if (severalExperiments) {
    into.append(h("h3", {}, "Experiments"), h("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "Experiments"}, h("table", {},
      h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "experiment"), h("th", {scope: "col"}, "points"))),
      h("tbody", {}, sweep.experiments.names.map((name, index) => h("tr", {}, h("th", {scope: "row"}, name),
        h("td", {}, statusChips(allRows.filter((row) => sweep.experiments.column[row] === index)))))))));
  }
}
