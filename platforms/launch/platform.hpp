#pragma once
/// The parameters of all machines that launches can run on.

#include <utility>

#include "blocks/experiment.hpp"
#include "models/core/statistics_tree.hpp"
#include "platforms/gpu/schemes.hpp"

namespace reconverge::launch {

/// What machines are made from.
struct Platform {
  GpuParameters gpu;
  StreamProcessorParameters stream_processor;
  MultiPassParameters multi_pass;

  Platform() = default;
  /// Implicit, as most programs have a GPU alone, or all of an experiment.
  Platform(GpuParameters parameters) : gpu(std::move(parameters)) {}  // NOLINT(google-explicit-constructor)
  Platform(const ExperimentParameters& parameters)                    // NOLINT(google-explicit-constructor)
      : Platform(parameters.gpu, parameters) {}
  /// The GPU is this one, whatever that of the experiment.
  Platform(GpuParameters of_gpu, const ExperimentParameters& others)
      : gpu(std::move(of_gpu)), stream_processor(others.stream_processor), multi_pass(others.multi_pass) {}
};

/// Zeros for all blocks of such a machine.
Statistics zeros_of(ExperimentMachine kind, SchemeList schemes);

/// Cycles of all launches, of whichever machine has counted them.
std::uint64_t cycles_of(const Statistics& totals);

}  // namespace reconverge::launch
