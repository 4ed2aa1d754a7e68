#pragma once
/// Where the threads of a program are known to be together, whatever the divergence scheme.

#include <set>
#include <string>
#include <vector>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Who is together at a place of the program.
struct Place {
  bool block = false;   ///< all threads of the block that have not ended get here as often
  std::string members;  ///< the lanes of the warp that get here, as an operand: a superset that has ended else; empty:
                        ///< nobody knows

  static constexpr const char* all = "0xffffffff";
  bool warp() const { return !members.empty(); }
  bool whole_warp() const { return members == all; }
};

/// Whether the block agrees on the predicate.
inline bool is_common(const std::string& predicate) { return predicate.find("%v") != std::string::npos; }

/// Whether some threads leave `statement` for elsewhere than what follows it, so that those that stay are not all.
bool parts_for_long(const Statement& statement);

/// Whether some threads leave for the end of `statement` from within it.
bool leaves_itself(const Statement& statement);

/// Whether a round of the loop begins with all threads that have not left the loop at its test.
bool meets_every_round(const Statement& loop);

/// Whether an exchange is in there, or a call of a function with one: someone has to keep count of the members.
bool wants_members(const std::vector<Statement>& statements, const Program& program);

/// Whether a thread may end before the last instruction of the kernel.
bool ends_early(const Program& program);

/// Functions that may be called from `body` and what it calls: by number.
std::set<std::uint32_t> called_from(const std::vector<Statement>& body, const Program& program);

/// Functions that pointers lead to: those that callers need not be together for.
std::vector<std::uint32_t> table_of(const Program& program);

}  // namespace reconverge::random_programs
