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

/// Which unit refuses an instruction.
enum class Refusal : std::uint8_t {
  none,
  pipe,      ///< its pipe is busy
  collector  ///< no unit of the operand collector is free
};

/// Which other instructions of the same scheduler are refused until the same cycle.
enum class Refused : std::uint8_t {
  one,     ///< none
  memory,  ///< other instructions for the load/store unit
  all      ///< all others
};

/// A warp instruction that issues. Scheduler -> operand collector -> lanes or load/store.
struct IssueRequest {
  Warp* warp = nullptr;
  const DecodedInstruction* decoded = nullptr;
  LaneMask lanes = 0;           ///< lanes that passed the guard; none: the instruction takes its slot and does nothing
  std::uint32_t scheduler = 0;  ///< that sends it
  Cycle now = 0;
  bool queued = false;     ///< separate lanes: wait for the pipe, take only the lanes' share of it
  bool collected = false;  ///< filled by the operand collector: it waits there for its pipe
  bool special = false;    ///< filled by the operand collector: it waits there for the special pipe instead
  bool only_ask = false;   ///< operand collector -> load/store: asks whether it would be accepted, without effect
  Cycle operands = 0;      ///< filled by the operand collector: when they have been read
  // Filled by the target:
  Refusal refusal = Refusal::none;  ///< if any, nothing happened
  Refused refused = Refused::one;
  bool from_memory = false;  ///< the result waits for the memory system, not for a pipe
  Cycle retry = 0;           ///< when refused: the first cycle in which it may be accepted; `never`: the SM reports it
  Cycle start = 0;           ///< when accepted: when the pipe takes it
  Cycle closed = 0;          ///< when accepted: no other instruction is accepted before; `never`: the SM reports it
  Cycle result = 0;          ///< when accepted: the first cycle in which a reader can issue; `never`: reported later
};

/// Load/store unit, or scheme with asynchronous instructions -> SM: the result of an instruction whose latency was
/// unknown at issue can be read from `result` on.
struct WritebackRequest {
  std::uint32_t slot = 0;
  const Homes* homes = nullptr;  ///< of the threads, as they were at issue; null: none had moved
  kernel::Pc pc = kernel::no_pc;
  LaneMask lanes = 0;  ///< of the path that issued it, whether the guard let them through or not
  Cycle result = 0;
  Cycle now = 0;  ///< current cycle of the sender, if known; the SM raises it to a cycle that has not passed
};

/// Scheduler -> scoreboard, once for each issue: what was written when, and what the path would issue next.
struct ScoreboardRequest {
  std::uint32_t slot = 0;                      ///< warp slot
  const Homes* homes = nullptr;                ///< homes of its threads; null: no thread has moved
  LaneMask lanes = 0;                          ///< of the path that issued
  LaneMask next_lanes = 0;                     ///< of the path that would issue `next`
  const DecodedInstruction* issued = nullptr;  ///< null: nothing was issued
  const DecodedInstruction* next = nullptr;    ///< null: not asked for
  Cycle result = 0;                            ///< of what was issued
  bool from_memory = false;
  bool written_back = false;  ///< the result of what was `issued` earlier, which had not been known
  // Filled by the target:
  Cycle ready = 0;                ///< first cycle in which `next` can issue
  bool waits_for_memory = false;  ///< the last register that it waits for comes from memory
  bool waits_for_unit = false;    ///< and is written by an asynchronous instruction of a scheme, not by a load
};

/// Scheduler -> operand collector: a result whose time was unknown at issue comes at `result`.
struct ResultRequest {
  std::uint32_t slot = 0;  ///< warp slot
  const DecodedInstruction* decoded = nullptr;
  Cycle now = 0;
  Cycle result = 0;  ///< also filled: when it has been written
};

}  // namespace reconverge
