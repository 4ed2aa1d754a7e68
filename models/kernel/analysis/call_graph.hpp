// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The call graph of a program, and the local memory that calls need.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// By index into Program::functions.
struct CallGraph {
  std::vector<std::vector<std::uint32_t>> callees;  ///< called by name, each once, in ascending order
  std::vector<bool> by_pointer;                     ///< whether the function calls through pointers
  /// Local memory of a call with all nested calls; none if their depth is unbounded, because the function or one of its
  /// callees calls itself or calls through a pointer.
  std::vector<std::optional<std::uint64_t>> stack_bytes;
};

/// Reads only `functions`, `instructions` and the targets of calls.
CallGraph call_graph(const Program& program);

/// Throws InputError if functions call themselves and a stack of `bytes` a thread, in addition to Program::local_bytes,
/// is too small for every call of a function within another call of it. Calls through pointers are not considered.
void check_stack(const Program& program, std::uint64_t bytes);

/// The index of the function that contains `pc`.
std::uint32_t function_of(const Program& program, Pc pc);

}  // namespace reconverge::kernel
