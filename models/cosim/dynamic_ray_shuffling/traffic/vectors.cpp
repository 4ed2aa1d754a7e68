// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/traffic/vectors.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/pins_with_rays.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/replay.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/traffic.hpp"

namespace reconverge {

namespace {

/// Writes a line a cycle. Values that are not valid are written as 0, and the testbench ignores them.
class VectorLines {
 public:
  VectorLines(const DynamicRayShufflingParameters& /*parameters*/, std::size_t /*warps*/, unsigned width)
      : width_(width), lanes_(width == warp_size ? all_lanes : lane_bit(width) - 1) {}

  const std::string& text() const { return text_; }

  void cycle(const PinInputs& inputs, const PinOutputs& expected) {
    const RayStates& report = inputs.report_states;
    add("{:x} {:x} ", int{inputs.control_valid}, inputs.control_warp);
    add("{:x} {:x} {:x} {:x} {:x} ", int{inputs.report_valid}, inputs.report_warp, inputs.report_lanes & lanes_,
        report.high & lanes_, report.low & lanes_);
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
      const bool reads = inputs.grants.read[unit];
      add("{:x} {:x} ", int{reads}, int{inputs.grants.write[unit]});
      for (unsigned lane = width_; lane-- > 0;) add("{:08x}", reads ? inputs.read_words[unit][lane] : 0);
      add(" ");
    }
    const RayControl& control = expected.control;
    add("{:x} {:x} {:x} {:x} {:x} {:x}", static_cast<int>(control.answer), control.row, control.states.high & lanes_,
        control.states.low & lanes_, int{expected.idle}, int{expected.has_answer});
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) add_access(expected.read[unit]);
    for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
      add_access(expected.write[unit]);
      add(" ");
      for (unsigned lane = width_; lane-- > 0;) {
        const bool written = expected.write[unit] && (expected.write[unit]->lanes >> lane & 1U) != 0;
        add("{:08x}", written ? expected.write_words[unit][lane] : 0);
      }
    }
    text_ += '\n';
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  void add_access(const std::optional<RegisterAccess>& access) {
    const RegisterAccess what = access.value_or(RegisterAccess{});
    add(" {:x} {:x} {:x} {:x}", access ? 1 : 0, what.row, what.ray_register, what.lanes);
  }

  std::string text_;
  unsigned width_;
  LaneMask lanes_;
};

}  // namespace

twin::GoldenVectors make_ray_vectors(const RayVectorsOptions& options) {
  const DynamicRayShufflingParameters& parameters = options.parameters;
  if (parameters.ideal) {
    throw InputError({}, "ideal shuffling has no RTL", "leave out ideal");
  }
  if (parameters.swap_buffers % shuffle_units != 0) {
    throw InputError({}, fmt::format("{} swap buffers", parameters.swap_buffers), "each of three units has as many");
  }
  if (options.warps < 2 || options.warps > 64) {
    throw InputError({}, fmt::format("{} warps", options.warps), "an SM has 2 to 64");
  }
  // Rays for twice the cycles, so that no warp runs out before the vectors end; one run in four also covers the end.
  const auto rays = static_cast<unsigned>(options.seed % 4 == 0 ? options.cycles / 8 : options.cycles * 2);
  Traffic<PinsWithRays<VectorLines>> traffic(parameters, {options.warps, options.width}, rays, options.seed,
                                             {.granted = 0.3 + 0.1 * (options.seed % 8)});
  while (!traffic.done() && traffic.shuffler.cycles() < options.cycles) traffic.cycle();
  return {"dynamic_ray_shuffling",
          {{"Warps", options.warps},
           {"BackupRows", parameters.backup_rows},
           {"Lanes", options.width},
           {"SwapBuffers", parameters.swap_buffers},
           {"RayRegisters", parameters.ray_registers}},
          traffic.shuffler.partner().text(),
          std::string(replay_testbench)};
}

}  // namespace reconverge
