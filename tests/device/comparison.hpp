// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs cases on a GPU and on the untimed machine, and reports where they differ.

#include <map>
#include <string>
#include <vector>

#include "testbenches/device/device.hpp"
#include "tests/device/device_cases.hpp"

namespace reconverge::tests {

struct Comparison {
  unsigned equal = 0;
  std::vector<std::string> failures;        ///< `name: what`, in the order of the cases
  std::map<std::string, unsigned> skipped;  ///< cases by reason

  /// `12 equal, 0 not; 3 left out (for sm_90 and later)`
  std::string summary() const;
};

/// Cases are left out, and counted by reason, if they or `device::depends_on_machine` say so, if they need a later GPU
/// than this one, or if they need a later PTX version than the driver supports. Ends early when a kernel does not end.
Comparison compare(device::Device& device, const std::vector<DeviceCase>& cases);

}  // namespace reconverge::tests
