// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The effect of an instruction on the threads of a warp, without timing: one function for each operation and type,
/// selected once when a program is loaded, called once for each issue.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/lane_mask.hpp"
#include "models/execution/device_memory.hpp"
#include "models/execution/memory_view.hpp"
#include "models/execution/operations/vector_units.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

inline constexpr std::size_t row_bytes = warp_size * sizeof(std::uint32_t);

/// The addresses that a memory instruction used, for the coalescer. Only lanes of `lanes` are meaningful.
struct MemoryAccess {
  alignas(64) std::array<DeviceAddress, warp_size> address{};
  LaneMask lanes = 0;
  std::uint32_t bytes = 0;                    ///< a lane, at each repeat
  std::uint32_t repeats = 1;                  ///< local memory: a wide access takes a row of words for each 4 bytes
  kernel::Space space = kernel::Space::none;  ///< never generic
  bool write = false;
};

/// A memory fetch of an extension instruction (ExtensionThread::fetch), for the scheme that times it. In the order of
/// the lanes, and of each lane's fetches.
struct MemoryFetch {
  DeviceAddress address = 0;  ///< as caches see it
  std::uint16_t bytes = 0;
  std::uint8_t lane = 0;
  std::uint8_t purpose = 0;  ///< a number that the instruction defines
  bool local = false;  ///< the thread's local memory, a row of words for each 4 bytes; `address` is that of the first
};

/// Receives the output of kernels, call by call.
using PrintSink = std::function<void(std::string_view)>;

/// The information of run-time errors in addition to the program. The code that runs the warp fills it.
struct ThreadPosition {
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
};

/// The thread of each lane, for machines without warps.
struct ThreadNames {
  std::array<std::uint32_t, warp_size> threads{};  ///< of the launch, block after block
  std::uint32_t block_threads = 1;
};

/// The architectural state that an operation may touch. Cheap to fill: pointers into what SM and launch own.
struct ExecutionContext {
  // The fields that every issue accesses are first, in one cache line. Rows of the banks reg, constant and special,
  // 64-byte aligned.
  /// Rows of the banks reg, constant and special, 64-byte aligned.
  std::array<std::byte*, 3> bank{};
  LaneMask* predicates = nullptr;
  std::uint64_t clock = 0;
  LaneMask active = all_lanes;     ///< lanes on the warp's path, before the guard
  LaneMask live = all_lanes;       ///< lanes whose thread has not ended, wherever they are
  DeviceMemory* memory = nullptr;  ///< `global` is the SM's view of it
  const std::byte* parameters = nullptr;
  MemoryView* global = nullptr;  ///< null: loads and stores access memory itself
  std::byte* shared = nullptr;   ///< of the block
  std::uint32_t shared_bytes = 0;
  std::uint32_t shared_begin = 0;   ///< the first byte of it that the kernel may access
  std::byte* local = nullptr;       ///< of the SM; SpecialRow::local_home is the start of a thread's part
  std::uint32_t local_bytes = 0;    ///< a thread
  DeviceAddress local_address = 0;  ///< address of the SM's local memory for caches
  std::byte* spawn = nullptr;       ///< of the SM, if a scheme has such memory
  std::uint32_t spawn_bytes = 0;
  const kernel::Program* program = nullptr;
  const Buffer* last_buffer = nullptr;          ///< buffer of the last global access: the next one is usually in it,
                                                ///< too
  const PrintSink* print = nullptr;             ///< of the launch; null or empty: output is discarded
  std::vector<MemoryFetch>* fetches = nullptr;  ///< where fetches of extension instructions are recorded; null: nowhere
  ThreadPosition position;
  const ThreadNames* names = nullptr;           ///< for errors, instead of `position`; null: the lanes are the warp's
  bool changed_memory = false;                  ///< set by operations that others can see: atomics that change memory,
                                                ///< and stores
  MemoryAccess access;                          ///< written by memory operations
  std::array<kernel::Pc, warp_size> targets{};  ///< target of each lane: written by brx, ret and calls by pointer

  /// Puts the following accesses in order with those of other SMs.
  void order_accesses() const {
    if (global != nullptr) global->order();
  }
};

/// The thread of a lane in the form for errors: `block 3, warp 1, lane 17`.
std::string thread_name(const ExecutionContext& context, unsigned lane);

/// Runs `instruction` for the lanes of `lanes`, which have passed the guard.
using Operation = void (*)(const kernel::Instruction& instruction, ExecutionContext& context, LaneMask lanes);

/// The function for an instruction. Instructions that only control the flow of a warp (bra, exit, barriers, extensions)
/// have none: nullptr. Throws InputError at the PTX line if the lanes cannot execute it.
Operation select_operation(const kernel::Program& program, const kernel::Instruction& instruction,
                           VectorUnits units = host_vector_units());

/// One entry for each instruction of the program.
std::vector<Operation> select_operations(const kernel::Program& program, VectorUnits units = host_vector_units());

/// Lanes of `active` that pass the guard.
inline LaneMask guarded_lanes(const kernel::Instruction& instruction, const ExecutionContext& context,
                              LaneMask active) {
  if (!instruction.guard.present()) return active;
  const LaneMask guard = context.predicates[instruction.guard.row()];
  return active & (instruction.guard_negated ? ~guard : guard);
}

}  // namespace reconverge
