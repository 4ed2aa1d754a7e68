// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The parameters of all machines that an experiment can name.

#include <utility>

#include "blocks/experiment.hpp"
#include "models/core/parts.hpp"

namespace reconverge {

struct Platform {
  GpuParameters gpu;
  Parts machines;  ///< the parameters of the others, found by their struct

  Platform() = default;
  /// Implicit, as most programs have only a GPU, or an experiment's complete parameters.
  Platform(GpuParameters parameters) : gpu(std::move(parameters)) {}  // NOLINT(google-explicit-constructor)
  Platform(const ExperimentParameters& parameters)                    // NOLINT(google-explicit-constructor)
      : Platform(parameters.gpu, parameters) {}
  /// Replaces the GPU of the experiment by this one.
  Platform(GpuParameters of_gpu, const ExperimentParameters& others)
      : gpu(std::move(of_gpu)), machines(others.machines) {}
};

}  // namespace reconverge
