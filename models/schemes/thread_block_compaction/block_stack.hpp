// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The reconvergence stack of a thread block: the paths of all its threads, which reconverge at immediate
/// post-dominators (Fung and Aamodt, HPCA 2011). Plain logic without SystemC and timing.
///
/// A path consists of a pc, the pc of its reconvergence point, and the rows of threads (warps) that run it. Rows
/// advance separately; the path advances when all of its rows have arrived. Lower paths keep their rows unchanged, so
/// that the warps from before the branch are restored at the reconvergence point.

#include <algorithm>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"
#include "models/schemes/thread_block_compaction/compactor.hpp"

namespace reconverge {

class BlockStack {
 public:
  struct Path {
    kernel::Pc pc = 0;
    kernel::Pc reconvergence = kernel::no_pc;
    std::vector<ThreadRow> rows;
    bool caller = false;  ///< the path waits for a call to return
  };
  /// The action of a row's threads at a branch or call: threads in `taken` go to their targets, the others fall
  /// through.
  struct Departure {
    LaneMask taken = 0;
    std::array<kernel::Pc, warp_size> target{};
  };
  /// The result of a branch or call.
  struct Parted {
    std::size_t sides = 0;    ///< number of targets; one: no compaction
    std::size_t threads = 0;  ///< threads in newly formed rows
    std::size_t rows = 0;     ///< newly formed rows
  };

  /// Resets the stack: a block begins at `pc`.
  void start(kernel::Pc pc);
  /// Adds the block's next warp, with these threads.
  void add_warp(LaneMask lanes);

  /// The current path; undefined if no thread is left.
  const Path& current() const { return paths_[depth_ - 1]; }
  bool empty() const { return depth_ == 0; }
  /// Number of paths below the current one.
  std::size_t depth() const { return depth_ == 0 ? 0 : depth_ - 1; }
  /// Whether each row of the path has exactly the threads of one original warp.
  bool at_home() const;

  /// All rows of the path executed `branch` (bra or brx) at `pc`. `departures`: by row.
  Parted branch(const kernel::Instruction& branch, kernel::Pc pc, std::span<const Departure> departures);
  /// All rows of the path executed the call at `pc`. The calling threads reconverge after it, once they have returned.
  Parted call(kernel::Pc pc, std::span<const Departure> departures);
  /// All rows are at the path's reconvergence point: continues with the next path of the stack.
  void reconverge();
  /// Returns the path's threads to their original warps; the path continues at `pc`.
  void gather(kernel::Pc pc);

  /// `lanes` of a row of the path return from their function.
  void leave(std::size_t row, LaneMask lanes) { remove(row, lanes, false); }
  /// `lanes` of a row of the path end.
  void exit(std::size_t row, LaneMask lanes) { remove(row, lanes, true); }
  /// The path waits, at `pc`, for threads of other paths. Continues with another side of its branch for which `waits`
  /// is false. Returns whether there is one.
  template <typename Waits>
  bool step_aside(kernel::Pc pc, Waits&& waits) {
    Path& path = paths_[depth_ - 1];
    path.pc = pc;
    for (std::size_t i = depth_ - 1; i-- > 0 && is_side(paths_[i], path.reconvergence);) {
      if (waits(paths_[i])) continue;
      const auto first = paths_.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(first, first + 1, paths_.begin() + static_cast<std::ptrdiff_t>(depth_));
      return true;
    }
    return false;
  }
  /// No thread of the path is left: continues with the next path of the stack.
  void drop() { resume_next(); }

 private:
  struct Side {
    kernel::Pc pc = 0;
    std::vector<LaneMask> lanes;  // by row
  };

  static bool is_side(const Path& path, kernel::Pc meeting) {
    return !path.caller && path.reconvergence == meeting && path.pc != meeting;
  }
  Path& push(kernel::Pc pc, kernel::Pc reconvergence);
  /// Finds the targets, in order of their lowest thread; the fall-through, if any thread takes it, comes last.
  void find_sides(kernel::Pc on, std::span<const Departure> departures);
  Side& side_to(kernel::Pc pc);
  /// Pushes the first `count` sides, the first on top, except sides that begin at their reconvergence point.
  void push_sides(std::size_t count, kernel::Pc meeting, Parted& parted);
  void remove(std::size_t row, LaneMask lanes, bool everywhere);
  void resume_next();

  // Both keep the memory of unused elements allocated.
  std::vector<Path> paths_;
  std::size_t depth_ = 0;
  std::vector<Side> sides_;
  std::size_t side_count_ = 0;
  std::vector<ThreadRow> source_;  // rows of the path that diverges
  std::vector<LaneMask> by_home_;  // by original warp: threads to gather
};

}  // namespace reconverge
