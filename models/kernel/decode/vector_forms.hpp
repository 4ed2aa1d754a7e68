// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Vector instructions that become several operations: mov.v2 and mov.v4, and the 256-bit ld.v8 and st.v8.

#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// The parts of `syntax`; empty if it is a single operation. If possible, the order is such that no part overwrites a
/// register that a later part reads. Each part has the guard and the position of the whole. Throws InputError, with
/// `file`, for vectors that do not fit.
std::vector<SyntaxInstruction> split_vectors(const SyntaxInstruction& syntax, std::string_view file);

/// Whether one of the parts of a mov reads a register that an earlier part writes: the mov exchanges registers.
bool overwrites_sources(std::span<const SyntaxInstruction> parts);

}  // namespace reconverge::kernel
