// SPDX-License-Identifier: Apache-2.0
#include "platforms/python/host_watch.hpp"

namespace reconverge::python {

bool HostWatch::checked(const std::function<bool()>& action) {
  const py::gil_scoped_acquire lock;
  try {
    // Signals are handled on Python's main thread, and elsewhere this does nothing.
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return action();
  } catch (...) {
    error_ = std::current_exception();
    return false;
  }
}

KeepRunning HostWatch::keep_running() {
  return [this](const RunProgress& progress) {
    return checked([&] {
      if (progress_.is_none()) return true;
      return !progress_(Progress{std::string(progress.part), progress}).is(py::bool_(false));
    });
  };
}

std::function<bool()> HostWatch::interrupted() {
  return [this] { return error_ || !checked([] { return true; }); };
}

void HostWatch::rethrow() const {
  if (error_) std::rethrow_exception(error_);
}

}  // namespace reconverge::python
