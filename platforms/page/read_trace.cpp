#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/page/run.hpp"

namespace reconverge::page {

void read_trace(Run& run, const std::filesystem::path& file) {
  try {
    const trace::Trace trace = trace::from_perfetto(read_input(file, input::trace));
    if (trace.uuid != trace::uuid_of(run.sha256)) {
      throw InputError({}, fmt::format("this is not the trace of the run in {}", run.folder),
                       "give the one that `reconverge run --trace` wrote with this report, or run it again");
    }
    run.warps = trace::warp_timeline(trace);
  } catch (const InputError& error) {
    if (!error.location().file.empty()) throw;
    throw InputError({file.generic_string()}, error.what());
  }
}

}  // namespace reconverge::page
