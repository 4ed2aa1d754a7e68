// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/subwarp_interleaving/traffic/vectors.hpp"

#include <fmt/format.h>

#include "models/cosim/subwarp_interleaving/traffic/replay.hpp"
#include "models/cosim/subwarp_interleaving/traffic/traffic.hpp"

namespace reconverge {

namespace {

/// Writes a line a cycle. Values that are not valid are written as 0, and the testbench ignores them.
class SubwarpLines {
 public:
  explicit SubwarpLines(const SubwarpTrafficShape& shape) : shape_(shape) {}

  const std::string& text() const { return text_; }

  void cycle(const SubwarpInputs& in, const SubwarpOutputs& expected) {
    add("{:x}", static_cast<unsigned>(in.trigger));
    for (std::uint32_t warp = 0; warp < shape_.warps; ++warp) {
      add(" {:x}", in.set[warp]);
      for (const EntryMask plane : in.set_state[warp]) add(" {:x}", plane);
    }
    add(" {:x} {:x} {:x}", in.stall, in.stall_warp, in.stall_scoreboard);
    for (unsigned entry = 0; entry < shape_.entries; ++entry) add(" {:x}", in.stall_count[entry]);
    for (const WriteBack& result : in.results) add(" {:x} {:x} {:x}", result.entries, result.warp, result.scoreboard);
    add(" {:x} {:x} {:x}", in.waits, int{in.take}, in.peers);
    const SubwarpChoice choice = expected.offer.value_or(SubwarpChoice{});
    add(" {:x} {:x} {:x}", expected.offer ? 1 : 0, choice.warp, choice.leader);
    for (std::uint32_t warp = 0; warp < shape_.warps; ++warp) {
      for (const EntryMask plane : expected.states[warp]) add(" {:x}", plane);
    }
    text_ += '\n';
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  SubwarpTrafficShape shape_;
  std::string text_;
};

}  // namespace

twin::GoldenVectors make_subwarp_vectors(const SubwarpVectorsOptions& options) {
  const SubwarpTrafficShape shape{.warps = options.warps, .entries = options.entries, .trigger = options.trigger};
  SubwarpTraffic<SubwarpLines> traffic(shape, options.seed, [&] { return std::make_unique<SubwarpLines>(shape); });
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return {"subwarp_interleaving",
          {{"Warps", options.warps}, {"Entries", options.entries}},
          traffic.pins().partner().text(),
          std::string(subwarp_replay_testbench)};
}

}  // namespace reconverge
