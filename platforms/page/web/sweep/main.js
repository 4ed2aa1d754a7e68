// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: its sections, and the choice of the experiment.

const pageParts = [
  {id: "overview", title: "Overview", draw: drawOverview},
  {id: "pareto", title: "Pareto front", text: "Two figures of every point. No other point is better than a point of the front in one figure without being worse in the other.", draw: drawPareto},
  {id: "parallel", title: "Parallel coordinates", text: "A line for each point. Drag along an axis to select points by a range; click the axis to clear it.", draw: drawParallel},
  {id: "response", title: "Response", text: "A figure over one parameter: the mean over all other parameters, and the range from the least to the largest value.", draw: drawResponse},
  {id: "points", title: "Points", text: "All points with a result.", draw: drawPoints},
  {id: "failures", title: "Failures", text: "Points that did not end with ok. The plots leave them out.", draw: drawFailures},
];

if (severalExperiments) {
  const options = [["-1", "all"], ...sweep.experiments.names.map((name, index) => [String(index), name])];
  document.getElementById("choices").append(labelled("Experiment", select(options, "-1", (value) => {
    state.experiment = Number(value);
    redraw();
  })));
}
startPage(`sweep of ${sweep.points === 1 ? "1 point" : `${formatCount(sweep.points)} points`}`);
