// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What led to a difference: what warps did last, and what the units are at.

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "models/cosim/dynamic_ray_shuffling/pin_values.hpp"

namespace reconverge {

class RayHistory {
 public:
  void add(std::uint64_t cycle, const PinInputs& inputs, const PinOutputs& expected);
  std::string text(std::optional<unsigned> unit) const;

 private:
  /// What a warp did.
  struct Event {
    std::uint64_t cycle;
    std::size_t warp;
    bool report;
    LaneMask lanes;  // of a report
    RayControl control;
  };
  /// What a unit is at.
  struct Swap {
    bool busy = false;
    std::uint64_t since = 0;
    std::size_t source = 0;
  };

  boost::circular_buffer<Event> events_{6};  // the last ones
  std::array<Swap, shuffle_units> swaps_;
};

}  // namespace reconverge
