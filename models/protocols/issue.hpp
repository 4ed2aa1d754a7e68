#pragma once
/// What a scheduler says to operand collector, pipes, scoreboard and divergence scheme, and what comes back.

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

struct Warp;
struct DecodedInstruction;

/// Who holds an instruction back.
enum class Refusal : std::uint8_t {
  none,
  pipe,      ///< its pipe is busy
  collector  ///< no unit of the operand collector is free
};

/// A warp instruction on its way to a pipe. Scheduler -> operand collector -> lanes or load/store.
struct IssueRequest {
  Warp* warp = nullptr;
  const DecodedInstruction* decoded = nullptr;
  LaneMask lanes = 0;           ///< that passed the guard; none: the instruction takes its slot and does nothing
  std::uint32_t scheduler = 0;  ///< that sends it
  Cycle now = 0;
  bool queued = false;     ///< lanes on their own (MIMD): wait for the pipe, take only the lanes' share of it
  bool collected = false;  ///< filled by the operand collector: it waits there for its pipe
  bool only_ask = false;   ///< operand collector -> load/store: whether it would be accepted; nothing happens
  Cycle operands = 0;      ///< filled by the operand collector: when they have been read
  // Filled by the target:
  Refusal refusal = Refusal::none;  ///< if any, nothing happened
  bool from_memory = false;         ///< the result waits for the memory system, not for a pipe
  Cycle retry = 0;   ///< when refused: the first cycle in which it may be accepted; `never`: the SM says when
  Cycle start = 0;   ///< when accepted: when the pipe takes it
  Cycle result = 0;  ///< when accepted: the first cycle in which a reader can issue; `never`: said later
};

/// Load/store unit -> SM: the result of an instruction that had none yet at issue can be read from `result` on.
struct WritebackRequest {
  Warp* warp = nullptr;
  kernel::Pc pc = kernel::no_pc;
  LaneMask lanes = 0;  ///< of the path that issued it, whether the guard let them through or not
  Cycle result = 0;
  Cycle now = 0;  ///< filled by the SM
};

/// Scheduler -> scoreboard, once for each issue: what was written when, and what the warp would issue next.
struct ScoreboardRequest {
  std::uint32_t slot = 0;                      ///< warp slot
  const DecodedInstruction* issued = nullptr;  ///< null: nothing was issued
  const DecodedInstruction* next = nullptr;
  Cycle result = 0;  ///< of what was issued
  bool from_memory = false;
  bool all = false;           ///< the warp waits for all of its results, not for those that `next` needs
  bool written_back = false;  ///< the result of what was `issued` earlier, which had not been known
  // Filled by the target:
  Cycle ready = 0;                ///< first cycle in which `next` can issue
  bool waits_for_memory = false;  ///< of the registers that it waits for, the last comes from memory
};

/// Scheduler -> operand collector: a result that had no time at issue comes at `result`.
struct ResultRequest {
  std::uint32_t slot = 0;  ///< warp slot
  const DecodedInstruction* decoded = nullptr;
  Cycle now = 0;
  Cycle result = 0;  ///< also filled: when it has been written
};

/// What happened to a warp that its divergence scheme has to decide on.
enum class DivergenceEvent : std::uint8_t {
  start,       ///< `lanes` begin at `pc`; other lanes of the warp are as they were
  branch,      ///< `lanes` of the path take the branch (Warp::target_of says where), the others fall through
  call,        ///< `lanes` of the path call functions, the others fall through
  leave,       ///< `lanes` of the path return from theirs, the others fall through
  reconverge,  ///< the path came to its reconvergence point
  exit,        ///< `lanes` of the path end, the others go on
  wait,        ///< `lanes` wait at a barrier behind the instruction
  // Only for schemes whose warps wait for one another (see ThreadBlockCompaction):
  whole_warp,  ///< the next instruction is for all threads of the warp that are on this path together
  arrive,      ///< the warp, which stopped at a meeting point (Warp::at_meeting), has all its results
  // Only for schemes whose lanes are independent (see Mimd), to which calls and returns are branches:
  select,   ///< choose a path among those of `lanes` that can issue now, or none
  advance,  ///< all lanes of the path go on to the next instruction
  release,  ///< `lanes`, which wait, go on
  answer    ///< the result that `lanes` have of the instruction at `pc`, not known at issue, is there at `result`
};

/// Scheduler -> divergence scheme. The scheme rewrites the warp's current path.
struct DivergenceRequest {
  DivergenceEvent event = DivergenceEvent::start;
  Warp* warp = nullptr;
  LaneMask lanes = 0;
  kernel::Pc pc = 0;  ///< of the instruction; `start`: where to begin
  const kernel::Instruction* instruction = nullptr;
  Cycle now = 0;
  Cycle result = 0;  ///< of the instruction, as in IssueRequest
  bool from_memory = false;
  // Filled by the target on `select` when it chooses no path, and on `answer`:
  Cycle ready = 0;  ///< first cycle in which a lane can issue; `answer`: one that could not before
  bool waits_for_memory = false;
};

/// Divergence scheme -> SM: a warp that stopped at a meeting point, or had no path to run, goes on or stands.
struct ResumeRequest {
  Warp* warp = nullptr;
  Cycle now = 0;
  Cycle cycle = never;  ///< its first issue at the earliest; `never`: it stands until the next of these
};

}  // namespace reconverge
