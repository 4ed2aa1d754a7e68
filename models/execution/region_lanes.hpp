// SPDX-License-Identifier: Apache-2.0
#pragma once
/// 32 lanes of a machine without branches. They execute a region of a kernel instruction by instruction; lanes that are
/// not on a path are inactive on it. The caller provides the inputs of a region and reads its outputs.

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "models/core/lane_mask.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/program_image.hpp"
#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge {

/// A word for each lane.
using LaneWords = std::array<std::uint32_t, warp_size>;

class RegionLanes {
 public:
  /// Instructions of lanes, and the sectors of 32 bytes that loads and stores moved for each group of `lanes` lanes.
  struct Counts {
    std::uint64_t lane_instructions = 0;
    std::uint64_t memory_bytes = 0;
  };

  /// The code to run.
  struct Code {
    std::span<const kernel::BasicBlock> blocks;
    std::span<const kernel::Instruction> uniform_code;  ///< runs once, before all regions
    std::uint32_t rows = 0;                             ///< registers, including those of uniform_code
  };

  /// `lanes`: number of lanes that access memory together, a power of two of at most 32.
  explicit RegionLanes(unsigned lanes) : lanes_(lanes) {}

  /// A launch begins. All arguments must outlive it. Throws InputError if the local memory of all its threads exceeds
  /// the limit of a launch.
  void begin(const Launch& launch, const ProgramImage& image, const Code& code, DeviceMemory& memory);

  std::uint32_t* row(unsigned number) { return registers_[number].words.data(); }
  LaneMask& predicate(unsigned number) { return predicates_[number]; }
  std::uint32_t* special(kernel::SpecialRow row) { return special_[static_cast<std::size_t>(row)].words.data(); }
  /// The threads on the lanes, for messages.
  std::uint32_t* threads() { return names_.threads.data(); }
  /// The value of a thread's special register, by the thread's number in the launch.
  std::uint32_t special_of(std::uint32_t thread, kernel::SpecialRow row) const;

  void set_uniforms(std::span<const kernel::UniformRow> uniforms) {
    for (const kernel::UniformRow& uniform : uniforms) std::copy_n(row(uniform.from), warp_size, row(uniform.row));
  }

  /// `observer(access, lanes)` gets each load and store from now on, after it executed; empty: no observer.
  using AccessObserver = std::function<void(const MemoryAccess&, LaneMask)>;
  void observe(AccessObserver observer) { observer_ = std::move(observer); }

  /// Runs the region once, from its first block on. `leave(way, lanes, last)` gets the lanes that leave it, and the
  /// last instruction of the block that they leave; threads that end do not leave.
  template <typename Leave>
  void run(std::span<const kernel::NodeBlock> region, LaneMask lanes, Counts& counts, const Leave& leave) {
    if (at_block_.size() < region.size()) at_block_.resize(region.size(), 0);
    at_block_[0] = lanes;
    for (std::size_t i = 0; i < region.size(); ++i) {
      const LaneMask here = std::exchange(at_block_[i], 0);
      if (here == 0) continue;
      const kernel::BasicBlock& block = blocks_[region[i].block];
      const LaneMask left = run_block(block, here, counts);
      const LaneMask taken = image_->steps()[block.end - 1].guard.pass(predicates_.data(), left);
      for (const kernel::NodeWay& way : region[i].ways) {
        const LaneMask going = lanes_of(way, left, taken);
        if (going == 0) continue;
        if (way.inside) {
          at_block_[way.to] |= going;
        } else {
          leave(way, going, image_->instruction(block.end - 1));
        }
      }
    }
  }

 private:
  struct alignas(64) Row {
    LaneWords words;
  };

  /// Returns the lanes that are still active afterwards.
  LaneMask run_block(const kernel::BasicBlock& block, LaneMask lanes, Counts& counts);
  LaneMask lanes_of(const kernel::NodeWay& way, LaneMask lanes, LaneMask taken) const;
  std::uint64_t sectors_of(const MemoryAccess& access, LaneMask lanes) const;

  unsigned lanes_;
  const Launch* launch_ = nullptr;
  const ProgramImage* image_ = nullptr;
  std::span<const kernel::BasicBlock> blocks_;
  ExecutionContext context_;
  std::vector<Row> registers_;
  std::vector<Row> special_;
  std::vector<LaneMask> predicates_;
  std::vector<std::byte> local_;
  std::uint32_t local_bytes_ = 0;
  ThreadNames names_;
  std::vector<LaneMask> at_block_;
  AccessObserver observer_;
};

/// The first `count` lanes, or all.
constexpr LaneMask first_lanes(std::uint64_t count) {
  return count >= warp_size ? all_lanes : (LaneMask{1} << count) - 1;
}

}  // namespace reconverge
