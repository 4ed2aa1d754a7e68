// SPDX-License-Identifier: Apache-2.0
// Scales: from values of a quantity to a share of an axis, and back.

// Positive numbers have a logarithmic scale if the ratio of the largest to the least is above this.
const logarithmicFrom = 16;
const mostLevelTicks = 12;
const nearEnd = 0.02;

// Also of more values than a call takes arguments; undefined without a value.
function extent(values) {
  let least;
  let most;
  for (const value of values) {
    if (value === undefined) continue;
    if (least === undefined || value < least) least = value;
    if (most === undefined || value > most) most = value;
  }
  return least === undefined ? undefined : [least, most];
}

function linearTicks(low, high, most) {
  const least = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= least * 0.999);
  const ticks = [];
  for (let count = Math.ceil(low / step - 1e-9); count * step <= high + step * 1e-9; count += 1) ticks.push(count * step);
  return ticks;
}

function logarithmicTicks(low, high, most, base) {
  const factors = base === 10 && high / low < 1000 ? [1, 2, 5] : [1];
  const ticks = [];
  for (let power = Math.floor(Math.log(low) / Math.log(base)); base ** power <= high; power += 1) {
    for (const factor of factors) ticks.push(factor * base ** power);
  }
  const inside = ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const stride = Math.ceil(inside.length / most);
  return inside.filter((_, index) => index % stride === 0);
}

// Each used level has an equal part of the axis.
function wordScale(quantity, rows) {
  const used = [...new Set(rows.map(quantity.at))].filter((level) => level !== undefined).sort((a, b) => a - b);
  const places = new Map(used.map((level, index) => [level, (index + 0.5) / used.length]));
  return {isWord: true, used, at: (level) => places.get(level), ticks: () => used,
    // The levels within a part of the axis.
    range: (from, to) => {
      const inside = used.filter((level) => places.get(level) >= from && places.get(level) <= to);
      return inside.length > 0 ? [inside[0], inside[inside.length - 1]] : undefined;
    }};
}

// `padding`: the share of the axis that stays free at both ends. `also`: values that must have a place.
function scaleOf(quantity, rows, padding = 0.04, also = []) {
  if (quantity.isWord) return wordScale(quantity, rows);
  const values = [...rows.map(quantity.at), ...also];
  let [least, most] = extent(values) ?? [0, 1];
  const logarithmic = least > 0 && most / least > logarithmicFrom;
  // Also of values whose difference is too small for ticks.
  if (most - least <= 1e-9 * Math.max(Math.abs(least), Math.abs(most))) {
    const margin = Math.abs(least) / 2 || 1;
    [least, most] = [least - margin, most + margin];
  }
  const to = logarithmic ? Math.log : (value) => value;
  const from = logarithmic ? Math.exp : (value) => value;
  const margin = padding * (to(most) - to(least));
  const [first, last] = [to(least) - margin, to(most) + margin];
  const at = (value) => (to(value) - first) / (last - first);
  const value = (share) => from(first + share * (last - first));
  const ticks = (count) => {
    if (quantity.levels) {
      const used = [...new Set(rows.map(quantity.at))].filter((each) => each !== undefined).sort((a, b) => a - b);
      if (used.length <= mostLevelTicks) return used;
    }
    return logarithmic ? logarithmicTicks(least, most, count, quantity.isBytes ? 2 : 10) : linearTicks(value(0), value(1), count);
  };
  return {isWord: false, logarithmic, extent: [least, most], at, value, ticks,
    // A range that ends near an end of the axis includes it.
    range: (low, high) => [low < nearEnd ? least : Number(value(low).toPrecision(4)), high > 1 - nearEnd ? most : Number(value(high).toPrecision(4))]};
}
