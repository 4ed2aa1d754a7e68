#pragma once
/// Random kernels as trees of statements, so that a failing one can be made smaller, and their PTX.

#include <cstdint>
#include <string>
#include <vector>

#include "models/sm/launch.hpp"

namespace reconverge::random_programs {

struct Statement {
  enum class Kind : std::uint8_t {
    plain,      ///< `text`, some instructions that every thread gets through
    exit,       ///< threads for which `predicate` holds end; `guarded`: by a guard, not around a branch
    choice,     ///< `arms[0]` where `predicate` holds, else `arms[1]`
    selection,  ///< `arms[i]` where the low bits of %r<selector> are i; falls through where `falls_through` says
    loop,       ///< `arms[0]` while the counter is below the trips in %n<number>
    leave,      ///< where `predicate` holds, on to the end of the statement `target`
    next_round  ///< where `predicate` holds, on to the next round of the loop `target`
  };

  Kind kind = Kind::plain;
  std::string text;
  std::string predicate;     ///< %p1 or !%p1
  std::uint32_t number = 0;  ///< of a choice, selection or loop: names its labels and counter
  std::uint32_t target = 0;
  std::uint32_t selector = 0;
  std::uint32_t trips = 1;  ///< loop: at most; the number of a thread comes from its data
  bool guarded = true;
  std::vector<bool> falls_through;
  std::vector<std::vector<Statement>> arms;
};

struct Program {
  std::uint64_t seed = 0;
  Dim3 grid;
  Dim3 block;
  std::uint32_t statements = 0;  ///< numbered ones
  std::vector<Statement> body;

  std::uint64_t threads() const { return grid.count() * block.count(); }
};

/// Words of output that each thread owns: the first half to work in, the rest for what its registers hold at the end.
inline constexpr unsigned slice_words = 48;
inline constexpr unsigned work_words = 16;

/// The program of a seed: always the same.
Program generate(std::uint64_t seed);

/// As PTX: entry `kernel`, parameters (.u64 input of 1024 words, .u64 output, .u64 sums of 256 words).
std::string text_of(const Program& program);

}  // namespace reconverge::random_programs
