// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A Benes network (Popa 2004, section 4.1.1): its stages, its cost, and a route for any permutation. Plain data, no
/// SystemC.

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace reconverge {

inline constexpr unsigned most_network_ports = 64;
inline constexpr unsigned most_network_stages = 11;

/// A set of ports or lanes, a bit for each.
using PortMask = std::uint64_t;
/// A port for each lane.
using PortMap = std::array<std::uint8_t, most_network_ports>;
/// For each stage, a bit for each switch: 1 if it crosses. Switch w of a stage of distance d joins port p =
/// w / d * 2d + w % d with port p + d.
using NetworkSettings = std::array<std::uint32_t, most_network_stages>;

/// Two butterflies that share their middle stage: switches join ports at distances N/2, N/4, ..., 1, then 2, ..., N/2.
class BenesRouting {
 public:
  /// `ports`: a power of two, 2 to 64. Throws InputError.
  explicit BenesRouting(std::uint64_t ports);

  unsigned ports() const { return ports_; }
  /// log2 N.
  unsigned levels() const { return levels_; }
  PortMask all_ports() const { return ports_ == most_network_ports ? ~PortMask{0} : (PortMask{1} << ports_) - 1; }
  /// Mask for port numbers, to count modulo the ports.
  unsigned around() const { return ports_ - 1; }

  /// 2 log2 N - 1.
  unsigned stages() const { return 2 * levels_ - 1; }
  /// 2 N log2 N - N: multiplexers of two records, two a switch.
  unsigned multiplexers() const { return 2 * ports_ * levels_ - ports_; }
  /// Clocks from a record at its lane to the record at its port, with a register before each `register_every` stages;
  /// 0: no registers and no clocks.
  unsigned latency(unsigned register_every) const {
    return register_every == 0 ? 0 : (stages() + register_every - 1) / register_every;
  }

  /// The bit in which the numbers of two ports that meet in a switch differ.
  unsigned bit_of(unsigned stage) const { return stage < levels_ ? levels_ - 1 - stage : stage + 1 - levels_; }
  unsigned distance(unsigned stage) const { return 1U << bit_of(stage); }
  /// The stage, the middle one or after it, that joins ports that differ in this bit.
  unsigned stage_behind(unsigned bit) const { return levels_ - 1 + bit; }

  /// Settings that route port i to port `to[i]`, by the looping algorithm. Throws InputError if `to` is not a
  /// permutation of the ports.
  NetworkSettings route(std::span<const std::uint8_t> to) const;
  /// The settings for the reverse direction, which undo these.
  NetworkSettings reversed(const NetworkSettings& settings) const;

  /// Moves values through the switches, stage by stage: `values[port]` for each port.
  template <typename Values>
  void apply(const NetworkSettings& settings, Values& values) const {
    for (unsigned stage = 0; stage < stages(); ++stage) {
      const unsigned step = distance(stage);
      for (std::uint32_t crossed = settings[stage]; crossed != 0; crossed &= crossed - 1) {
        const unsigned port = port_of(static_cast<unsigned>(std::countr_zero(crossed)), step);
        std::swap(values[port], values[port + step]);
      }
    }
  }

  /// The lower port of a switch, and the switch of a lower port.
  static unsigned port_of(unsigned number, unsigned distance) {
    return number / distance * 2 * distance + number % distance;
  }
  static unsigned switch_of(unsigned port, unsigned distance) {
    return port / (2 * distance) * distance + port % distance;
  }

 private:
  unsigned ports_;
  unsigned levels_;
};

}  // namespace reconverge
