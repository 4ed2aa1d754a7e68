// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/sweep_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "platforms/cli/print.hpp"

namespace reconverge::cli {

namespace {

/// A new prediction is made when the number of completed points has grown by this ratio.
constexpr double growth = 1.1;

}  // namespace

std::string duration_text(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  if (seconds < 2 * minute) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", std::ceil(seconds / minute));
  return fmt::format("{:.0f} h {:.0f} min", std::floor(seconds / hour), std::ceil(std::fmod(seconds, hour) / minute));
}

SweepSession::SweepSession(const std::vector<sweep::Point>& points, sweep::Store& store, const PointOptions& options,
                           const ProgressSink& sink, bool talks)
    : points_(points),
      store_(store),
      options_(options),
      shows_progress_(static_cast<bool>(sink)),
      talks_(talks),
      line_(sink) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    index_.emplace(points[i].digest, i);
    if (!store.has(points[i].digest)) undone_.insert(i);
  }
  mixed_.resize(points.size());
  std::iota(mixed_.begin(), mixed_.end(), std::size_t{0});
  // Digests have no order that is related to the settings.
  std::ranges::sort(mixed_, {}, [&](std::size_t point) { return points[point].digest; });
  predict();
}

void SweepSession::predict() {
  const std::vector<sweep::Cost> costs = store_.costs();
  prediction_.emplace(points_, costs);
  predicted_at_ = costs.size();
  ++predictions_;
}

std::vector<std::size_t> SweepSession::undone() const {
  std::vector<std::size_t> left;
  for (const std::size_t point : mixed_)
    if (undone_.contains(point)) left.push_back(point);
  if (!left.empty() && prediction_->seconds(left.front()))
    std::ranges::stable_sort(left, std::ranges::greater{}, [&](std::size_t p) { return *prediction_->seconds(p); });
  return left;
}

void SweepSession::record(const sweep::PointRecord& record, std::string_view engine) {
  const auto found = index_.find(record.digest);
  if (found == index_.end()) return;  // of another space in the same folder
  if (!store_.add(points_[found->second], record, engine)) return;
  ++added_;
  undone_.erase(found->second);
  if (static_cast<double>(done()) >= growth * static_cast<double>(predicted_at_)) predict();
}

void SweepSession::say(const std::string& text) {
  line_.clear();
  if (talks_) print(text + '\n');
}

void SweepSession::show(std::size_t at_once, const std::string& more) {
  line_.update([&](double /*elapsed*/) {
    std::string text = fmt::format("{} of {} points", done(), points_.size());
    if (!more.empty()) text += "; " + more;
    const auto left = prediction_->seconds_of(undone());
    if (left && at_once != 0 && left->sum > 0) {
      const double hosts = static_cast<double>(at_once);
      text +=
          fmt::format("; about {} left (± {:.0f} %)", duration_text(left->sum / hosts), 100 * left->error / left->sum);
    }
    return text;
  });
}

}  // namespace reconverge::cli
