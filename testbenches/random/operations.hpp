// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Generates the instructions between the branches of a random program.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Random numbers that are the same on every host (std distributions are not).
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }
  bool one_in(std::uint32_t odds) { return below(odds) == 0; }
  /// A predicate, or its inverse.
  std::string predicate();
  /// The same for a predicate on which the whole block agrees.
  std::string common_predicate();

 private:
  std::mt19937_64 engine_;
};

/// In a pattern, every $ and one letter becomes a register of that bank: r d f g h p; # a small number, ~ any number, @
/// an offset into the thread's words, aligned as the number after it says.
std::string filled(Chance& chance, std::string_view pattern);

/// The instruction as a line, sometimes under a guard.
std::string guarded(Chance& chance, const std::string& instruction);

/// One operation, or several that belong together, on the thread's registers.
std::string arithmetic_operation(Chance& chance);

/// The same on the thread's own memory, or a commuting atomic on shared words; `shared`: also in shared memory.
std::string memory_operation(Chance& chance, bool shared);

/// One of these two, or a comparison.
std::string operation(Chance& chance, bool shared);

/// A vote, shuffle, match or reduction with MEMBERS for the mask; `whole`: one that names no members.
std::string exchange(Chance& chance, bool whole);

/// The kinds of meetings of the block's threads.
Meeting meeting(Chance& chance);

/// The text of a meeting. `counted`: no thread ends early, so that barriers may specify a number of threads.
std::string text_of(const Statement& meeting, const Program& program, bool counted);

/// The words of `tally` in shared memory, as a line that fills them; each word has one atomic operation.
std::string tally_start();

}  // namespace reconverge::random_programs
