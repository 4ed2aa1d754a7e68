#include "platforms/trace/warp_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/core/error.hpp"
#include "platforms/trace/sm_trace.hpp"

namespace reconverge::trace {

namespace {

std::uint64_t value_of(const Trace& trace, const Slice& slice, std::string_view name) {
  const Argument* const found = trace.find(slice, name);
  if (found != nullptr && found->kind == ArgumentKind::number) return found->value;
  throw InputError({}, fmt::format("no trace of Reconverge: an instruction in cycle {} has no '{}'", slice.begin, name),
                   "write it anew with `reconverge run FILE --trace`");
}

std::string name_of(const Trace& trace, const Track& track) {
  const auto parent = std::ranges::find(trace.tracks, track.parent, &Track::uuid);
  return parent == trace.tracks.end() ? track.name : fmt::format("{} {}", parent->name, track.name);
}

}  // namespace

boost::json::object warp_timeline(const Trace& trace) {
  std::vector<boost::json::array> spans(trace.tracks.size());
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
  for (const Slice& slice : trace.slices) {
    if (trace.name(slice.category) != instruction_category) continue;
    begin = std::min(begin, slice.begin);
    end = std::max(end, slice.end);
    spans[slice.track].push_back(
        {slice.begin, slice.end, value_of(trace, slice, "lanes"), value_of(trace, slice, "pc")});
  }
  boost::json::array rows;
  for (std::size_t track = 0; track < spans.size(); ++track) {
    if (spans[track].empty()) continue;
    rows.push_back({{"name", name_of(trace, trace.tracks[track])}, {"spans", std::move(spans[track])}});
  }
  return {{"begin", std::min(begin, end)}, {"end", end}, {"rows", std::move(rows)}};
}

}  // namespace reconverge::trace
