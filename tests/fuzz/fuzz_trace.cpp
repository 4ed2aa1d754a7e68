// SPDX-License-Identifier: Apache-2.0
/// Traces of warps. An accepted trace is written again as the same trace, and a timeline is made from it.

#include "platforms/trace/trace.hpp"
#include "platforms/trace/warp_timeline.hpp"
#include "tests/fuzz/target.hpp"

namespace reconverge::fuzz {

namespace {

void read(const std::string& bytes) {
  const trace::Trace taken = trace::from_perfetto(bytes);
  const trace::Trace again = trace::from_perfetto(trace::to_perfetto(taken));
  require(again.uuid == taken.uuid, "of the same run");
  require(again.tracks == taken.tracks, "the same tracks");
  require(again.slices.size() == taken.slices.size(), "as many slices");
  require(again.samples == taken.samples, "the same samples");
  trace::warp_timeline(taken);
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  fuzz::taken([&] { fuzz::read(fuzz::text_of(data, size)); });
  return 0;
}
