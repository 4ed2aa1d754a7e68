#pragma once
/// Local arrays that hold only the arguments of printf. They are filled right before the call and only the call reads
/// them, so no spawn comes between, and each thread may keep them in its own local memory.

#include <set>
#include <vector>

#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

struct PrintBuffers {
  std::set<const VariableDeclaration*> variables;
  std::vector<bool> touched;  ///< by instruction: whether it names one of them, or an address in one
};

/// An array counts if all that is done with its address is sums with numbers, cvta, stores, and vprintf; and if the
/// basic block of each call stores, before it, all bytes up to the last that it stores and that any block stores.
PrintBuffers find_print_buffers(const WrittenKernel& kernel);

}  // namespace reconverge::kernel
