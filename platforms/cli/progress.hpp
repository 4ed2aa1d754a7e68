#pragma once
/// The one line on the terminal that says how far a run is.

#include <chrono>
#include <string>

#include "platforms/experiment/ray_tracing.hpp"

namespace reconverge::cli {

/// The line's text; `elapsed` is the host time in seconds since the first stage began.
std::string progress_text(const RunProgress& progress, double elapsed);

/// Writes to standard error, and only when `shown`. The line is gone when this object is.
class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(const RunProgress& progress);

 private:
  using HostClock = std::chrono::steady_clock;

  bool shown_;
  bool written_ = false;
  HostClock::time_point start_ = HostClock::now();
  HostClock::time_point last_{};
};

}  // namespace reconverge::cli
