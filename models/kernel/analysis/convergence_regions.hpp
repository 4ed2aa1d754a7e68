// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Regions between the block in which lanes of a divergent branch join a convergence barrier and the block in which
/// they reconverge.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/kernel/analysis/convergence_barriers.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Consecutive blocks.
struct BlockRun {
  std::uint32_t first = 0;
  std::uint32_t end = 0;  ///< one past the last
};

/// A region with the blocks that lanes can execute between joining and reconverging.
struct CandidateRegion {
  ConvergenceRegion region;
  std::vector<BlockRun> between;       ///< in ascending order
  std::uint32_t blocks = 0;            ///< in all runs of `between`
  std::vector<std::uint32_t> leaving;  ///< blocks from which lanes do not reach the reconvergence point

  template <typename Visit>
  void for_each_block(Visit&& visit) const {
    for (const BlockRun& run : between) {
      for (std::uint32_t block = run.first; block != run.end; ++block) visit(block);
    }
  }
  bool has_between(std::uint32_t block) const;
};

/// Limit of the steps (visits of a block) that placing a kernel's barriers may take. This many steps take a few
/// seconds.
inline constexpr std::uint64_t most_placement_steps = std::uint64_t{1} << 28U;

/// Counts steps. The total size of deeply nested regions is quadratic in the blocks of a kernel.
class PlacementWork {
 public:
  explicit PlacementWork(SourceLocation kernel, std::uint64_t most = most_placement_steps)
      : kernel_(std::move(kernel)), most_(most) {}

  /// Throws InputError if the limit is exceeded.
  void take(std::uint64_t steps);

 private:
  SourceLocation kernel_;
  std::uint64_t most_;
  std::uint64_t taken_ = 0;
};

/// A set of blocks that is cleared in constant time.
class BlockMarks {
 public:
  explicit BlockMarks(std::size_t blocks) : round_of_(blocks, 0) {}

  void clear() { ++round_; }
  bool operator[](std::uint32_t block) const { return round_of_[block] == round_; }
  /// Returns false if it was in the set.
  bool set(std::uint32_t block) { return std::exchange(round_of_[block], round_) != round_; }

 private:
  std::vector<std::uint32_t> round_of_;  // by block
  std::uint32_t round_ = 1;
};

/// The input for the placement of barriers.
struct RegionCandidates {
  std::vector<CandidateRegion>
      regions;  ///< one for each pair of a joining and a reconverging block; larger regions first
  std::vector<UnsynchronisedBranch> unsynchronised;
};

/// `dominators` are those of `blocks`. Takes time in proportion to the total blocks of all regions.
RegionCandidates find_regions(std::span<const BasicBlock> blocks, const std::vector<bool>& divergent,
                              const DominatorTree& dominators, PlacementWork& work);

}  // namespace reconverge::kernel
