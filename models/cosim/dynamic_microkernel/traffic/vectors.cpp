// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/traffic/vectors.hpp"

#include <fmt/format.h>

#include "models/cosim/dynamic_microkernel/traffic/replay.hpp"
#include "models/cosim/dynamic_microkernel/traffic/traffic.hpp"

namespace reconverge {

namespace {

/// Writes a line a cycle. Values that are not valid are written as 0, and the testbench ignores them.
class FormationLines {
 public:
  explicit FormationLines(const FormationPorts::Shape& shape) : shape_(shape) {}

  const std::string& text() const { return text_; }

  void cycle(const FormationInputs& in, const FormationOutputs& expected) {
    add("{:x} {:x} {:x} {:x} {:x} {:x} {:x} ", in.regions, int{in.spawn}, int{in.commit}, in.pc, in.lanes, int{in.pop},
        int{in.force});
    for (std::size_t word = in.release.size(); word-- > 0;) add("{:016x}", in.release[word]);
    add_warp(expected.full);
    add_warp(expected.partial);
    const FormationSpawn spawn = expected.spawn.value_or(FormationSpawn{});
    add(" {:x} {:x} ", spawn.stall, int{spawn.completes});
    for (unsigned lane = warp_size; lane-- > 0;) {
      const bool matters = spawn.stall == 0 && (spawn.lanes >> lane & 1U) != 0;
      add("{:04x}", matters ? spawn.address[lane] : 0);
    }
    text_ += '\n';
  }
  /// Nothing to write here.
  void within(const FormationInputs& /*inputs*/, const FormationOutputs& /*expected*/) {}

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  void add_warp(const std::optional<FormationWarp>& warp) {
    const FormationWarp what = warp.value_or(FormationWarp{});
    add(" {:x} {:x} {:x} {:x}", warp ? 1 : 0, what.pc, what.region, what.threads);
  }

  FormationPorts::Shape shape_;
  std::string text_;
};

}  // namespace

twin::GoldenVectors make_formation_vectors(const FormationVectorsOptions& options) {
  const FormationTrafficShape shape{.lut_lines = options.lut_lines,
                                    .fifo = options.fifo,
                                    .regions = options.regions,
                                    .micro_kernels = options.micro_kernels};
  FormationTraffic<FormationLines> traffic(shape, options.seed, [&](std::uint32_t regions) {
    return std::make_unique<FormationLines>(FormationPorts::Shape{regions});
  });
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return {"dynamic_microkernel",
          {{"Lines", options.lut_lines}, {"Regions", options.regions}, {"Fifo", options.fifo}},
          traffic.pins().partner().text(),
          std::string(formation_replay_testbench)};
}

}  // namespace reconverge
