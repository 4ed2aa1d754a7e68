#pragma once
/// Every plain kernel of the tree as a launch for a real GPU, and what of its memory must be equal.
///
/// Plain: standard PTX whose result PTX defines. Left out, or made definite, are: registers that say where and when a
/// thread runs (`device::depends_on_machine`), payloads of NaNs, integer division by zero, approximations (which have a
/// tolerance instead), and textures, which the host binds. No case stores an address.

#include <functional>
#include <string>
#include <vector>

#include "testbenches/device/job.hpp"

namespace reconverge::tests {

/// Where buffers differ first, in words.
std::string exact_difference(const device::Buffers& expected, const device::Buffers& found);

struct DeviceCase {
  device::Job job;
  /// The text is for the latest GPU that any of its kind needs: an earlier one may take it, or refuse it.
  bool for_any_target = false;
  /// What is wrong with the buffers found; empty: nothing.
  std::function<std::string(const device::Buffers& expected, const device::Buffers& found)> difference =
      exact_difference;
  /// What a machine must have; empty: any runs it.
  std::string scheme = {};
};

/// testbenches/kernels, each with data that makes it diverge.
std::vector<DeviceCase> kernel_cases();
/// Those that fetch textures, which a GPU's host would bind.
std::vector<DeviceCase> texture_cases();
/// Those with instructions that PTX does not have, for machines with their scheme.
std::vector<DeviceCase> extension_cases();
/// testbenches/corpus: what nvcc made of it, and what clang makes of it now (none where there is no clang 14).
std::vector<DeviceCase> nvcc_cases();
std::vector<DeviceCase> clang_cases();
/// The contract suite.
std::vector<DeviceCase> contract_cases();
/// Every form of every instruction that the lanes take, on values at the edges.
std::vector<DeviceCase> operation_cases();
/// Random programs, made definite.
std::vector<DeviceCase> random_cases(std::uint64_t first_seed, std::uint64_t count);

}  // namespace reconverge::tests
