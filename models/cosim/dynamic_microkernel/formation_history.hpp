// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The events before a difference: the spawns, and the warps that left, in the last cycles with any.

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "models/cosim/dynamic_microkernel/formation_values.hpp"

namespace reconverge {

class FormationHistory {
 public:
  void add(std::uint64_t cycle, const FormationInputs& inputs, const FormationOutputs& expected);
  std::string text(std::optional<unsigned> lane) const;

 private:
  boost::circular_buffer<std::string> events_{6};
};

}  // namespace reconverge
