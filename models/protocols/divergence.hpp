// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The messages between an SM and a divergence scheme. All are values: a scheme identifies warps by their slots and
/// never sees the SM's state. models/protocols/scheme.hpp has the module that a scheme derives from.

#include <array>
#include <span>

#include "models/core/cycle.hpp"
#include "models/core/lane_mask.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// An event of a warp that is reported to its scheme, or that its scheme decides on. `start` and `exit` are also sent
/// to additional schemes that begin threads (SchemeTraits); these receive `exit` after the threads have ended.
enum class SchemeEvent : std::uint8_t {
  start,    ///< `lanes` begin at path.pc; other lanes of the warp are unchanged
  branch,   ///< `lanes` of the path take the branch, the others fall through
  call,     ///< `lanes` of the path call functions, the others fall through
  leave,    ///< `lanes` of the path return, the others fall through; `targets` for independent threads only
  exit,     ///< `lanes` of the path end, the others continue
  stop,     ///< the path reached its stop
  wait,     ///< `lanes` wait at a block barrier after the instruction; for independent threads, reported before the SM
            ///< handles the barrier
  release,  ///< `lanes`, which waited at the barrier, continue
  ask,      ///< may the next instruction issue? It is one for all threads of the warp, or an extension instruction of
            ///< the scheme
  issued,   ///< an extension instruction of the scheme issued
  stall,    ///< the path cannot issue before `ready`
  load,     ///< an operation of variable latency (kernel::has_variable_latency), at `pc`, issued for `lanes`
  result,   ///< a result of `lanes` for the instruction at `pc` can be read from `result` on
  // Only with SchemeTraits::lanes_alone, where calls and returns are branches:
  select,  ///< choose a path among those of `lanes` that can issue now, or none
  advance  ///< `lanes` of the path continue at the next instruction
};

/// The warp's action after an event.
enum class SchemeAnswer : std::uint8_t {
  keep,  ///< the path is unchanged, as without the event
  run,   ///< it runs the path in the request
  wait,  ///< it waits until `until`, or until the scheme resumes it; slots are charged to `cause`
  done   ///< it has no more paths
};

/// From a scheduler or the SM to a scheme.
struct SchemeRequest {
  SchemeEvent event = SchemeEvent::start;
  std::uint32_t slot = 0;                            ///< warp slot
  LaneMask lanes = 0;                                ///< lanes that the event concerns
  Path path;                                         ///< the warp's; the scheme rewrites it and answers `run`
  kernel::Pc pc = kernel::no_pc;                     ///< of the instruction
  const kernel::Instruction* instruction = nullptr;  ///< of the program; null if there is none
  Targets targets;                                   ///< of branches, calls and returns
  LaneMask live = 0;                                 ///< threads of the slot that have not ended; `start`: before it
  Cycle now = 0;
  /// When the result of the instruction can be read, or a branch is done; `never`: reported later. For an asynchronous
  /// extension instruction that issued: when its operands have been read.
  Cycle result = 0;
  bool from_memory = false;      ///< the result, or the value that a stalled path waits for, comes from memory
  ThreadPosition position;       ///< of the warp in the grid, if it has one
  std::uint32_t block_slot = 0;  ///< only for `start`: slot of the thread block, or Warp::no_block
  bool stands = false;           ///< `result`: the warp is stopped, so `run` is a possible answer; `load`: so are `run`
                                 ///< and `wait`
  const Homes* homes = nullptr;  ///< only for `issued`: homes of the threads, for the WritebackRequest; null: no thread
                                 ///< has moved
  // Only for `stall`:
  Cycle ready = 0;             ///< first cycle in which the path can issue; `never`: unknown
  std::uint32_t stalled = 0;   ///< warps of the scheduler that cannot issue now, including this one
  std::uint32_t resident = 0;  ///< warps of the scheduler that have a path
  // Filled by the scheme:
  SchemeAnswer answer = SchemeAnswer::keep;
  Cycle from = 0;       ///< `run`, for a stall, load, result or ask: first cycle in which the path can issue
  Cycle until = never;  ///< `wait`: first cycle in which it continues or retries; `select`: in which a lane can issue
  std::uint8_t cause = 0;  ///< `wait`: one of the stall causes in the scheme's block file, `<Block>Cause`
};

