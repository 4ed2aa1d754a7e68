// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernels and the micro-kernels made from them, both run on the scalar interpreter.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/kernel/transform/microkernels.hpp"

namespace reconverge::kernel::tests {

/// A launch with the parameters (.u64 input, .u64 output, .u64 sums) of the random programs and of the corpus.
struct ThreeBuffers {
  std::string name;
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint64_t output_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t array_bytes = 0;  ///< of a thread, if local arrays are in global memory
};

/// What a run leaves in output and sums, followed by its printed text. Throws as the front end and the interpreter do.
std::vector<std::byte> memory_after(const ThreeBuffers& launch, std::string_view ptx);

/// Describes the first word that differs; empty if none does.
std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found);

}  // namespace reconverge::kernel::tests
