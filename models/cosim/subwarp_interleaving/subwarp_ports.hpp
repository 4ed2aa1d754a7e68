// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The ports of the RTL of a subwarp scheduler (rtl/subwarp_interleaving): all that `models/cosim/twin` needs of the
/// block.

#include <span>
#include <string>

#include "models/cosim/subwarp_interleaving/subwarp_history.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_values.hpp"
#include "models/cosim/twin/configurations.hpp"

namespace reconverge {

struct SubwarpPorts {
  using Inputs = SubwarpInputs;
  using Outputs = SubwarpOutputs;
  using History = SubwarpHistory;

  struct Shape {
    std::uint32_t warps;  ///< that the RTL has
    unsigned entries;
    unsigned scoreboards = scoreboard_bits;  ///< bits of a scoreboard's number
    unsigned counts = count_bits;
    unsigned warp_bits() const { return warps > 1 ? static_cast<unsigned>(std::bit_width(warps - 1)) : 1; }
    unsigned leader_bits() const { return static_cast<unsigned>(std::bit_width(entries - 1)); }
  };

  static constexpr const char* block = "subwarp scheduler";
  static constexpr const char* part = "warp";
  static constexpr const char* scope = "subwarp_interleaving";

  /// A configuration.
  struct Sizes {
    std::uint32_t warps;  ///< of a sub-core, which may use fewer
    unsigned entries;
  };
  static constexpr const char* parameter = "gpu.sm.subwarp_interleaving.implementation";
  static constexpr const char* option = "RECONVERGE_SUBWARP_RTL";

  static std::span<const twin::Configuration<SubwarpPorts>> configurations();
  static Shape shape_of(const Sizes& sizes) { return {sizes.warps, sizes.entries}; }
  static bool fits(const Sizes& built, const Sizes& wanted) {
    return built.entries == wanted.entries && built.warps >= wanted.warps;
  }
  static std::string text_of(const Sizes& sizes);

  template <typename Rtl, typename Drive>
  static void inputs(Rtl& rtl, const Inputs& in, const Shape& shape, const Drive& port) {
    port({"trigger_i", 2}, rtl.trigger_i, in.trigger);
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
      port({"set_i", shape.entries, warp, warp}, rtl.set_i, in.set[warp]);
      for (std::size_t bit = 0; bit < 3; ++bit) {
        port({"set_state_i", shape.entries, 3 * warp + bit, warp}, rtl.set_state_i, in.set_state[warp][bit]);
      }
    }
    port({"stall_i", shape.entries}, rtl.stall_i, in.stall);
    port({"stall_warp_i", shape.warp_bits()}, rtl.stall_warp_i, in.stall_warp);
    port({"stall_scoreboard_i", shape.scoreboards}, rtl.stall_scoreboard_i, in.stall_scoreboard);
    for (unsigned entry = 0; entry < shape.entries; ++entry) {
      port({"stall_counts_i", shape.counts, entry}, rtl.stall_counts_i, in.stall_count[entry]);
    }
    for (unsigned number = 0; number < write_back_ports; ++number) {
      port({"result_i", shape.entries, number}, rtl.result_i, in.results[number].entries);
      port({"result_warp_i", shape.warp_bits(), number}, rtl.result_warp_i, in.results[number].warp);
      port({"result_scoreboard_i", shape.scoreboards, number}, rtl.result_scoreboard_i, in.results[number].scoreboard);
    }
    port({"waits_i", shape.warps}, rtl.waits_i, in.waits);
    port({"take_i", 1}, rtl.take_i, in.take);
    port({"take_peers_i", shape.entries}, rtl.take_peers_i, in.peers);
  }

  template <typename Rtl, typename Out, typename Visit>
  static void outputs(const Rtl& rtl, Out& out, const Shape& shape, const Visit& port) {
    for (std::uint32_t warp = 0; warp < shape.warps; ++warp) {
      for (std::size_t bit = 0; bit < 3; ++bit) {
        port({"states_o", shape.entries, 3 * warp + bit, warp}, rtl.states_o, out.states[warp][bit]);
      }
    }
    port({"offer_valid_o", 1}, rtl.offer_valid_o, out.offer);
    if (!out.offer) return;
    port({"offer_warp_o", shape.warp_bits()}, rtl.offer_warp_o, out.offer->warp);
    port({"offer_leader_o", shape.leader_bits()}, rtl.offer_leader_o, out.offer->leader);
  }
};

using SubwarpRtl = twin::Rtl<SubwarpPorts>;

}  // namespace reconverge
