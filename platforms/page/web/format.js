// SPDX-License-Identifier: Apache-2.0
// Numbers as text, in the form of the program's tables.

const grouped = new Intl.NumberFormat("en-US", {maximumFractionDigits: 0});

function formatCount(value) {
  return value === null || value === undefined ? "–" : grouped.format(value);
}

// Four significant digits, or all of a whole number.
function formatNumber(value) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return grouped.format(value);
  const size = Math.abs(value);
  if (size >= 1e4) return grouped.format(value);
  if (size >= 1e-3) return Number(value.toPrecision(4)).toString();
  return value.toExponential(3);
}

function formatShare(value, digits = 1) {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : `${(100 * value).toFixed(digits)} %`;
}

const prefixes = ["", "k", "M", "G", "T", "P"];

// 12.3 M: short enough for an axis or a box.
function formatShort(value, unit = "") {
  if (value === null || value === undefined) return "–";
  let step = 0;
  let rest = Math.abs(value);
  while (rest >= 1000 && step + 1 < prefixes.length) {
    rest /= 1000;
    step += 1;
  }
  const text = String(Number((Math.sign(value) * rest).toFixed(rest >= 100 ? 0 : rest >= 10 ? 1 : 2)));
  const suffix = prefixes[step] + unit;
  return suffix === "" ? text : `${text} ${suffix}`;
}

function formatByUnit(value, unit) {
  return unit === "share" ? formatShare(value) : formatNumber(value);
}

// The difference from a baseline: "+12.3 %"; nothing where the baseline is 0 or none.
function formatChange(value, baseline) {
  if (typeof value !== "number" || typeof baseline !== "number" || baseline === 0) return "";
  const change = 100 * (value / baseline - 1);
  if (Math.abs(change) < 0.05) return "±0 %";
  if (Math.abs(change) >= 1000) return `×${(value / baseline).toFixed(1)}`;
  return `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(1)} %`;
}

// At least `least`; of more values than a call takes arguments.
function largest(values, least) {
  return values.reduce((most, value) => Math.max(most, value), least);
}

// Names of the program as words. dual_issue counts slots that stayed free in a cycle with an issued instruction.
function words(name) {
  return name === "dual_issue" ? "no dual issue" : name.replaceAll("_", " ");
}
