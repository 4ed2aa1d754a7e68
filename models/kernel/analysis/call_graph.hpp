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

/// The index of the function that `pc` is in.
std::uint32_t function_of(const Program& program, Pc pc);

}  // namespace reconverge::kernel
