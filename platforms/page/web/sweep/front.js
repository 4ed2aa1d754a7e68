// SPDX-License-Identifier: Apache-2.0
// The Pareto front of two figures.

// Costs: fewer are better. Of other figures, more are.
const costs = /^(cycles|time|seconds|host time|passes|instructions)$|_instructions$|_bytes$|_bytes_|^(cycles|lanes_0)_|^lanes_0$|^lanes_1_|stall|^slots_(?!issued)|^unaccounted|^spill|^empty_|^aborted_|^skipped_|energy|power|area|latency|misses|conflicts|divergent/;

function smallerIsBetter(quantity) {
  return quantity.isParameter || costs.test(quantity.name);
}

// points: {row, x, y}; the directions are 1 if larger values are better, and -1 if smaller ones are. Returns the points
// that no other one dominates: is as good in both and better in one. Best x first; equal points are all in the front.
function paretoFront(points, xDirection, yDirection) {
  const ordered = [...points].sort((a, b) => xDirection * (b.x - a.x) || yDirection * (b.y - a.y));
  const front = [];
  let best = -Infinity;
  let at;  // the last point of the front
  for (const point of ordered) {
    const isEqual = at !== undefined && point.x === at.x && point.y === at.y;
    if (!isEqual && yDirection * point.y <= best) continue;
    best = yDirection * point.y;
    at = point;
    front.push(point);
  }
  return front;
}
