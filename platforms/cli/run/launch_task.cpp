// SPDX-License-Identifier: Apache-2.0
// The launches of an experiment as a task.

#include <fmt/format.h>

#include "platforms/cli/run/task.hpp"
#include "platforms/launch/plan_memory.hpp"
#include "platforms/launch/plan_warnings.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/launch_outcome.hpp"

namespace reconverge::cli {

namespace {

class LaunchTask : public Task {
 public:
  explicit LaunchTask(const Experiment& experiment) : experiment_(experiment), launches_(read_launches(experiment)) {}

  std::vector<std::string> inputs() const override { return launches_.plan.files; }
  std::vector<std::string> outputs() const override { return report::file_names(launches_.plan); }

  std::vector<std::string> warnings() const override {
    return launch::warnings_of(launches_.plan, experiment_.machine(), launches_.parameters,
                               experiment_.kinds().schemes);
  }

  TaskSummary rehearse() const override {
    const auto& [plan, parameters] = launches_;
    try {
      launch::rehearse_plan(plan, experiment_.machine(), parameters, experiment_.kinds().schemes);
    } catch (const ParameterError& error) {
      throw placed(error, experiment_.configuration);
    }
    const MemoryNeed memory = launch::memory_need(plan, parameters, experiment_.kinds());
    return {fmt::format("{} buffers, {} launches; every kernel fits and starts; memory: about {}", plan.buffers.size(),
                        plan.order.size(), memory.text()),
            {{"kind", "launches"},
             {"buffers", plan.buffers.size()},
             {"launches", plan.order.size()},
             {"memory_bytes", memory.total()}}};
  }

  std::unique_ptr<report::Outcome> run(const RunControl& control) override {
    const auto& [plan, parameters] = launches_;
    tell_large(launch::memory_need(plan, parameters, experiment_.kinds()));
    result_ = launch::run_plan(plan, experiment_.machine(), parameters, control,
                               {recording_of(parameters), parameters.sample});
    return std::make_unique<report::LaunchOutcome>(parameters, plan, result_);
  }

 private:
  const Experiment& experiment_;
  Launches launches_;
  launch::PlanResult result_;
};

}  // namespace

std::unique_ptr<Task> launch_task(const Experiment& experiment) { return std::make_unique<LaunchTask>(experiment); }

std::unique_ptr<Task> task_of(const Experiment& experiment) {
  return experiment.has_launches() ? launch_task(experiment) : ray_task(experiment);
}

}  // namespace reconverge::cli
