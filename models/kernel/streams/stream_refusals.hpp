// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Rejects instructions that a machine without warps does not support, because its threads cannot communicate.

#include <string_view>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The name of the machine in messages, and its optional features.
struct RefusalWords {
  std::string_view machine;  ///< "a stream processor"
  bool atomics = false;
  std::string_view atomics_parameter;  ///< parameter that enables atomics
};

/// Throws InputError at the PTX line of barriers, atomics, exchanges between lanes, shared memory, calls, a heap, and
/// instructions of schemes other than forks.
void refuse_company(const Program& program, const RefusalWords& words);

}  // namespace reconverge::kernel
