// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The ports of the RTL of a Benes network (rtl/benes_network): all that `models/cosim/twin` needs of the block.

#include <span>
#include <string>

#include "models/cosim/benes_network/network_history.hpp"
#include "models/cosim/benes_network/network_values.hpp"
#include "models/cosim/twin/configurations.hpp"

namespace reconverge {

struct NetworkPorts {
  using Inputs = NetworkInputs;
  using Outputs = NetworkOutputs;
  using History = NetworkHistory;

  struct Shape {
    unsigned ports;      ///< a power of two
    unsigned data_bits;  ///< of a record, 32 at most
    unsigned index_bits() const { return static_cast<unsigned>(std::countr_zero(ports)); }
    unsigned stages() const { return 2 * index_bits() - 1; }
  };

  static constexpr const char* block = "Benes network";
  static constexpr const char* part = "port";
  static constexpr const char* scope = "benes_network";

  /// A configuration.
  struct Sizes {
    unsigned ports;
    unsigned register_every;
  };
  static constexpr unsigned built_data_bits = 8;  ///< of records, enough for the number of a lane
  static constexpr const char* parameter = "stream_processor.network.implementation";
  static constexpr const char* option = "RECONVERGE_BENES_RTL";

  static std::span<const twin::Configuration<NetworkPorts>> configurations();
  static Shape shape_of(const Sizes& sizes) { return {sizes.ports, built_data_bits}; }
  static bool fits(const Sizes& built, const Sizes& wanted) {
    return built.ports == wanted.ports && built.register_every == wanted.register_every;
  }
  static std::string text_of(const Sizes& sizes);

  template <typename Rtl, typename Drive>
  static void inputs(Rtl& rtl, const Inputs& in, const Shape& shape, const Drive& port) {
    port({"valid_i", 1}, rtl.valid_i, in.valid);
    port({"mode_i", 2}, rtl.mode_i, in.mode);
    port({"active_i", shape.ports}, rtl.active_i, in.group.active);
    port({"taken_i", shape.ports}, rtl.taken_i, in.group.taken);
    port({"first_i", shape.index_bits()}, rtl.first_i, in.group.first);
    port({"second_i", shape.index_bits()}, rtl.second_i, in.group.second);
    for (unsigned stage = 0; stage < shape.stages(); ++stage) {
      port({"cross_i", shape.ports / 2, stage, stage}, rtl.cross_i, in.crossed[stage]);
    }
    for (unsigned lane = 0; lane < shape.ports; ++lane) {
      port({"data_i", shape.data_bits, lane, lane}, rtl.data_i, in.data[lane]);
    }
  }

  template <typename Rtl, typename Out, typename Visit>
  static void outputs(const Rtl& rtl, Out& out, const Shape& shape, const Visit& port) {
    port({"ready_o", 1}, rtl.ready_o, out.ready);
    port({"valid_o", shape.ports}, rtl.valid_o, out.valid);
    for (unsigned number = 0; number < shape.ports; ++number) {
      if ((out.valid >> number & 1U) == 0) continue;
      port({"data_o", shape.data_bits, number, number}, rtl.data_o, out.data[number]);
    }
    each({"bank_o", out.valid, shape.ports}, out.bank, rtl.bank_o, port);
    // Copies of inputs, which are equal in both, so that outputs read from the RTL are complete.
    port({"valid_i", 1}, rtl.valid_i, out.asked);
    port({"mode_i", 2}, rtl.mode_i, out.mode);
    port({"read_o", shape.ports}, rtl.read_o, out.read);
    each({"read_bank_o", out.read, shape.ports}, out.read_bank, rtl.read_bank_o, port);
    if (!out.asked || out.mode == NetworkMode::permute) return;
    port({"next_first_o", shape.index_bits()}, rtl.next_first_o, out.next_first);
    port({"next_second_o", shape.index_bits()}, rtl.next_second_o, out.next_second);
  }

 private:
  /// A pin with one bit for each port, compared only for the ports in `which`.
  struct PortBits {
    const char* name;
    PortMask which;
    unsigned ports;
  };

  template <typename Pin, typename Mask, typename Visit>
  static void each(const PortBits& bits, Mask& mask, const Pin& pin, const Visit& port) {
    for (unsigned number = 0; number < bits.ports; ++number) {
      if ((bits.which >> number & 1U) == 0) continue;
      bool bit = (mask >> number & 1U) != 0;
      port({bits.name, 1, number, number}, pin, bit);
      if constexpr (!std::is_const_v<Mask>) mask = (mask & ~(PortMask{1} << number)) | PortMask{bit} << number;
    }
  }
};

using NetworkRtl = twin::Rtl<NetworkPorts>;

}  // namespace reconverge
