#pragma once
/// What an SM and a divergence scheme say to each other. All of it is values: a scheme knows warps by their slots and
/// never sees what the SM keeps of them. models/protocols/scheme.hpp has the module that a scheme derives from.

#include <array>
#include <span>

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// What happened to a warp that its scheme has to know of, or to decide on. `start` and `exit` go to schemes beside it,
/// too, that begin threads (SchemeTraits); these hear of an exit when the threads have ended.
enum class SchemeEvent : std::uint8_t {
  start,   ///< `lanes` begin at path.pc; other lanes of the warp are as they were
  branch,  ///< `lanes` of the path take the branch, the others fall through
  call,    ///< `lanes` of the path call functions, the others fall through
  leave,   ///< `lanes` of the path return from theirs, the others fall through; `targets` for independent threads only
  exit,    ///< `lanes` of the path end, the others go on
  stop,    ///< the path came to its stop
  wait,  ///< `lanes` wait at a barrier of the block behind the instruction; told before, where threads are independent
  release,  ///< `lanes`, which waited there, go on
  ask,      ///< may the next instruction issue: one for all threads of the warp, or an extension of the scheme's own
  issued,   ///< an extension instruction of the scheme's own issued
  stall,    ///< the path cannot issue before `ready`
  load,     ///< an operation of varying time (kernel::has_variable_latency), at `pc`, issued for `lanes`
  result,   ///< a result that `lanes` have of the instruction at `pc` can be read from `result` on
  // Only where lanes are alone (SchemeTraits), to which calls and returns are branches:
  select,  ///< choose a path among those of `lanes` that can issue now, or none
  advance  ///< `lanes` of the path go on to the next instruction
};

/// What the warp does then.
enum class SchemeAnswer : std::uint8_t {
  keep,  ///< as if nothing had been asked: the path of the request stays as it is
  run,   ///< it runs the path in the request
  wait,  ///< nothing until `until`, or until the scheme resumes it; the slots are lost to `cause`
  done   ///< it has no path any more
};

/// Scheduler, SM -> scheme.
struct SchemeRequest {
  SchemeEvent event = SchemeEvent::start;
  std::uint32_t slot = 0;                            ///< warp slot
  LaneMask lanes = 0;                                ///< that the event is about
  Path path;                                         ///< the warp's; the scheme rewrites it and answers `run`
  kernel::Pc pc = kernel::no_pc;                     ///< of the instruction
  const kernel::Instruction* instruction = nullptr;  ///< of the program; null where there is none
  Targets targets;                                   ///< of branches, calls and returns
  LaneMask live = 0;                                 ///< threads of the slot that have not ended; `start`: before it
  Cycle now = 0;
  /// Of the instruction: when it can be read, and a branch is done; `never`: said later. Of an asynchronous extension
  /// that issued: when its operands have been read.
  Cycle result = 0;
  bool from_memory = false;      ///< the result, or what a stalled path waits for, comes from memory
  ThreadPosition position;       ///< of the warp in the grid, as far as it has one
  std::uint32_t block_slot = 0;  ///< `start` alone: of the thread block, or Warp::no_block
  bool stands = false;           ///< `result`: the warp stands, so `run` is an answer; `load`: so are `run` and `wait`
  const Homes* homes = nullptr;  ///< `issued` alone: of the threads, for the WritebackRequest; null: none have moved
  // `stall` alone:
  Cycle ready = 0;             ///< first cycle in which the path can issue; `never`: not known
  std::uint32_t stalled = 0;   ///< warps of the scheduler that cannot issue now, this one included
  std::uint32_t resident = 0;  ///< warps of the scheduler that have a path
  // Filled by the scheme:
  SchemeAnswer answer = SchemeAnswer::keep;
  Cycle from = 0;       ///< `run`, for a stall, load, result or ask: the path issues nothing before
  Cycle until = never;  ///< `wait`: first cycle in which it goes on, or asks again; `select`: in which a lane can issue
  std::uint8_t cause = 0;  ///< `wait`: of the stall causes in the scheme's block file, `<Block>Cause`
};

