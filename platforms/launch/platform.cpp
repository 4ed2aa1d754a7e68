#include "platforms/launch/platform.hpp"

namespace reconverge::launch {

Statistics zeros_of(ExperimentMachine kind, SchemeList schemes) {
  if (kind == ExperimentMachine::streams) return Statistics(stream_processor_block);
  if (kind == ExperimentMachine::multi_pass) return Statistics(multi_pass_block);
  return gpu_statistics(schemes);
}

std::uint64_t cycles_of(const Statistics& totals) {
  return totals.of<GpuStatistics>().cycles + sum(totals.of<StreamProcessorStatistics>().cycles.values) +
         sum(totals.of<MultiPassStatistics>().cycles.values);
}

}  // namespace reconverge::launch
