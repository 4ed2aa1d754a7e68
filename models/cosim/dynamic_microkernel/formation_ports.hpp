// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The ports of the RTL of dynamic warp formation (rtl/dynamic_microkernel): all that `models/cosim/twin` needs of the
/// block.

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "models/cosim/dynamic_microkernel/formation_history.hpp"
#include "models/cosim/dynamic_microkernel/formation_values.hpp"
#include "models/cosim/twin/configurations.hpp"

namespace reconverge {

struct FormationPorts {
  using Inputs = FormationInputs;
  using Outputs = FormationOutputs;
  using History = FormationHistory;

  struct Shape {
    unsigned regions;  ///< parts of the area that the RTL has
    unsigned pc_bits = kernel_pc_bits;
    unsigned region_bits() const { return std::max(1U, static_cast<unsigned>(std::bit_width(regions - 1))); }
    unsigned address_bits() const { return region_bits() + entry_bits; }
  };
  static constexpr unsigned entry_bits = 5;
  static constexpr unsigned kernel_pc_bits = 16;  ///< of the address of a micro-kernel

  static constexpr const char* block = "dynamic warp formation";
  static constexpr const char* part = "lane";
  static constexpr const char* scope = "dynamic_microkernel";

  /// A configuration, for warps of 32 lanes.
  struct Sizes {
    std::size_t lut_lines;
    std::size_t fifo;
    std::uint32_t regions = 0;  ///< parts of the formation area; a launch may use fewer
  };
  static constexpr const char* parameter = "gpu.sm.dynamic_microkernel.implementation";
  static constexpr const char* option = "RECONVERGE_FORMATION_RTL";

  static std::span<const twin::Configuration<FormationPorts>> configurations();
  static Shape shape_of(const Sizes& sizes) { return {sizes.regions}; }
  static bool fits(const Sizes& built, const Sizes& wanted) {
    return built.lut_lines == wanted.lut_lines && built.fifo == wanted.fifo && built.regions >= wanted.regions;
  }
  static std::string text_of(const Sizes& sizes);

  template <typename Rtl, typename Drive>
  static void inputs(Rtl& rtl, const Inputs& in, const Shape& shape, const Drive& port) {
    port({"regions_i", shape.region_bits() + 1}, rtl.regions_i, in.regions);
    port({"spawn_valid_i", 1}, rtl.spawn_valid_i, in.spawn);
    port({"spawn_commit_i", 1}, rtl.spawn_commit_i, in.commit);
    port({"spawn_pc_i", shape.pc_bits}, rtl.spawn_pc_i, in.pc);
    port({"spawn_lanes_i", warp_size}, rtl.spawn_lanes_i, in.lanes);
    port({"pop_i", 1}, rtl.pop_i, in.pop);
    port({"force_i", 1}, rtl.force_i, in.force);
    for (unsigned region = 0; region < shape.regions; ++region) {
      port({"release_i", 1, region}, rtl.release_i, in.release[region / 64] >> region % 64 & 1U);
    }
  }

  template <typename Rtl, typename Out, typename Visit>
  static void outputs(const Rtl& rtl, Out& out, const Shape& shape, const Visit& port) {
    port({"full_valid_o", 1}, rtl.full_valid_o, out.full);
    if (out.full) {
      port({"full_pc_o", shape.pc_bits}, rtl.full_pc_o, out.full->pc);
      port({"full_region_o", shape.region_bits()}, rtl.full_region_o, out.full->region);
    }
    port({"partial_valid_o", 1}, rtl.partial_valid_o, out.partial);
    if (out.partial) {
      port({"partial_pc_o", shape.pc_bits}, rtl.partial_pc_o, out.partial->pc);
      port({"partial_region_o", shape.region_bits()}, rtl.partial_region_o, out.partial->region);
      port({"partial_threads_o", entry_bits}, rtl.partial_threads_o, out.partial->threads);
    }
    // Copies of inputs, which are equal in both, so that outputs read from the RTL are complete.
    port({"spawn_valid_i", 1}, rtl.spawn_valid_i, out.spawn);
    if (!out.spawn) return;
    port({"spawn_lanes_i", warp_size}, rtl.spawn_lanes_i, out.spawn->lanes);
    port({"spawn_stall_o", 2}, rtl.spawn_stall_o, out.spawn->stall);
    if (out.spawn->stall != 0) return;
    port({"spawn_completes_o", 1}, rtl.spawn_completes_o, out.spawn->completes);
    for_each_lane(out.spawn->lanes, [&](unsigned lane) {
      port({"spawn_address_o", shape.address_bits(), lane, lane}, rtl.spawn_address_o, out.spawn->address[lane]);
    });
  }
};

using FormationRtl = twin::Rtl<FormationPorts>;

}  // namespace reconverge