/// From a scheme to the SM: a warp continues on the given path, or stops.
struct ResumeRequest {
  std::uint32_t slot = 0;
  Path path;
  Cycle now = 0;
  Cycle cycle = never;     ///< its earliest issue; `never`: it is stopped until the next ResumeRequest
  std::uint8_t cause = 0;  ///< the cause that slots are charged to while it is stopped
  Cycle until = never;     ///< while it is stopped: the earliest cycle in which it continues without a ResumeRequest
};

/// From a scheme to the SM: the warps that wait for `cause` without a known end retry in `cycle`.
struct RetryRequest {
  std::uint8_t cause = 0;
  Cycle cycle = 0;  ///< a cycle that has not run yet
};

/// From a scheme to the SM: the scheme needs a tick at the end of `cycle`. Used for information that arrives while the
/// SM may sleep.
struct TickRequest {
  Cycle cycle = 0;
};

/// From the SM to a scheme: a warp slot and its registers are free. The scheme may begin threads there.
struct StartRequest {
  std::uint32_t slot = 0;
  Cycle now = 0;
  bool others_wait = false;  ///< threads of the grid could use the slot
  // Filled by the scheme:
  Path path;                                      ///< its lanes begin at its pc; no lanes: no thread begins
  std::array<std::uint32_t, warp_size> identity;  ///< of each thread, in %extension_0

  StartRequest() = default;
};

/// From a scheme to the SM: threads move between warps, each within its lane, with their complete state. Warp slots[t]
/// gets the threads in lanes[t * slots.size() + f] of warp slots[f].
struct MoveRequest {
  std::span<const std::uint32_t> slots;
  std::span<const LaneMask> lanes;
};

/// From a scheme to the SM: reads or writes a row of a warp's registers, without timing. BankRequest models the timing.
struct RowRequest {
  std::uint32_t slot = 0;
  kernel::Bank bank = kernel::Bank::reg;  ///< reg or special
  std::uint16_t row = 0;
  LaneMask write = 0;  ///< lanes that are written; none: the row is read
  alignas(64) std::array<std::uint32_t, warp_size> words;

  RowRequest() = default;
};

/// From a scheme to the SM: which lanes participate in the exchange at `pc` (vote, shuffle, warp barrier).
struct ExchangeRequest {
  std::uint32_t slot = 0;
  kernel::Pc pc = 0;
  LaneMask lanes = 0;  ///< lanes at the exchange
  // Filled by the SM:
  LaneMask passing = 0;                     ///< lanes that pass its guard
  std::array<LaneMask, warp_size> members;  ///< member mask of each of these lanes

  ExchangeRequest() = default;
};

/// From a scheme to a scoreboard that tracks each thread: when lanes can issue the instruction at `pc`.
struct ReadinessRequest {
  std::uint32_t slot = 0;
  kernel::Pc pc = 0;
  LaneMask lanes = 0;
  // Filled by the scoreboard, by lane:
  std::array<Cycle, warp_size> ready;  ///< when its registers are ready
  LaneMask from_memory = 0;            ///< lanes for which the last of these registers comes from memory

  ReadinessRequest() = default;
};

/// From the load/store unit to a scheme's memory (kernel::Space::spawn): how accesses are served in the launch that
/// begins. The memory fills all fields.
struct SpaceRequest {
  bool conflicts = true;     ///< on chip: its words are in the banks of shared memory; otherwise an access takes one
                             ///< cycle
  DeviceAddress device = 0;  ///< start of the space in device memory; 0: on chip
};

/// From the load/store unit to a scheme that moves rays: the addresses at which caches find an access of a warp to
/// stacks of rays (Launch::ray_stacks). The contents of memory and their addresses do not change.
struct StackRequest {
  std::uint32_t slot = 0;
  DeviceAddress local_address = 0;  ///< where caches find the local memory of the SM
  MemoryAccess access;              ///< to global memory; the target may replace addresses and space

  StackRequest() = default;
};

/// From a scheme to the operand collector: access to a register row in the current cycle.
struct BankRequest {
  std::uint32_t slot = 0;  ///< warp slot of the register
  std::uint16_t row = 0;   ///< number of the register
  Cycle now = 0;
  bool granted = false;  ///< filled by the target; false: the bank is in use
};

}  // namespace reconverge
