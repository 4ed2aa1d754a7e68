#include "platforms/report/stream_figures.hpp"

#include <fmt/format.h>

#include "platforms/report/table_parts.hpp"

namespace reconverge::report {

void add_stream_figures(const Measurement& m, std::vector<Figure>& list) {
  const auto& counts = m.totals.of<StreamProcessorStatistics>();
  const auto& registers = m.totals.of<StreamRegistersStatistics>();
  list.push_back({"records_a_pass", "records", "Records that a pass takes.", "records / passes of stream_processor",
                  ratio(real(counts.records), real(counts.passes))});
  list.push_back({"register_use", "words", "Words with records in stream registers, on average over passes.",
                  "stream_processor.registers.used / stream_processor.passes",
                  ratio(real(registers.used), real(counts.passes))});
  list.push_back({"spill_bandwidth", "bytes/s", "Between stream registers and stream buffers in memory.",
                  "stream_processor.registers.spill_bytes / time", ratio(real(registers.spill_bytes), seconds(m))});
}

std::string stream_text(std::string_view name, const Measurement& m) {
  const auto& counts = m.totals.of<StreamProcessorStatistics>();
  const auto& registers = m.totals.of<StreamRegistersStatistics>();
  return fmt::format("\n{} passes of {:.1f} records, {} kernel switches, {} registers spilled ({}: {} records)\n",
                     grouped(counts.passes), ratio(real(counts.records), real(counts.passes)), grouped(counts.switches),
                     grouped(registers.spills), name, grouped(counts.records));
}

}  // namespace reconverge::report
