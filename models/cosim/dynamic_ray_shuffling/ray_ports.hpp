// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The ports of dynamic ray shuffling's RTL: all that `models/cosim/twin` needs of the block.

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/cosim/dynamic_ray_shuffling/pin_values.hpp"
#include "models/cosim/dynamic_ray_shuffling/ray_history.hpp"
#include "models/cosim/twin/configurations.hpp"

namespace reconverge {

struct RayPorts {
  using Inputs = PinInputs;
  using Outputs = PinOutputs;
  using History = RayHistory;

  struct Shape {
    unsigned lanes;
    unsigned warp_bits;
    unsigned row_bits;
    unsigned register_bits;
  };

  static constexpr const char* block = "dynamic ray shuffling";
  static constexpr const char* part = "";
  static constexpr const char* scope = "dynamic_ray_shuffling";

  /// A configuration, for warps of 32 lanes.
  struct Sizes {
    std::size_t warps;
    std::size_t backup_rows;
    std::size_t swap_buffers;
    std::size_t ray_registers;
  };
  static constexpr const char* parameter = "gpu.sm.dynamic_ray_shuffling.implementation";
  static constexpr const char* option = "RECONVERGE_RTL";

  static std::span<const twin::Configuration<RayPorts>> configurations();
  /// Throws ParameterError for ideal shuffling, which has no RTL. `warps`: 0 before a launch.
  static Sizes sizes_of(const DynamicRayShufflingParameters& parameters, std::size_t warps = 0);
  static bool fits(const Sizes& built, const Sizes& wanted) {
    return (wanted.warps == 0 || built.warps == wanted.warps) && built.backup_rows == wanted.backup_rows &&
           built.swap_buffers == wanted.swap_buffers && built.ray_registers == wanted.ray_registers;
  }
  static std::string text_of(const Sizes& sizes);

  static Shape shape_of(const Sizes& sizes, unsigned width = warp_size) {
    const auto bits_for = [](std::size_t count) {
      return std::max(1U, static_cast<unsigned>(std::bit_width(count - 1)));
    };
    return {width, bits_for(sizes.warps), bits_for(sizes.warps + sizes.backup_rows + empty_rows),
            bits_for(sizes.ray_registers)};
  }

  template <typename Rtl, typename Drive>
  static void inputs(Rtl& rtl, const Inputs& in, const Shape& shape, const Drive& port) {
    port({"control_valid_i", 1}, rtl.control_valid_i, in.control_valid);
    port({"control_warp_i", shape.warp_bits}, rtl.control_warp_i, in.control_warp);
    port({"report_valid_i", 1}, rtl.report_valid_i, in.report_valid);
    port({"report_warp_i", shape.warp_bits}, rtl.report_warp_i, in.report_warp);
    port({"report_lanes_i", shape.lanes}, rtl.report_lanes_i, in.report_lanes);
    port({"report_high_i", shape.lanes}, rtl.report_high_i, in.report_states.high);
    port({"report_low_i", shape.lanes}, rtl.report_low_i, in.report_states.low);
    port({"read_grant_i", 1}, rtl.read_grant_i, in.grants.read);
    port({"write_grant_i", 1}, rtl.write_grant_i, in.grants.write);
    if (!in.grants.read) return;
    for (unsigned lane = 0; lane < shape.lanes; ++lane) {
      port({"read_words_i", 32, lane}, rtl.read_words_i, in.read_words[lane]);
    }
  }

  template <typename Rtl, typename Out, typename Visit>
  static void outputs(const Rtl& rtl, Out& out, const Shape& shape, const Visit& port) {
    port({"control_ready_o", 1}, rtl.control_ready_o, out.control_ready);
    port({"report_ready_o", 1}, rtl.report_ready_o, out.report_ready);
    port({"answer_valid_o", 1}, rtl.answer_valid_o, out.answer_valid);
    port({"answer_o", 2}, rtl.answer_o, out.answer.answer);
    port({"answer_row_o", shape.row_bits}, rtl.answer_row_o, out.answer.row);
    port({"answer_high_o", shape.lanes}, rtl.answer_high_o, out.answer.states.high);
    port({"answer_low_o", shape.lanes}, rtl.answer_low_o, out.answer.states.low);
    port({"idle_o", 1}, rtl.idle_o, out.idle);
    port({"has_answer_o", 1}, rtl.has_answer_o, out.has_answer);
    port({"read_valid_o", 1}, rtl.read_valid_o, out.read);
    port({"write_valid_o", 1}, rtl.write_valid_o, out.write);
    if (out.read) {
      port({"read_row_o", shape.row_bits}, rtl.read_row_o, out.read->row);
      port({"read_register_o", shape.register_bits}, rtl.read_register_o, out.read->ray_register);
      port({"read_lanes_o", shape.lanes}, rtl.read_lanes_o, out.read->lanes);
    }
    if (!out.write) return;
    port({"write_row_o", shape.row_bits}, rtl.write_row_o, out.write->row);
    port({"write_register_o", shape.register_bits}, rtl.write_register_o, out.write->ray_register);
    port({"write_lanes_o", shape.lanes}, rtl.write_lanes_o, out.write->lanes);
    for_each_lane(out.write->lanes, [&](unsigned lane) {
      port({"write_words_o", 32, lane}, rtl.write_words_o, out.write_words[lane]);
    });
  }
};

using RayRtl = twin::Rtl<RayPorts>;

/// A partner of Pins from a `Partner` that is made from a shape.
template <typename Partner>
class RayPartner : public Partner {
 public:
  RayPartner(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : Partner(RayPorts::shape_of(RayPorts::sizes_of(parameters, warps), width)) {}
};

}  // namespace reconverge
