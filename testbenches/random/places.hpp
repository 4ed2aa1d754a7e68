// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds where the threads of a program are known to be together, under any divergence scheme.

#include <set>
#include <string>
#include <vector>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Which threads are together at a place of the program.
struct Place {
  bool block = false;   ///< all threads of the block that have not ended get here equally often
  std::string members;  ///< lanes of the warp that get here, as an operand, and maybe ended ones; empty: unknown

  static constexpr const char* all = "0xffffffff";
  bool warp() const { return !members.empty(); }
  bool whole_warp() const { return members == all; }
};

/// Whether the block agrees on the predicate.
inline bool is_common(const std::string& predicate) { return predicate.find("%v") != std::string::npos; }

/// Whether some threads leave `statement` for a place other than its end, so that not all threads reach its end.
bool parts_for_long(const Statement& statement);

/// Whether some threads leave for the end of `statement` from within it.
bool leaves_itself(const Statement& statement);

/// Whether a round of the loop begins with all threads that have not left the loop at its test.
bool meets_every_round(const Statement& loop);

/// Whether it contains an exchange, or a call of a function with one: the members must then be tracked.
bool wants_members(const std::vector<Statement>& statements, const Program& program);

/// Whether a thread may end before the last instruction of the kernel.
bool ends_early(const Program& program);

/// The functions that `body` may call, directly or indirectly: by number.
std::set<std::uint32_t> called_from(const std::vector<Statement>& body, const Program& program);

/// Functions that pointers lead to, whose callers need not be together.
std::vector<std::uint32_t> table_of(const Program& program);

}  // namespace reconverge::random_programs
