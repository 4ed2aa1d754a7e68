// SPDX-License-Identifier: Apache-2.0
#include "platforms/figures/cycle_figures.hpp"

#include <fmt/format.h>

#include <span>

#include "platforms/figures/text.hpp"

namespace reconverge {

void add_cycle_figures(const Measurement& m, const CycleCauses& causes, std::vector<Figure>& list) {
  const Executed all = executed(m);
  list.push_back({"warp_instructions", "SIMD instructions", "Instructions that lanes issued together.",
                  fmt::format("{}.instructions", causes.block), real(all.issued)});
  list.push_back({"thread_instructions", "thread instructions", "Instructions of single threads.",
                  fmt::format("{}.lane_instructions", causes.block), real(all.threads)});
  list.push_back({"simd_efficiency", "share", "Lanes that worked, of all lanes of the issued instructions.",
                  fmt::format("lane_instructions / ({}.lanes * instructions)", causes.block), all.simd_efficiency()});
  list.push_back({"thread_ipc", "thread instructions/cycle", "Instructions of single threads in a cycle.",
                  "lane_instructions / cycles", thread_ipc(m)});
  causes.view.visit([&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
    if (statistic.name != causes.statistic) return;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      const std::string name = bin_name(statistic, bin);
      list.push_back({"cycles_" + name, "share", fmt::format("Cycles used for '{}', of all.", name),
                      fmt::format("{}.cycles[{}] / sum of cycles", causes.block, name),
                      ratio(real(values[bin]), real(sum(values)))});
    }
  });
}

std::string cycle_bars(std::string_view subject, const Measurement& m, const CycleCauses& causes) {
  std::string out = fmt::format("\nCycles ({}: {} cycles)\n", subject, grouped(cycles(m)));
  add_bins(out, causes.view, causes.statistic);
  return out;
}

}  // namespace reconverge
