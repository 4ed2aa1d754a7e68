// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "platforms/cli/sweep/engine.hpp"
#include "platforms/cli/sweep/point_runner.hpp"
#include "platforms/host/host_memory.hpp"

namespace reconverge::cli {

namespace {

/// Of the memory that was available at the start.
constexpr double usable = 0.9;

class LocalEngine : public Engine {
 public:
  LocalEngine(std::string folder, std::size_t jobs) : folder_(std::move(folder)), jobs_(jobs) {}

  std::string_view name() const override { return "local"; }

  void run(SweepSession& session) override {
    const double available = usable * static_cast<double>(available_memory().value_or(AvailableMemory{}).bytes);
    std::map<std::size_t, double> running;  // expected memory
    std::deque<std::size_t> waiting;
    std::optional<std::size_t> ordered_by;  // the prediction that ordered `waiting`
    const auto order = [&] {
      if (ordered_by == session.predictions()) return;
      ordered_by = session.predictions();
      const std::vector<std::size_t> undone = session.undone();
      waiting.clear();
      std::ranges::copy_if(undone, std::back_inserter(waiting),
                           [&](std::size_t point) { return !running.contains(point) && !given_up_.contains(point); });
    };
    const auto next = [&]() -> std::optional<std::size_t> {
      if (session.interrupt().requested()) return std::nullopt;
      order();
      if (waiting.empty()) return std::nullopt;
      const std::size_t point = waiting.front();
      const double memory = session.prediction().memory_bytes(point).value_or(0);
      double used = memory;
      for (const auto& [other, bytes] : running) used += bytes;
      if (!running.empty() && available > 0 && used > available) return std::nullopt;
      waiting.pop_front();
      running.emplace(point, memory);
      return point;
    };
    const PointRunner runner{session.points(),
                             session.options(),
                             folder_,
                             jobs_,
                             session.interrupt(),
                             session.shows_progress(),
                             next,
                             [&](std::size_t point, const std::optional<sweep::PointRecord>& record) {
                               running.erase(point);
                               if (record) {
                                 session.record(*record, name());
                               } else {
                                 given_up_.insert(point);
                               }
                             },
                             [&](std::span<const TaskProgress> tasks) { session.show(tasks.size()); },
                             std::chrono::milliseconds(500)};
    runner.run();
  }

 private:
  std::string folder_;
  std::size_t jobs_;
  std::set<std::size_t> given_up_;  ///< points that a signal ended
};

}  // namespace

std::unique_ptr<Engine> local_engine(std::string folder, std::size_t jobs) {
  return std::make_unique<LocalEngine>(std::move(folder), jobs);
}

}  // namespace reconverge::cli
