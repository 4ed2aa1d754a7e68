// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Python during a run: signals, and the user's progress function.

#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "platforms/run_control.hpp"

namespace reconverge::python {

namespace py = pybind11;

/// A copy of a RunProgress, which the user's function may keep.
struct Progress {
  std::string part;
  RunProgress numbers;  ///< its own `part` refers to a text of the run
};

/// Lives on the thread of a run, which holds Python's lock before and after the run and releases it meanwhile.
class HostWatch {
 public:
  /// `progress`: called with a Progress some times a second; None: there is no function. False stops the run.
  explicit HostWatch(py::object progress) : progress_(std::move(progress)) {}

  /// Takes Python's lock for each call. It does not throw: exceptions stop the run, and `rethrow` has them.
  KeepRunning keep_running();
  /// For work without progress, and for several runs: also after an exception.
  std::function<bool()> interrupted();
  /// Throws the exception that stopped the run, such as KeyboardInterrupt, if there was one.
  void rethrow() const;

 private:
  /// The answer of `action`; false after an exception or a signal.
  bool checked(const std::function<bool()>& action);

  py::object progress_;
  std::exception_ptr error_;
};

}  // namespace reconverge::python
