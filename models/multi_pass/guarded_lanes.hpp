#pragma once
/// The lanes of a tiled SIMD machine: one kernel over all threads, tile by tile, under guards (Lashari 2008, section
/// 1). A guard passes where the thread's program counter is the kernel's, and not stale (Fig. 1d). Where none of a tile
/// passes, its work is not done; otherwise all its lanes issue all instructions, and those that did not pass write
/// nothing.
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
    bool timestamps = true;   ///< guards compare them
    bool skip_ended = true;   ///< tiles without threads that go on are not looked at
  };
  GuardedLanes(sc_core::sc_module_name name, const Shape& shape);

  ControlTargetSocket<GuardedPass> requests;

  /// A launch begins. All arguments must outlive it. Throws InputError where local memory of all its threads is more
  /// than a launch may have.
  void begin(const Launch& launch, const ProgramImage& image, const kernel::Partition& partition, DeviceMemory& memory);

  const StateArrays& state() const { return state_; }
  /// Threads that have gone from one kernel on to another in this launch.
  std::uint64_t moved(std::uint32_t from, std::uint32_t to) const {
    return moved_[from * partition_->kernels.size() + to];
  }

 private:
  /// How a kernel loads and stores: where it does both, buffers are watched.
  struct KernelUse {
    bool loads = false;
    bool stores = false;
    std::vector<kernel::SpecialRow> specials;  ///< that it asks for
  };

  void b_transport(GuardedPass& pass, sc_core::sc_time& delay) override;
  /// Guards of a tile, or of the tiles of 32 threads where these are smaller.
  void look(GuardedPass& pass, std::uint64_t first_group);
  void add_traffic(GuardedPass& pass) const;
  void run(GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  void load(const GuardedPass& pass, std::uint64_t group);
  void store(const GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  /// Each lane's next program counter, to the other array.
  void go_on(const GuardedPass& pass, std::uint64_t group, LaneMask lanes);
  void refuse_arrays(const GuardedPass& pass) const;

  LaneMask guards_of(const GuardedPass& pass, std::uint64_t group) const;
  /// All lanes of the tiles that have some of these.
  LaneMask whole_tiles(LaneMask lanes) const;
  std::uint64_t count_tiles(LaneMask whole) const { return count_lanes(whole) / part_; }
  /// Which of the two arrays the kernel reads or writes.
  unsigned read_buffer(const GuardedPass& pass, const kernel::ArrayUse& use) const;
  unsigned written_buffer(const GuardedPass& pass, const kernel::ArrayUse& use) const;
  void remember_specials();
  KernelUse use_of(const kernel::PassKernel& kernel, const Launch& launch) const;
  std::string place_of(const GuardedPass& pass) const;

  Shape shape_;
  unsigned part_;       // of a tile, within 32 threads
  std::uint64_t step_;  // groups of 32 threads that share a tile
  RegionLanes region_;
  StateArrays state_;
  BufferHazards hazards_;
  const kernel::Partition* partition_ = nullptr;
  const kernel::PassKernel* kernel_ = nullptr;
  DeviceMemory* memory_ = nullptr;
  std::vector<KernelUse> uses_;                       // by kernel
  std::vector<std::vector<std::uint32_t>> specials_;  // by row, for each thread; empty: no kernel asks
  std::vector<LaneMask> guards_;                      // by group
  std::vector<std::uint64_t> moved_;
  LaneWords next_{};
};

}  // namespace reconverge
