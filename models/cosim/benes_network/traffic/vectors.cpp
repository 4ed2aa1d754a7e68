// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/traffic/vectors.hpp"

#include <fmt/format.h>

#include "models/cosim/benes_network/traffic/replay.hpp"

namespace reconverge {

namespace {

/// Writes a line a clock. Values that are not valid are written as 0, and the testbench ignores them.
class NetworkLines {
 public:
  explicit NetworkLines(const NetworkTrafficShape& shape) : shape_(shape), routing_(shape.ports) {}

  const std::string& text() const { return text_; }

  void cycle(const NetworkInputs& in, const NetworkOutputs& expected) {
    add("{:x} {:x} {:x} {:x} {:x} {:x} ", int{in.valid}, static_cast<unsigned>(in.mode), in.group.active,
        in.group.taken, in.group.first, in.group.second);
    const unsigned switches = shape_.ports / 2;
    for (unsigned bit = routing_.stages() * switches; bit-- > 0;) {
      const bool crosses = (in.crossed[bit / switches] >> bit % switches & 1U) != 0;
      nibble_ = nibble_ * 2 + (crosses ? 1 : 0);
      if (bit % 4 == 0) add("{:x}", std::exchange(nibble_, 0));
    }
    add_data(in.data, routing_.all_ports());
    add(" {:x} {:x} {:x} {:x} {:x} {:x} {:x}", int{expected.ready}, expected.next_first, expected.next_second,
        expected.read, expected.read_bank, expected.valid, expected.bank);
    add_data(expected.data, expected.valid);
    text_ += '\n';
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> form, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), form, std::forward<Values>(values)...);
  }

  /// Adds a field with eight digits for each port.
  void add_data(const NetworkData& data, PortMask valid) {
    text_ += ' ';
    for (unsigned port = shape_.ports; port-- > 0;) add("{:08x}", (valid >> port & 1U) != 0 ? data[port] : 0);
  }

  NetworkTrafficShape shape_;
  BenesRouting routing_;
  unsigned nibble_ = 0;
  std::string text_;
};

}  // namespace

twin::GoldenVectors make_network_vectors(const NetworkVectorsOptions& options) {
  NetworkTraffic<NetworkLines> traffic(options.shape, options.seed, std::make_unique<NetworkLines>(options.shape));
  for (std::uint64_t cycle = 0; cycle < options.cycles; ++cycle) traffic.cycle();
  return {"benes_network",
          {{"NumPorts", options.shape.ports},
           {"DataWidth", options.shape.data_bits},
           {"RegisterEvery", options.shape.register_every}},
          traffic.pins().partner().text(),
          std::string(network_replay_testbench)};
}

}  // namespace reconverge
