// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random kernels as trees of statements, which can be made smaller when one fails, and their PTX.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "models/execution/launch.hpp"

namespace reconverge::random_programs {

/// The threads of a block meet at barriers and exchange data. No field depends on the shape of the block: the text of a
/// meeting is made for the launch.
struct Meeting {
  enum class Form : std::uint8_t {
    pass_round,  ///< each writes its cell of shared memory, then reads another cell
    tally,       ///< all read the results of atomics in shared memory
    count,       ///< bar.red: how many vote yes, whether all do, whether any does
    all,
    any,
    hand_over,  ///< some warps write and only arrive, the others wait and read
    halves      ///< even and odd warps, each at a separate barrier
  };

  Form form = Form::pass_round;
  std::uint32_t from = 0;  ///< %r
  std::uint32_t to = 0;    ///< %r, or %p for the votes `all` and `any`
  std::uint32_t shift = 0;
  std::uint32_t barrier = 0;  ///< 0 to 13
};

struct Statement {
  enum class Kind : std::uint8_t {
    plain,       ///< `text`, some instructions that every thread executes
    exit,        ///< threads for which `predicate` holds end; `guarded`: by a guard instead of a branch
    choice,      ///< `arms[0]` where `predicate` holds, else `arms[1]`
    selection,   ///< `arms[i]` where the low bits of %r<selector> are i; falls through where `falls_through` says;
                 ///< with `predicate`, the other threads take the first
    loop,        ///< `arms[0]` while the counter is below the number of rounds in %n<number>
    tangle,      ///< arms that jump to each other, `trips` arms at most: `predicates[i]` to `targets[i]`, else the next
    leave,       ///< where `predicate` holds, jump to the end of the statement `target`, or out of the function
    next_round,  ///< where `predicate` holds, jump to the next round of the loop `target`
    call,        ///< `target` is the function; `indirect`: a function of the table, selected by data
    exchange,    ///< `text`, with MEMBERS for the mask; only written where the lanes are known to be together
    meeting      ///< only written where the block is known to be together
  };
  /// As the target of `leave`.
  static constexpr std::uint32_t function_end = std::numeric_limits<std::uint32_t>::max();

  Kind kind = Kind::plain;
  std::string text;
  std::string predicate;     ///< %p1 or !%p1; %v1 is one for the whole block; call and selection: may be empty
  std::uint32_t number = 0;  ///< of a statement with arms, a call, a meeting: used in its labels and counter
  std::uint32_t target = 0;
  std::uint32_t selector = 0;  ///< call: also of the arguments
  std::uint32_t trips = 1;     ///< loop: upper bound; the number for a thread comes from its data
  bool guarded = true;
  bool uniform = false;   ///< loop, selection, indirect call: by a value of the block instead of the thread
  bool table = false;     ///< selection: brx.idx instead of comparisons
  bool indirect = false;  ///< call
  bool whole = false;     ///< exchange: names no members, so it needs whole warps
  Meeting meeting;
  std::vector<bool> falls_through;
  std::vector<std::string> predicates;
  std::vector<std::uint32_t> targets;
  std::vector<std::vector<Statement>> arms;
};

/// A device function. All functions of a program have the same parameters.
struct Function {
  std::vector<Statement> body;
  bool exchanges = false;  ///< lanes of a warp call it together, and pass their membership mask
  bool meets = false;      ///< threads of the block call it together
};

/// How arguments and results are passed.
enum class Passing : std::uint8_t { word, wide, record, registers };

struct Program {
  std::uint64_t seed = 0;
  Dim3 grid;
  Dim3 block;
  std::uint32_t statements = 0;  ///< numbered ones
  std::vector<Statement> body;
  std::vector<Function> functions;
  Passing passing = Passing::word;
  std::uint32_t results = ~0U;          ///< which registers are stored at the end, as a bit mask
  bool dynamic = false;                 ///< `cells` are in the launch's dynamic shared memory
  std::uint32_t uniform_registers = 0;  ///< number of the eight %r that begin with words of the block, not the thread

  std::uint64_t threads() const { return grid.count() * block.count(); }
  std::uint32_t dynamic_shared_bytes() const { return dynamic ? static_cast<std::uint32_t>(4 * block.count()) : 0; }
};

/// Words of output for each thread: the first ones to work in, the rest for its registers at the end.
inline constexpr unsigned slice_words = 48;
inline constexpr unsigned work_words = 16;
/// Registers that are stored at the end; the bits of `Program::results`.
inline constexpr unsigned result_count = 21;

/// The program of a seed: always the same.
Program generate(std::uint64_t seed);

/// As PTX: entry `kernel`, parameters (.u64 input of 1024 words, .u64 output, .u64 sums of 256 words).
std::string text_of(const Program& program);

}  // namespace reconverge::random_programs
