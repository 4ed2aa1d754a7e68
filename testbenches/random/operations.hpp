#pragma once
/// The instructions between the branches of a random program.

#include <cstdint>
#include <random>
#include <string>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Draws that are the same on every host (std distributions are not).
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}

  std::uint32_t below(std::uint64_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }
  bool one_in(std::uint32_t odds) { return below(odds) == 0; }
  /// A predicate, or its inverse.
  std::string predicate();

 private:
  std::mt19937_64 engine_;
};

/// One operation on the thread's registers and its own memory, or a commuting atomic on `sums`; at times under a guard.
std::string operation(Chance& chance);

/// All threads of the block meet: they exchange values through shared memory, between barriers.
std::string meeting(Chance& chance, const Program& program);

}  // namespace reconverge::random_programs
