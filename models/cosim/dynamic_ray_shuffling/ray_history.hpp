// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The events before a difference: the last actions of warps, and the current swap.

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "models/cosim/dynamic_ray_shuffling/pin_values.hpp"

namespace reconverge {

class RayHistory {
 public:
  void add(std::uint64_t cycle, const PinInputs& inputs, const PinOutputs& expected);
  std::string text(std::optional<unsigned> part) const;

 private:
  /// An action of a warp, or the answer to one.
  struct Event {
    enum class Kind : std::uint8_t { control, answer, report };
    std::uint64_t cycle;
    Kind kind;
    std::size_t warp;
    LaneMask lanes;     // of a report
    RayControl answer;  // to an rdctrl
  };
  static std::string text_of(const Event& event);

  boost::circular_buffer<Event> events_{8};  // the last ones
  std::size_t asked_ = 0;                    // warp of the last rdctrl
  // The swap at the pins.
  bool swaps_ = false;
  std::uint64_t since_ = 0;
  std::size_t source_ = 0;
};

}  // namespace reconverge
