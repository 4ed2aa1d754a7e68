// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Errors that end a lock step of RTL and model.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.hpp"
#include "models/cosim/twin/port.hpp"

namespace reconverge {

/// An assertion of the RTL failed. Its name is on standard output.
class RtlAssertion : public ExecutionError {
 public:
  using ExecutionError::ExecutionError;
};

/// Model and RTL differ, or an assertion of the RTL failed. `what()` names cycle, port, both values and the preceding
/// events.
class LockStepDifference : public ExecutionError {
 public:
  LockStepDifference(const std::string& message, std::string waveform)
      : ExecutionError(message), waveform_(std::move(waveform)) {}

  /// VCD of all signals of the RTL in the cycle of the difference and the cycles before it.
  const std::string& waveform() const { return waveform_; }

 private:
  std::string waveform_;
};

namespace twin {

/// "read_row_o of unit 1 is 0x3 in the model and 0x4 in RTL". `part`: the name of the block's identical parts.
std::string text_of(const PortDifference& difference, std::string_view part);
/// `message`, such as a text_of(), prefixed with the block and the cycle.
std::string placed(std::string_view block, std::uint64_t cycle, std::string_view message);

}  // namespace twin

}  // namespace reconverge
