#include "platforms/launch/make_machine.hpp"

#include <set>

#include "platforms/functional/functional_machine.hpp"
#include "platforms/gpu/gpu.hpp"
#include "platforms/multi_pass/multi_pass_machine.hpp"
#include "platforms/stream_processor/stream_machine.hpp"

namespace reconverge::launch {

std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const Platform& platform,
                                                  SchemeList schemes) {
  switch (kind) {
    case ExperimentMachine::functional:
      return std::make_unique<FunctionalMachine>();
    case ExperimentMachine::streams:
      return std::make_unique<StreamMachine>(platform.stream_processor);
    case ExperimentMachine::multi_pass:
      return std::make_unique<MultiPassMachine>(platform.multi_pass);
    case ExperimentMachine::timed:
      break;
  }
  return std::make_unique<Gpu>("gpu", platform.gpu, schemes);
}

std::vector<std::string> warnings_of(const LaunchPlan& plan, ExperimentMachine kind, const GpuParameters& gpu,
                                     SchemeList schemes) {
  std::vector<std::string> warnings = plan.warnings;
  if (kind != ExperimentMachine::timed) return warnings;
  const auto kinds = schemes_of(gpu.sm, schemes);
  std::set<const kernel::Program*> told;
  for (const PlannedLaunch& launch : plan.launches) {
    if (!told.insert(launch.program.get()).second) continue;
    const std::vector<std::string> more = scheme_warnings(kinds, *launch.program, gpu.sm);
    warnings.insert(warnings.end(), more.begin(), more.end());
  }
  return warnings;
}

}  // namespace reconverge::launch
