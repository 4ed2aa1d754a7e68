#include "platforms/launch/make_machine.hpp"

#include "platforms/functional/functional_machine.hpp"
#include "platforms/gpu/gpu.hpp"

namespace reconverge::launch {

std::unique_ptr<reconverge::Machine> make_machine(ExperimentMachine kind, const GpuParameters& gpu,
                                                  SchemeList schemes) {
  if (kind == ExperimentMachine::functional) return std::make_unique<FunctionalMachine>();
  return std::make_unique<Gpu>("gpu", gpu, schemes);
}

}  // namespace reconverge::launch
