// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/page/run.hpp"

namespace reconverge::page {

namespace {

/// A trace contains only bytes; a message about them needs the file.
template <typename Read>
auto about(const std::filesystem::path& file, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    throw InputError({file.generic_string()}, error.what());
  }
}

}  // namespace

void read_trace(std::span<Run> runs, const std::filesystem::path& file) {
  const std::string bytes = read_input(file, input::trace);
  const trace::Trace trace = about(file, [&] { return trace::from_perfetto(bytes); });
  const trace::WarpTimeline timeline = about(file, [&] { return trace::warp_timeline(trace); });
  bool found = false;
  for (Run& run : runs) {
    if (trace::uuid_of(run.sha256) != trace.uuid) continue;
    if (run.warps) {
      throw InputError({file.generic_string()}, fmt::format("there is a trace of the run in {} already", run.folder),
                       "give one for each run");
    }
    run.warps = timeline;
    found = true;
  }
  if (found) return;
  throw InputError({file.generic_string()}, "this is the trace of another run",
                   "give the one that `reconverge run --trace` wrote with the report, or run the experiment again");
}

}  // namespace reconverge::page
