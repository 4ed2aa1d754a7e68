// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random requests for a Benes network, as the contract of its ports allows.

#include <random>
#include <span>
#include <tuple>
#include <utility>

#include "models/cosim/benes_network/network_pins.hpp"

namespace reconverge {

struct NetworkTrafficShape {
  unsigned ports = 16;
  unsigned register_every = 0;
  unsigned data_bits = 8;  ///< 32 at most
};

/// `Partner`: as for NetworkPins. Inputs that do not matter in a clock are random, too.
template <typename Partner>
class NetworkTraffic {
 public:
  using Pins = NetworkPins<Partner>;

  NetworkTraffic(const NetworkTrafficShape& shape, std::uint32_t seed, std::unique_ptr<Partner> partner)
      : shape_(shape),
        random_(seed),
        pins_(NetworkPipeline(RecordPacking(BenesRouting(shape.ports)), shape.register_every), std::move(partner)) {}

  Pins& pins() { return pins_; }

  void cycle() {
    if (!waits_) draw();
    const NetworkOutputs outputs = pins_.clock(inputs_);
    waits_ = !outputs.ready;
    if (inputs_.valid && outputs.ready && inputs_.mode != NetworkMode::permute) {
      first_ = outputs.next_first;
      second_ = outputs.next_second;
    }
  }

 private:
  bool chance(unsigned of, unsigned all) { return random_() % all < of; }
  PortMask all() const { return routing().all_ports(); }
  const BenesRouting& routing() const { return pins_.model().packing().routing(); }
  unsigned stripe() { return static_cast<unsigned>(random_()) & routing().around(); }

  void draw() {
    inputs_.valid = !chance(1, 8);
    inputs_.mode = static_cast<NetworkMode>(random_() % 4);
    inputs_.group = {some_lanes() & all(), some_lanes() & all(), stripe(), stripe()};
    // Some stripes continue after the last group, and some are adjacent.
    if (chance(1, 4)) std::tie(inputs_.group.first, inputs_.group.second) = std::pair(first_, second_);
    if (chance(1, 2)) inputs_.group.second = (inputs_.group.first - 1) & routing().around();
    for (std::uint32_t& word : inputs_.data) word = static_cast<std::uint32_t>(random_()) & data_mask();
    for (std::uint32_t& stage : inputs_.crossed) stage = static_cast<std::uint32_t>(random_());
    if (inputs_.mode == NetworkMode::permute && chance(1, 2)) inputs_.crossed = random_route();
  }

  std::uint32_t data_mask() const { return ~std::uint32_t{0} >> (32 - shape_.data_bits); }

  PortMask some_lanes() {
    switch (random_() % 8) {
      case 0:
        return random_() & random_() & random_();
      case 1:
        return random_() | random_();
      case 2:
        return all();
      case 3:
        return all() >> stripe();
      case 4:
        return chance(1, 4) ? 0 : PortMask{1} << stripe();
      default:
        return random_();
    }
  }

  NetworkSettings random_route() {
    PortMap to{};
    for (unsigned port = 0; port < shape_.ports; ++port) {
      const unsigned other = static_cast<unsigned>(random_() % (port + 1));
      to[port] = to[other];
      to[other] = static_cast<std::uint8_t>(port);
    }
    return routing().route(std::span(to).first(shape_.ports));
  }

  NetworkTrafficShape shape_;
  std::mt19937_64 random_;
  Pins pins_;
  NetworkInputs inputs_;
  bool waits_ = false;
  unsigned first_ = 0;
  unsigned second_ = 0;
};

}  // namespace reconverge
