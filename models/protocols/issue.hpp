// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages between a scheduler and operand collector, pipes and scoreboard.

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/execution/warp.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

struct DecodedInstruction;

/// The unit that refuses an instruction.
enum class Refusal : std::uint8_t {
  none,
  pipe,      ///< its pipe is busy
  collector  ///< no unit of the operand collector is free
};

/// The other instructions of the same scheduler that are refused until the same cycle.
enum class Refused : std::uint8_t {
  one,     ///< none
  memory,  ///< other instructions for the load/store unit
  all      ///< all other instructions
};

/// A warp instruction that issues: from the scheduler to the operand collector to the lanes or the load/store unit. Of
/// at most 80 bytes, which GCC clears with five stores; for more it uses an instruction that is slow to start.
struct IssueRequest {
  Warp* warp = nullptr;
  const DecodedInstruction* decoded = nullptr;
  LaneMask lanes = 0;           ///< lanes that passed the guard; none: the instruction uses its slot without effect
  std::uint32_t scheduler = 0;  ///< number of the sending scheduler
  Cycle now = 0;
  Cycle operands = 0;      ///< filled by the operand collector: when they have been read
  bool queued = false;     ///< separate lanes: wait for the pipe, take only the lanes' share of it
  bool collected = false;  ///< filled by the operand collector: it waits there for its pipe
  bool special = false;    ///< filled by the operand collector: it waits there for the special pipe instead
  bool only_ask = false;   ///< operand collector to load/store unit: tests whether it would be accepted
  // Filled by the target:
  Refusal refusal = Refusal::none;  ///< if not none, the instruction had no effect
  Refused refused = Refused::one;
  bool from_memory = false;  ///< the result waits for the memory system, not for a pipe
  bool written = false;      ///< when accepted: the load/store unit has written the result to the registers
  Cycle retry = 0;           ///< when refused: the first cycle in which it may be accepted; `never`: the SM reports it
  Cycle start = 0;           ///< when accepted: when the pipe takes it
  Cycle closed = 0;          ///< when accepted: no other instruction is accepted before; `never`: the SM reports it
  Cycle result = 0;          ///< when accepted: the first cycle in which a reader can issue; `never`: reported later
};
static_assert(sizeof(IssueRequest) <= 80);

/// From the load/store unit, or a scheme with asynchronous instructions, to the SM: the result of an instruction whose
/// latency was unknown at issue can be read from `result` on.
struct WritebackRequest {
  std::uint32_t slot = 0;
  const Homes* homes = nullptr;  ///< of the threads, as they were at issue; null: none had moved
  kernel::Pc pc = kernel::no_pc;
  LaneMask lanes = 0;  ///< lanes of the path that issued it, regardless of the guard
  Cycle result = 0;
  Cycle now = 0;         ///< current cycle of the sender, if known; the SM raises it to a cycle that has not passed
  bool written = false;  ///< the sender has written the result to the registers
};

/// From the scheduler to the scoreboard, once for each issue: the issued instruction with the time of its result, and
/// the next instruction of the path.
struct ScoreboardRequest {
  std::uint32_t slot = 0;                      ///< warp slot
  const Homes* homes = nullptr;                ///< homes of its threads; null: no thread has moved
  LaneMask lanes = 0;                          ///< of the path that issued
  LaneMask next_lanes = 0;                     ///< of the path that would issue `next`
  const DecodedInstruction* issued = nullptr;  ///< null: no instruction was issued
  const DecodedInstruction* next = nullptr;    ///< null: not requested
  Cycle result = 0;                            ///< of the issued instruction
  bool from_memory = false;
  bool written_back = false;  ///< reports the result of an instruction that was issued earlier with unknown latency
  // Filled by the target:
  Cycle ready = 0;                ///< first cycle in which `next` can issue
  bool waits_for_memory = false;  ///< the last register that it waits for comes from memory
  bool waits_for_unit = false;    ///< an asynchronous instruction of a scheme, not a load, writes this register
};

/// From the scheduler to the operand collector: a result whose time was unknown at issue arrives at `result`.
/// From the load/store unit to the operand collector, with `line`: a line of a texture fetch has arrived. Either all
/// rows of the result are written in this step of cycle `result`, or none.
struct ResultRequest {
  std::uint32_t slot = 0;  ///< warp slot
  const DecodedInstruction* decoded = nullptr;
  Cycle now = 0;
  Cycle result = 0;  ///< also filled, without `line`: when it has been written
  bool line = false;
  unsigned step = 0;     ///< with `line`: of the cycle
  bool written = false;  ///< filled, with `line`
};

}  // namespace reconverge
