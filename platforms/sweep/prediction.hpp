// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Predicts time and memory of points from points that have ended, for the order of runs, the time left, and memory
/// limits. The logarithm of the cost is a linear function of the settings: a step for each value of a word, and of a
/// number also its logarithm.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "platforms/sweep/point_record.hpp"
#include "platforms/sweep/store.hpp"

namespace reconverge::sweep {

/// The sum of several costs, and its standard error.
struct ExpectedSum {
  double sum = 0;
  double error = 0;
};

class Prediction {
 public:
  /// Points that are needed before anything is predicted.
  static constexpr std::size_t fewest = 4;

  /// `points`: the whole space. `costs`: of those that have ended.
  Prediction(const std::vector<Point>& points, const std::vector<Cost>& costs);

  /// Of a point of the space in seconds; nothing as long as too few have ended.
  std::optional<double> seconds(std::size_t point) const;
  /// In bytes, increased by a quarter.
  std::optional<double> memory_bytes(std::size_t point) const;
  /// Of all these points. The error comes from predicting each fifth of the completed points from the others.
  std::optional<ExpectedSum> seconds_of(const std::vector<std::size_t>& points) const;

 private:
  using Row = std::vector<double>;

  void make_rows(const std::vector<Point>& points);
  /// The weights of the logarithm of the cost; `left_out`: the fifth that is not used, -1 for none.
  std::vector<double> fitted(const std::vector<double>& logarithms, int left_out) const;
  double predicted(const std::vector<double>& weights, std::size_t point) const;
  double error_of_sums() const;

  std::vector<Row> rows_;             ///< features of each point
  std::vector<std::size_t> done_;     ///< points that have ended
  std::vector<double> seconds_;       ///< logarithms, parallel to `done_`
  std::vector<double> memory_;        ///< likewise
  std::vector<double> time_weights_;  ///< empty: too few points
  std::vector<double> memory_weights_;
  double correction_ = 1;  ///< sum of the measured times over sum of the predicted times
  double error_ = 0;       ///< of sums, relative
};

}  // namespace reconverge::sweep