/// Scheme -> SM: a warp goes on, with the path that it has from now on, or stands.
struct ResumeRequest {
  std::uint32_t slot = 0;
  Path path;
  Cycle now = 0;
  Cycle cycle = never;     ///< its first issue at the earliest; `never`: it stands until the next of these
  std::uint8_t cause = 0;  ///< what slots are lost to while it stands
  Cycle until = never;     ///< while it stands: when it goes on by itself, at the earliest
};

/// Scheme -> SM: the warps that wait for `cause` without an end are asked again in `cycle`.
struct RetryRequest {
  std::uint8_t cause = 0;
  Cycle cycle = 0;  ///< not run yet
};

/// Scheme -> SM: the end of `cycle` is one that the scheme has to see. For what it learns while the SM may sleep.
struct TickRequest {
  Cycle cycle = 0;
};

/// SM -> scheme: a warp slot and its registers are free. The scheme may begin threads of its own there.
struct StartRequest {
  std::uint32_t slot = 0;
  Cycle now = 0;
  bool others_wait = false;  ///< threads of the grid could have the slot
  // Filled by the scheme:
  Path path;                                      ///< its lanes begin at its pc; none: nobody begins
  std::array<std::uint32_t, warp_size> identity;  ///< of each thread, in %extension_0

  StartRequest() = default;
};

/// Scheme -> SM: threads change warps, each in its lane, with all that they are. Warp slots[t] gets the threads in
/// lanes[t * slots.size() + f] of warp slots[f].
struct MoveRequest {
  std::span<const std::uint32_t> slots;
  std::span<const LaneMask> lanes;
};

/// Scheme -> SM: a row of a warp's registers is read or written, in no time. BankRequest asks for the time.
struct RowRequest {
  std::uint32_t slot = 0;
  kernel::Bank bank = kernel::Bank::reg;  ///< reg or special
  std::uint16_t row = 0;
  LaneMask write = 0;  ///< lanes that are written; none: the row is read
  alignas(64) std::array<std::uint32_t, warp_size> words;

  RowRequest() = default;
};

/// Scheme -> SM: which lanes the exchange at `pc` (vote, shuffle, warp barrier) is for.
struct ExchangeRequest {
  std::uint32_t slot = 0;
  kernel::Pc pc = 0;
  LaneMask lanes = 0;  ///< that stand there
  // Filled by the SM:
  LaneMask passing = 0;                     ///< those that its guard lets through
  std::array<LaneMask, warp_size> members;  ///< whom each of these names

  ExchangeRequest() = default;
};

/// Scheme -> scoreboard (of one that tracks each thread): when lanes can issue the instruction at `pc`.
struct ReadinessRequest {
  std::uint32_t slot = 0;
  kernel::Pc pc = 0;
  LaneMask lanes = 0;
  // Filled by the scoreboard, by lane:
  std::array<Cycle, warp_size> ready;  ///< when its registers are there
  LaneMask from_memory = 0;            ///< lanes for which the last of them comes from memory

  ReadinessRequest() = default;
};

/// Load/store unit -> memory of a scheme (kernel::Space::spawn): how its accesses are served in the launch that begins.
/// All is filled by the memory.
struct SpaceRequest {
  bool conflicts = true;     ///< on chip: its words lie in the banks of shared memory; otherwise it takes one cycle
  DeviceAddress device = 0;  ///< where the space begins in device memory; 0: on chip
};

/// Scheme -> operand collector: a register row, in this very cycle.
struct BankRequest {
  std::uint32_t slot = 0;  ///< warp slot whose registers they are
  std::uint16_t row = 0;   ///< number of the register
  Cycle now = 0;
  bool granted = false;  ///< filled by the target; otherwise its bank serves somebody else
};

}  // namespace reconverge
