// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Special registers without a row or a separate operation: constants of this machine, and aliases.

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// The operand that a mov reads instead of the special register `operand`: a constant, or an equal special register.
/// Each block is a separate cluster; reserved shared memory has a fixed address; environment and performance-monitor
/// registers are zero. Empty for other names.
std::optional<SyntaxOperand> special_register_alias(const SyntaxOperand& operand);

/// Whether `name` is a special register that contains an address of the reserved shared memory.
bool names_reserved_shared(std::string_view name);

/// The number of the first target that has the special register `name`: 80 for sm_80; 0: all targets have it.
unsigned first_target_of(std::string_view name);

/// The number of a `.target`: 90 for sm_90a; 0 if it has none.
unsigned target_number(std::string_view target);

/// Shared memory of each block that the system reserves on GPUs of `target`: the first 1024 bytes since sm_80 (CUDA C++
/// Programming Guide, "Shared Memory" of compute capability 8.x), otherwise none.
std::uint32_t reserved_shared_bytes(std::string_view target);

}  // namespace reconverge::kernel
