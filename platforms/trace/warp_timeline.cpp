// SPDX-License-Identifier: Apache-2.0
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
                   "write it again with `reconverge run FILE --trace`");
}

std::string name_of(const Trace& trace, const Track& track) {
  const auto parent = std::ranges::find(trace.tracks, track.parent, &Track::uuid);
  return parent == trace.tracks.end() ? track.name : fmt::format("{} {}", parent->name, track.name);
}

}  // namespace

WarpTimeline warp_timeline(const Trace& trace) {
  std::vector<std::vector<WarpSpan>> spans(trace.tracks.size());
  WarpTimeline timeline;
  timeline.begin = std::numeric_limits<std::uint64_t>::max();
  for (const Slice& slice : trace.slices) {
    if (trace.name(slice.category) != instruction_category) continue;
    timeline.begin = std::min(timeline.begin, slice.begin);
    timeline.end = std::max(timeline.end, slice.end);
    spans[slice.track].push_back(
        {slice.begin, slice.end, value_of(trace, slice, "lanes"), value_of(trace, slice, "pc")});
  }
  timeline.begin = std::min(timeline.begin, timeline.end);
  for (std::size_t track = 0; track < spans.size(); ++track) {
    if (!spans[track].empty()) timeline.rows.push_back({name_of(trace, trace.tracks[track]), std::move(spans[track])});
  }
  return timeline;
}

}  // namespace reconverge::trace
