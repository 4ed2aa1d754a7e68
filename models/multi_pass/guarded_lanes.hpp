// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The lanes of a tiled SIMD machine: one kernel over all threads, tile by tile, under guards (Lashari 2008, section
/// 1). A guard passes if the thread's program counter is the kernel's and is not stale (Fig. 1d). A tile in which no
/// guard passes is aborted; otherwise all its lanes issue all instructions, and lanes whose guard failed write nothing.
///
///     requests <- passes

#include "models/multi_pass/buffer_hazards.hpp"
#include "models/multi_pass/state_arrays.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class GuardedLanes final : public sc_core::sc_module, private ControlTarget<GuardedPass> {
 public:
  struct Shape {
    std::uint64_t lanes = 8;  ///< of a processor, a power of two of at most 32
    std::uint64_t tile = 32;  ///< threads, a power of two
    bool timestamps = true;   ///< guards compare timestamps
    bool skip_ended = true;   ///< do not test tiles whose threads have all ended
  };
  GuardedLanes(sc_core::sc_module_name name, const Shape& shape);

  ControlTargetSocket<GuardedPass> requests;

  /// Begins a launch. All arguments must outlive it. Throws InputError if its threads together need more local memory
  /// than a launch may have.
  void begin(const Launch& launch, const ProgramImage& image, const kernel::Partition& partition, DeviceMemory& memory);

  const StateArrays& state() const { return state_; }
  /// Threads that moved from kernel `from` to kernel `to` in this launch.
  std::uint64_t moved(std::uint32_t from, std::uint32_t to) const {
    return moved_[from * partition_->kernels.size() + to];
  }

 private:
  /// The memory accesses of a kernel: buffer hazards are tracked if it both loads and stores.
  struct KernelUse {
    bool loads = false;
    bool stores = false;
    std::vector<kernel::SpecialRow> specials;  ///< special registers that it reads
  };

  void b_transport(GuardedPass& pass, sc_core::sc_time& delay) override;
  /// Evaluates the guards of a tile, or of all tiles in a group of 32 threads if tiles are smaller.
  void look(GuardedPass& pass, std::uint64_t first_group);
  void add_traffic(GuardedPass& pass) const;
  void run(GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  void load(const GuardedPass& pass, std::uint64_t group);
  void store(const GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  /// Writes each lane's next program counter to the other array.
  void go_on(const GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  void refuse_arrays(const GuardedPass& pass) const;

  LaneMask guards_of(const GuardedPass& pass, std::uint64_t group) const;
  /// All lanes of the tiles that contain any of `lanes`.
  LaneMask whole_tiles(LaneMask lanes) const;
  std::uint64_t count_tiles(LaneMask whole) const { return count_lanes(whole) / part_; }
  /// The index of the array, of the two, that the kernel reads or writes.
  unsigned read_buffer(const GuardedPass& pass, const kernel::ArrayUse& use) const;
  unsigned written_buffer(const GuardedPass& pass, const kernel::ArrayUse& use) const;
  void remember_specials();
  KernelUse use_of(const kernel::PassKernel& kernel, const Launch& launch) const;
  std::string place_of(const GuardedPass& pass) const;

  Shape shape_;
  unsigned part_;       // threads of a tile within a group of 32
  std::uint64_t step_;  // groups of 32 threads that share a tile
  RegionLanes region_;
  StateArrays state_;
  BufferHazards hazards_;
  const kernel::Partition* partition_ = nullptr;
  const kernel::PassKernel* kernel_ = nullptr;
  DeviceMemory* memory_ = nullptr;
  std::vector<KernelUse> uses_;                       // by kernel
  std::vector<std::vector<std::uint32_t>> specials_;  // by row, for each thread; empty if no kernel reads it
  std::vector<LaneMask> guards_;                      // by group
  std::vector<std::uint64_t> moved_;
  LaneWords next_{};
};

}  // namespace reconverge
