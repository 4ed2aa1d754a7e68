// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Every plain kernel of the tree as a launch for a real GPU, and which parts of its memory must be equal.
///
/// Plain: standard PTX whose result PTX defines. The following are left out or given defined results: registers that
/// depend on where and when a thread runs (`device::depends_on_machine`), payloads of NaNs, integer division by zero,
/// approximations (which have a tolerance instead), and textures, which the host binds. No case stores an address.

#include <functional>
#include <string>
#include <vector>

#include "testbenches/device/job.hpp"

namespace reconverge::tests {

/// Describes the first difference between buffers.
std::string exact_difference(const device::Buffers& expected, const device::Buffers& found);

struct DeviceCase {
  device::Job job;
  /// The text is for the latest GPU that any case of its kind needs; an earlier GPU may accept or reject it.
  bool for_any_target = false;
  /// Describes the error in the buffers found; empty if there is none.
  std::function<std::string(const device::Buffers& expected, const device::Buffers& found)> difference =
      exact_difference;
  /// Why a GPU need not agree, or must not; empty if it must agree.
  std::string departure = {};
  /// What a machine must have; empty if any machine can run it.
  std::string scheme = {};
};

/// platforms/kernels, each with data that makes it diverge.
std::vector<DeviceCase> kernel_cases();
/// Kernels that fetch textures, which a GPU's host would bind.
std::vector<DeviceCase> texture_cases();
/// Kernels with extension instructions, for machines with their scheme.
std::vector<DeviceCase> extension_cases();
/// testbenches/corpus: the stored output of nvcc, and the current output of clang (none if clang 14 is not installed).
std::vector<DeviceCase> nvcc_cases();
std::vector<DeviceCase> clang_cases();
/// The contract suite.
std::vector<DeviceCase> contract_cases();
/// Every form of every instruction that the lanes accept, on edge cases.
std::vector<DeviceCase> operation_cases();
/// Random programs, with undefined results removed.
std::vector<DeviceCase> random_cases(std::uint64_t first_seed, std::uint64_t count);

}  // namespace reconverge::tests
