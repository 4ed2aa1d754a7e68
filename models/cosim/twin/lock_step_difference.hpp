// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How a lock step of RTL and model ends, when it does not end well.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.hpp"
#include "models/cosim/twin/port.hpp"

namespace reconverge {

/// An assertion of the RTL failed; standard output has its name.
class RtlAssertion : public ExecutionError {
 public:
  using ExecutionError::ExecutionError;
};

/// Model and RTL differ, or an assertion of the RTL failed. `what()` names cycle, port and both values, and what led
/// there.
class LockStepDifference : public ExecutionError {
 public:
  LockStepDifference(const std::string& message, std::string waveform)
      : ExecutionError(message), waveform_(std::move(waveform)) {}

  /// VCD: all signals of the RTL in the cycles before, and in that of the difference.
  const std::string& waveform() const { return waveform_; }

 private:
  std::string waveform_;
};

namespace twin {

/// "read_row_o of unit 1 is 0x3 in the model and 0x4 in RTL". `part`: what the block's parts that are alike are called.
std::string text_of(const PortDifference& difference, std::string_view part);
/// That, or another `message`, behind the names of the block and of the cycle.
std::string placed(std::string_view block, std::uint64_t cycle, std::string_view message);

}  // namespace twin

}  // namespace reconverge
