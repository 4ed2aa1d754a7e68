#pragma once
/// Control traffic inside an SM: what the scheduler sends to pipes, scoreboard and divergence unit. Each is a payload
/// of its own over ordinary TLM-2.0 sockets (b_transport; time is annotated in cycles in the payload), so that a block
/// can be replaced at its socket.

#include <tlm>

#include "models/core/cycle.hpp"
#include "models/core/lanes.hpp"
#include "models/kernel/program.hpp"
#include "models/sm/lanes/operation.hpp"

namespace reconverge {

struct Warp;
struct RegisterRows;

/// A warp instruction on its way to a pipe. Scheduler -> lanes or load/store.
struct IssueRequest {
  Warp* warp = nullptr;
  const kernel::Instruction* instruction = nullptr;
  Operation operation = nullptr;
  LaneMask lanes = 0;  ///< that passed the guard; none: the instruction takes its slot and does nothing
  Cycle now = 0;
  Cycle operands = 0;      ///< when they have been read
  bool collected = false;  ///< waits for its pipe in an operand collector
  bool only_ask = false;   ///< whether it would be accepted: nothing happens
  bool queued = false;     ///< lanes on their own (MIMD): wait for the pipe, take only the lanes' share of it
  // Filled by the target:
  bool accepted = false;     ///< false: the pipe is busy, and nothing happened
  Cycle retry = 0;           ///< when not accepted: the first cycle in which it may be; `never`: the SM says when
  Cycle start = 0;           ///< when accepted: when the pipe takes it
  Cycle result = 0;          ///< when accepted: the first cycle in which a reader can issue; `never`: said later
  bool from_memory = false;  ///< the result waits for the memory system, not for a pipe
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
  std::uint32_t slot = 0;             ///< warp slot
  LaneMask lanes = all_lanes;         ///< whose registers count; matters only to a scoreboard that tracks lanes
  kernel::Pc issued = kernel::no_pc;  ///< no_pc: nothing was issued
  Cycle result = 0;
  bool from_memory = false;
  bool written_back = false;  ///< the result of what was `issued` earlier, which had not been known
  kernel::Pc next = kernel::no_pc;
  // Filled by the target:
  Cycle ready = 0;                ///< first cycle in which `next` can issue
  bool waits_for_memory = false;  ///< of the registers that it waits for, the last comes from memory
};

/// What a scheduler says to its operand collector of an instruction.
enum class OperandPhase : std::uint8_t {
  read,   ///< it issues: is there a unit for it, and when has it its operands?
  leave,  ///< its pipe takes it at `start`; when is the result written, which comes at `result`?
  write   ///< its result, which had no time before, comes at `result`: when is that written?
};

/// Scheduler -> operand collector.
struct OperandRequest {
  OperandPhase phase = OperandPhase::read;
  std::uint32_t slot = 0;              ///< warp slot
  const RegisterRows* rows = nullptr;  ///< that the instruction reads and writes
  Cycle now = 0;
  Cycle start = 0;
  Cycle result = 0;  ///< also filled: when it has been written; `never` stays
  // Filled by the target on `read`:
  bool accepted = false;
  Cycle operands = 0;  ///< when accepted: the cycle in which they have been read
  Cycle retry = 0;     ///< when not: the first cycle in which a unit is free
};

/// What happened to a warp that its divergence scheme has to decide on.
enum class DivergenceEvent : std::uint8_t {
  start,       ///< `lanes` begin at `pc`; other lanes of the warp are as they were
  branch,      ///< `lanes` of the path take the branch (Warp::target_of says where), the others fall through
  call,        ///< `lanes` of the path call functions, the others fall through
  leave,       ///< `lanes` of the path return from theirs, the others fall through
  reconverge,  ///< the path came to its reconvergence point
  exit,        ///< `lanes` of the path end, the others go on
  // Only for schemes whose lanes are independent (see Mimd), to which calls and returns are branches:
  select,   ///< choose a path among those of `lanes` that can issue now, or none
  advance,  ///< all lanes of the path go on to the next instruction
  wait,     ///< `lanes` wait at a barrier behind the instruction
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

/// Protocol traits for TLM sockets that carry `Payload`.
template <typename Payload>
struct ControlProtocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

}  // namespace reconverge
