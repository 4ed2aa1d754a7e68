#pragma once
/// The one line on the terminal that says how far a run is.

#include <chrono>
#include <functional>
#include <string>

#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/launch/run_plan.hpp"

namespace reconverge::cli {

/// The line's text; `elapsed` is the host time in seconds since the first stage began.
std::string progress_text(const RunProgress& progress, double elapsed);
std::string progress_text(const launch::PlanProgress& progress, double elapsed);

/// Writes to standard error, and only when `shown`. The line is gone when this object is.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Takes the line away, so that other text can stand there.
  void clear();
  /// Calls `text` with the host time since this object was made, when a new line is due.
  void update(const std::function<std::string(double elapsed)>& text);

 private:
  using HostClock = std::chrono::steady_clock;

  bool shown_;
  bool written_ = false;
  HostClock::time_point start_ = HostClock::now();
  HostClock::time_point last_{};
};

}  // namespace reconverge::cli
