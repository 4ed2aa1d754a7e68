#include "platforms/launch/make_machine.hpp"

#include <set>

#include "platforms/functional/functional_machine.hpp"
#include "platforms/gpu/gpu.hpp"

namespace reconverge::launch {

std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const GpuParameters& gpu,
                                                  SchemeList schemes) {
  if (kind == ExperimentMachine::functional) return std::make_unique<FunctionalMachine>();
  return std::make_unique<Gpu>("gpu", gpu, schemes);
}

std::vector<std::string> warnings_of(const LaunchPlan& plan, ExperimentMachine kind, const GpuParameters& gpu,
                                     SchemeList schemes) {
  std::vector<std::string> warnings = plan.warnings;
  if (kind == ExperimentMachine::functional) return warnings;
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
