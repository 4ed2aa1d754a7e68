// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The objects of the handles, and the boundary that no exception passes.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "models/core/figure.hpp"
#include "platforms/c_interface/reconverge.h"
#include "platforms/embedding/device.hpp"
#include "platforms/embedding/embedded_experiment.hpp"
#include "platforms/embedding/host_failure.hpp"
#include "platforms/embedding/kernel_source.hpp"

struct reconverge_error {
  reconverge::embedding::HostFailure failure;
};

struct reconverge_experiment {
  reconverge::embedding::EmbeddedExperiment experiment;
  std::string text;  ///< that was returned last
};

struct reconverge_report {
  reconverge::embedding::ExperimentReport report;
};

struct reconverge_module {
  explicit reconverge_module(const reconverge::embedding::KernelSource& source)
      : text(source), kernels(text.kernels()) {}

  reconverge::embedding::KernelText text;
  std::vector<std::string> kernels;
};

struct reconverge_device {
  reconverge::embedding::Device device;
};

struct reconverge_launch {
  reconverge::embedding::DeviceLaunch launch;
  std::size_t arguments = 0;  ///< that were added
  std::vector<reconverge::Figure> figures;
  std::string printed;
};

namespace reconverge::c_interface {

/// `text`, or the default if it is NULL.
inline std::string text_or(const char* text, const char* otherwise) { return text != nullptr ? text : otherwise; }

/// The exception that is being handled, as an error that belongs to the caller.
inline reconverge_error* caught() { return new reconverge_error{embedding::failure_of_current_exception()}; }

/// The result of `action`. After an exception it is `otherwise`, and the caller gets the error if he asks for it.
template <typename Result, typename Action>
Result guarded(reconverge_error** error, Result otherwise, const Action& action) {
  if (error != nullptr) *error = nullptr;
  try {
    return action();
  } catch (...) {
    if (error != nullptr) *error = caught();
    return otherwise;
  }
}

/// The same for an action without a result.
template <typename Action>
reconverge_status status_of(reconverge_error** error, const Action& action) {
  reconverge_error* own = nullptr;
  guarded(&own, 0, [&] { return action(), 0; });
  const reconverge_status status = reconverge_error_status(own);
  if (error != nullptr) {
    *error = own;
  } else {
    reconverge_error_free(own);
  }
  return status;
}

/// Calls the function of the host, if there is one.
KeepRunning keep_running(reconverge_progress_function progress, void* data);

}  // namespace reconverge::c_interface
