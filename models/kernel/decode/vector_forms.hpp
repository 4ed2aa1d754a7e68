// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Vectors that become several operations: mov.v2 and mov.v4, and the 256-bit ld.v8 and st.v8.

#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// The parts, if possible in an order in which none overwrites what a later one reads; empty if `syntax` is one
/// operation. Each keeps guard and place of the whole. Throws InputError, with `file`, for vectors that do not fit.
std::vector<SyntaxInstruction> split_vectors(const SyntaxInstruction& syntax, std::string_view file);

/// Whether one of the parts of a mov reads a register that an earlier part writes: the mov exchanges registers.
bool overwrites_sources(std::span<const SyntaxInstruction> parts);

}  // namespace reconverge::kernel
