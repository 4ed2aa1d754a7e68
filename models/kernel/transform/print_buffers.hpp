// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds local arrays that hold only the arguments of printf. They are filled directly before the call, and only the
/// call reads them. No spawn is in between, so each thread may keep them in its local memory.

#include <set>
#include <vector>

#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

struct PrintBuffers {
  std::set<const VariableDeclaration*> variables;
  std::vector<bool> touched;  ///< by instruction: whether it names one of them, or an address in one
};

/// An array qualifies if its address is used only in sums with numbers, cvta, stores, and vprintf, and if, before each
/// call, the call's basic block stores all bytes up to the last one that it stores and that any block stores.
PrintBuffers find_print_buffers(const WrittenKernel& kernel);

}  // namespace reconverge::kernel
