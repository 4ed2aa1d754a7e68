// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs kernels and their micro-kernels on the scalar interpreter.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/kernel/transform/microkernels.hpp"

namespace reconverge::kernel::tests {

/// A launch with the parameters (.u64 input, .u64 output, .u64 sums), as in the random programs and the corpus.
struct ThreeBuffers {
  std::string name;
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint64_t output_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t array_bytes = 0;  ///< for each thread, if local arrays are in global memory
};

/// The contents of output and sums after a run, followed by its printed text. Throws the errors of the front end and of
/// the interpreter.
std::vector<std::byte> memory_after(const ThreeBuffers& launch, std::string_view ptx);

/// Describes the first word that differs; empty if no word differs.
std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found);

}  // namespace reconverge::kernel::tests
