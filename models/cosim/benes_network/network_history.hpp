// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The events before a difference: the last requests.

#include <boost/circular_buffer.hpp>
#include <optional>
#include <string>

#include "models/cosim/benes_network/network_values.hpp"

namespace reconverge {

class NetworkHistory {
 public:
  void add(std::uint64_t clock, const NetworkInputs& inputs, const NetworkOutputs& expected);
  std::string text(std::optional<unsigned> port) const;

 private:
  boost::circular_buffer<std::string> events_{6};  // the last one first
};

}  // namespace reconverge
