// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel launch.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "models/execution/block_selection.hpp"
#include "models/execution/device_memory.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// Enough for some dozens of recursive calls; CUDA gives 1024 bytes, but saves fewer registers.
inline constexpr std::uint32_t default_stack_bytes = 4096;

/// Memory for the stacks of rays that move from thread to thread: a stack for each place that a ray can occupy. The
/// stacks of 32 places are interleaved, entry by entry.
struct RayStacks {
  DeviceAddress begin = 0;        ///< of the first 32 stacks
  std::uint64_t bytes = 0;        ///< of all stacks; 0: the launch has none
  std::uint64_t place_bytes = 0;  ///< of one stack
};

struct Launch {
  const kernel::Program* program = nullptr;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> parameters;  ///< laid out as Program::parameters says
  /// Local memory per thread, in addition to Program::local_bytes, if functions call themselves or are called by
  /// pointer.
  std::uint32_t stack_bytes = default_stack_bytes;

  /// All blocks are resident at the same time, and may wait for each other, as with cudaLaunchCooperativeKernel.
  bool cooperative = false;
  /// For a cooperative launch that runs: two zeroed words, the second for the grid barrier. Kernels find its address in
  /// %envreg1 (upper half) and %envreg2, like cooperative_groups::this_grid(). 0: there is none.
  DeviceAddress grid_workspace = 0;

  /// Gets the output of the kernel while it runs; empty: it is discarded.
  PrintSink print{};

  /// The blocks of the grid that run. Only for machines whose traits allow it, and for the functional machine.
  BlockSelection selection{};

  /// For schemes that move rays, which may time accesses to these stacks in another way.
  RayStacks ray_stacks{};

  /// The number of blocks that run.
  std::uint64_t blocks() const { return selection.count(grid.count()); }

  std::uint32_t local_bytes() const { return program->local_bytes + (program->deep_stack ? stack_bytes : 0); }

  std::uint32_t threads_per_block() const { return static_cast<std::uint32_t>(block.count()); }
  std::uint32_t warps_per_block() const { return (threads_per_block() + 31) / 32; }
};

/// One argument: a device address or a scalar, as raw bytes.
class Argument {
 public:
  /// Implicit, so that a list of arguments reads as plain values.
  template <typename T>
  requires std::is_trivially_copyable_v<T> Argument(T value)  // NOLINT(google-explicit-constructor)
      : bytes_(sizeof(T)) {
    std::memcpy(bytes_.data(), &value, sizeof(T));
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Lays out arguments as the program expects them. Throws InputError naming kernel and parameter if their number or a
/// size is wrong.
std::vector<std::byte> pack_arguments(const kernel::Program& program, std::span<const Argument> arguments);

/// Creates a launch and checks its shape: no empty dimension, at most 1024 threads a block, and the limits of
/// `.reqntid` and `.maxntid` of the kernel. The platform checks its own limits. Throws InputError.
Launch make_launch(const kernel::Program& program, Dim3 grid, Dim3 block, std::span<const Argument> arguments,
                   std::uint32_t dynamic_shared_bytes = 0);
/// The same with arguments that have already been laid out.
Launch make_packed_launch(const kernel::Program& program, Dim3 grid, Dim3 block, std::vector<std::byte> parameters,
                          std::uint32_t dynamic_shared_bytes = 0);

/// Throws InputError if a cooperative launch has more blocks than `most`, the number that the machine holds at a time;
/// 0: it holds no blocks.
void check_cooperative(const Launch& launch, std::uint64_t most);

/// A cooperative launch as it is run, with its workspace in `memory`.
Launch with_grid_workspace(const Launch& launch, DeviceMemory& memory);

}  // namespace reconverge
