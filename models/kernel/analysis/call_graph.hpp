#pragma once
/// Which functions of a program call which, and how much local memory that takes.

#include <cstdint>
#include <optional>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// By index into Program::functions.
struct CallGraph {
  std::vector<std::vector<std::uint32_t>> callees;  ///< called by name, each once, in ascending order
  std::vector<bool> by_pointer;                     ///< whether the function calls what pointers hold
  /// Local memory of a call with all calls below it; none where they have no deepest: the function calls itself or
  /// through a pointer, or what it calls does.
  std::vector<std::optional<std::uint64_t>> stack_bytes;
};

/// `functions`, `instructions` and the targets of calls are all that is read.
CallGraph call_graph(const Program& program);

/// Throws InputError where a stack of `bytes` a thread, beyond Program::local_bytes, is too small for every call of a
/// function within another call of it, though functions call themselves. Calls through pointers are not looked at.
void check_stack(const Program& program, std::uint64_t bytes);

/// The index of the function that `pc` is in.
std::uint32_t function_of(const Program& program, Pc pc);

}  // namespace reconverge::kernel
