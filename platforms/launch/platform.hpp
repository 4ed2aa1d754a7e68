#pragma once
/// The parameters of all machines that launches can run on.

#include <utility>

#include "blocks/experiment.hpp"
#include "models/core/statistics_tree.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::launch {

/// What machines are made from.
struct Platform {
  GpuParameters gpu;
  StreamProcessorParameters stream_processor;
  MultiPassParameters multi_pass;

  Platform() = default;
  /// Implicit, as most programs have only a GPU, or an experiment's complete parameters.
  Platform(GpuParameters parameters) : gpu(std::move(parameters)) {}  // NOLINT(google-explicit-constructor)
  Platform(const ExperimentParameters& parameters)                    // NOLINT(google-explicit-constructor)
      : Platform(parameters.gpu, parameters) {}
  /// Replaces the GPU of the experiment by this one.
  Platform(GpuParameters of_gpu, const ExperimentParameters& others)
      : gpu(std::move(of_gpu)), stream_processor(others.stream_processor), multi_pass(others.multi_pass) {}
};

/// Zeros for all blocks of such a machine.
Statistics zeros_of(ExperimentMachine kind, SchemeList schemes);

/// Cycles of all launches, from the counters of any kind of machine.
std::uint64_t cycles_of(const Statistics& totals);

}  // namespace reconverge::launch
