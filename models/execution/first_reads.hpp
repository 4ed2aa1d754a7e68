// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Registers that a thread may read before it has written them: only these must be cleared when it begins.

#include <cstdint>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge {

class FirstReads {
 public:
  explicit FirstReads(const kernel::Program& program);

  /// Register rows that threads which begin at `pc` may read first. All rows if `pc` is within a basic block, and for a
  /// program with calls, whose functions are not analysed.
  std::span<const std::uint32_t> rows(kernel::Pc pc) const;

 private:
  const kernel::Program* program_;
  std::vector<std::uint32_t> all_;
  std::vector<std::vector<std::uint32_t>> rows_;  // by block; empty: all of each
};

}  // namespace reconverge
