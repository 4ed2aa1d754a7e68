// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A sweep while it runs: which points are left, in which order, and what is known about them.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/run/progress.hpp"
#include "platforms/cli/sweep/sweep_plan.hpp"
#include "platforms/sweep/prediction.hpp"
#include "platforms/sweep/store.hpp"

namespace reconverge::cli {

class SweepSession {
 public:
  /// `points` and the rest must outlive it.
  /// `talks`: whether `say` prints.
  SweepSession(const std::vector<sweep::Point>& points, sweep::Store& store, const PointOptions& options,
               const ProgressSink& sink, bool talks);

  const std::vector<sweep::Point>& points() const { return points_; }
  const PointOptions& options() const { return options_; }
  sweep::Store& store() { return store_; }
  const InterruptGuard& interrupt() const { return interrupt_; }
  bool shows_progress() const { return shows_progress_; }
  std::size_t done() const { return points_.size() - undone_.size(); }
  /// Points that this session has added to the store.
  std::size_t added() const { return added_; }

  /// Points without a result: the ones that are expected to take longest first. As long as too few have ended for a
  /// prediction, in an order that mixes all settings.
  std::vector<std::size_t> undone() const;
  bool is_undone(std::size_t point) const { return undone_.contains(point); }
  const sweep::Prediction& prediction() const { return *prediction_; }
  /// Counts predictions: the order of `undone` changes only with a new one.
  std::size_t predictions() const { return predictions_; }

  /// Stores the record of a point. `engine`: its name.
  void record(const sweep::PointRecord& record, std::string_view engine);

  /// Updates the progress line. `at_once`: points that run now.
  void show(std::size_t at_once, const std::string& more = {});
  /// Prints a line of text in the place of the progress.
  void say(const std::string& text);
  /// Erases the progress, for a message.
  void clear() { line_.clear(); }

 private:
  void predict();

  const std::vector<sweep::Point>& points_;
  sweep::Store& store_;
  const PointOptions& options_;
  bool shows_progress_;
  bool talks_;
  ProgressLine line_;
  InterruptGuard interrupt_;
  std::map<std::string, std::size_t> index_;  ///< of each digest
  std::set<std::size_t> undone_;
  std::vector<std::size_t> mixed_;  ///< all points in a fixed random order
  std::optional<sweep::Prediction> prediction_;
  std::size_t predicted_at_ = 0;  ///< number of completed points of the prediction
  std::size_t predictions_ = 0;
  std::size_t added_ = 0;
};

/// `3 h 20 min`, `45 s`.
std::string duration_text(double seconds);

}  // namespace reconverge::cli
