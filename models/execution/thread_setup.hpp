// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Initialises registers, identity and memory of threads before their first instruction.

#include <span>
#include <vector>

#include "models/execution/launch.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"

namespace reconverge {

/// The private state of a warp.
struct WarpState {
  std::span<const std::byte> registers;
  std::span<const LaneMask> predicates;
  std::span<const std::byte> states;
  std::span<const std::byte> local_homes;  ///< where the local memory of each thread begins
};
WarpState state_of(const Warp& warp);
/// Copies the local memory of the warp's threads, at any location, to `words`: a row of lanes for each word.
void copy_local(const Warp& warp, std::vector<std::uint32_t>& words);

class ThreadSetup {
 public:
  /// `registers`: rows of the register file. `local_address`: address of this SM's local memory as caches see it.
  struct Place {
    std::byte* registers = nullptr;
    std::uint32_t sm = 0;
    std::uint32_t sms = 1;
    DeviceAddress local_address = 0;
  };

  /// The numbers of warps and blocks that have state at the same time.
  struct Slots {
    std::size_t warps = 0;
    std::size_t blocks = 0;
  };

  /// Lays out the state of the slots for a launch.
  void begin(const Launch& launch, const ProgramImage& image, DeviceMemory& device, const Place& place,
             const Slots& slots);
  /// Sets the view of device memory of all threads from now on; nullptr: memory itself.
  void set_view(MemoryView* view) { view_ = view; }

  /// Points the warp's context at the state of its slot.
  void attach(Warp& warp);
  /// Makes lane `lane` of the warp thread `thread` of block `block` (linear indices): registers zero, identity set.
  void set_thread(Warp& warp, unsigned lane, std::uint64_t block, std::uint32_t thread) {
    set_threads(warp, lane, 1, block, thread);
  }
  /// The same for `count` lanes from `lane` on, and as many threads from `thread` on.
  void set_threads(Warp& warp, unsigned lane, unsigned count, std::uint64_t block, std::uint32_t thread);
  /// The same for all lanes of a warp without threads, which will begin at `pc` and belong to no block: `identity` in
  /// %extension_0.
  void set_own_threads(Warp& warp, kernel::Pc pc, const std::array<std::uint32_t, warp_size>& identity);
  /// Sets the memory of a scheme (kernel::Space::spawn), for all threads from now on.
  void set_spawn_memory(std::span<std::byte> bytes) { spawn_ = bytes; }
  /// Sets where all threads record the fetches of their extension instructions from now on; null: nowhere.
  void set_fetches(std::vector<MemoryFetch>* fetches) { fetches_ = fetches; }
  /// Clears the shared memory of a block slot.
  void clear_shared(std::uint32_t block_slot);

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };

  /// Sets the rows that belong to a lane and do not move with threads.
  void set_slot(std::size_t slot);
  /// The start of the words of a lane's local memory.
  std::uint32_t local_home(const Warp& warp, unsigned lane) const {
    return warp.slot * warp_size * local_bytes_ + lane * 4;
  }

  const Launch* launch_ = nullptr;
  const ProgramImage* image_ = nullptr;
  DeviceMemory* device_ = nullptr;
  MemoryView* view_ = nullptr;
  Place place_;
  std::uint32_t shared_bytes_ = 0;
  std::uint32_t local_bytes_ = 0;
  std::uint32_t initial_state_ = 0;
  std::span<const std::uint32_t> grid_reads_;  // rows that threads of blocks read first
  std::vector<Row> special_;
  std::vector<bool> of_blocks_;  // slots where threads of blocks have left their indices
  std::vector<LaneMask> predicates_;
  std::vector<std::byte> shared_;
  std::vector<std::byte> local_;
  std::span<std::byte> spawn_;
  std::vector<MemoryFetch>* fetches_ = nullptr;
};

}  // namespace reconverge
