#include <fmt/format.h>

#include <boost/json.hpp>
#include <set>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/page/run.hpp"

namespace reconverge::page {

namespace {

/// Of a checked report.
std::set<std::string> kernels_of(const boost::json::object& report) {
  std::set<std::string> kernels;
  for (const char* const parts : {"stages", "launches"}) {
    const boost::json::value* const list = report.if_contains(parts);
    if (list == nullptr) continue;
    for (const boost::json::value& part : list->get_array()) kernels.emplace(part.at("kernel").get_string());
  }
  return kernels;
}

/// A trace knows its bytes alone; a message about them needs the file.
trace::WarpTimeline timeline_of(const std::filesystem::path& file) {
  const std::string bytes = read_input(file, input::trace);
  try {
    return trace::warp_timeline(trace::from_perfetto(bytes));
  } catch (const InputError& error) {
    throw InputError({file.generic_string()}, error.what());
  }
}

}  // namespace

void read_trace(Run& run, const std::filesystem::path& file) {
  trace::WarpTimeline timeline = timeline_of(file);
  const std::set<std::string> kernels = kernels_of(run.report);
  for (const std::string& launch : timeline.launches) {
    if (kernels.contains(launch)) continue;
    throw InputError({file.generic_string()},
                     fmt::format("the trace is of '{}', which {} did not run", launch, run.folder),
                     "give the trace that `reconverge run --trace` wrote beside this report");
  }
  run.warps = std::move(timeline);
}

}  // namespace reconverge::page
