// SPDX-License-Identifier: Apache-2.0
// Tracing rays as a task.

#include <fmt/format.h>

#include <algorithm>

#include "platforms/cli/run/task.hpp"
#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/ray_outcome.hpp"

namespace reconverge::cli {

namespace {

constexpr std::uint64_t rehearsal_side = 8;    // pixels
constexpr Cycle rehearsal_cycles = 2'000'000;  // a kernel that takes longer has started, which is all that is checked

/// The same experiment with a picture of a few pixels: it loads the same programs and scene, elaborates the same
/// platform and launches every kernel with the same block size.
ExperimentParameters rehearsal_of(ExperimentParameters parameters, SchemeList schemes) {
  WorkloadParameters& workload = parameters.workload;
  workload.width = std::min(workload.width, rehearsal_side);
  workload.height = std::min(workload.height, rehearsal_side);
  workload.samples = 1;
  for (const SchemeKind* kind : schemes_of(parameters.gpu.sm, schemes)) {
    if (kind->prepare_rehearsal != nullptr) kind->prepare_rehearsal(parameters.gpu.sm);
  }
  return parameters;
}

class RayTask : public Task {
 public:
  explicit RayTask(const Experiment& experiment) : experiment_(experiment), parameters_(experiment.parameters) {}

  std::vector<std::string> inputs() const override { return report::scene_files(parameters_.workload); }
  std::vector<std::string> outputs() const override { return report::file_names(); }

  std::vector<std::string> warnings() const override {
    try {
      return program_warnings(parameters_, experiment_.kinds().schemes);
    } catch (const ParameterError& error) {
      throw placed(error, experiment_.configuration);
    }
  }

  TaskSummary rehearse() const override {
    const WorkloadFacts facts = rehearsed();
    const MemoryNeed memory =
        memory_need(facts.size.with_picture(parameters_.workload), parameters_, experiment_.kinds());
    check_memory(memory, smaller_workload);
    return {
        fmt::format("scene {} with {} triangles; every kernel fits and starts; memory: about {}", facts.scene,
                    facts.triangles, memory.text()),
        {{"kind", "rays"}, {"scene", facts.scene}, {"triangles", facts.triangles}, {"memory_bytes", memory.total()}}};
  }

  std::unique_ptr<report::Outcome> run(const RunControl& control) override {
    result_ = run_ray_tracing(parameters_, control);
    return std::make_unique<report::RayOutcome>(parameters_, result_);
  }

 private:
  WorkloadFacts rehearsed() const {
    const SchemeList schemes = experiment_.kinds().schemes;
    const SmParameters& sm = parameters_.gpu.sm;
    try {
      check_schemes(schemes_of(sm, schemes), sm);
      const auto keep_running = [](const RunProgress& progress) { return progress.cycles < rehearsal_cycles; };
      return run_ray_tracing(rehearsal_of(parameters_, schemes), {experiment_.kinds(), keep_running}).facts;
    } catch (const ParameterError& error) {
      throw placed(error, experiment_.configuration);
    }
  }

  const Experiment& experiment_;
  const ExperimentParameters& parameters_;
  RayTracingResult result_;
};

}  // namespace

std::unique_ptr<Task> ray_task(const Experiment& experiment) { return std::make_unique<RayTask>(experiment); }

}  // namespace reconverge::cli
