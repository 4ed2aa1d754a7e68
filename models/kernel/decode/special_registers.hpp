// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Special registers without a row or a separate operation: constants of this machine, and aliases.

#include <cstdint>
#include <optional>
#include <string_view>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// What a mov reads in place of the special register `operand`: a constant, or the special register that it equals.
/// Each block is a separate cluster; reserved shared memory has one place; environment and performance-monitor
/// registers hold zeros. Nothing if the name is none of these.
std::optional<SyntaxOperand> special_register_alias(const SyntaxOperand& operand);

/// Whether `name` is a special register with the place of the reserved shared memory.
bool names_reserved_shared(std::string_view name);

/// The number of the first target that has the special register `name`: 80 for sm_80; 0: all targets have it.
unsigned first_target_of(std::string_view name);

/// The number of a `.target`: 90 of sm_90a; 0 where it has none.
unsigned target_number(std::string_view target);

/// Shared memory of each block that the system reserves on GPUs of `target`: the first 1024 bytes since sm_80 (CUDA C++
/// Programming Guide, "Shared Memory" of compute capability 8.x), otherwise none.
std::uint32_t reserved_shared_bytes(std::string_view target);

}  // namespace reconverge::kernel
