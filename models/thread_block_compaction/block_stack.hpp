#pragma once
/// The reconvergence stack of a thread block: paths of all its threads, met again at immediate post-dominators (Fung
/// and Aamodt, HPCA 2011). Plain logic, no SystemC, no time.
///
/// A path is a pc, the pc at which it meets others, and the rows of threads (warps) that run it. What a row does alone,
/// the path does when all its rows have come as far. Lower paths keep their rows as they were formed, so that at a
/// meeting point the warps from before the branch are there again.

#include <algorithm>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"
#include "models/thread_block_compaction/compactor.hpp"

namespace reconverge {

class BlockStack {
 public:
  struct Path {
    kernel::Pc pc = 0;
    kernel::Pc reconvergence = kernel::no_pc;
    std::vector<ThreadRow> rows;
    bool caller = false;  ///< waits for a call to return
  };
  /// What the threads of a row do at a branch or call: those of `taken` go to the targets, the others on.
  struct Departure {
    LaneMask taken = 0;
    std::array<kernel::Pc, warp_size> target{};
  };
  /// What became of the threads at a branch or call.
  struct Parted {
    std::size_t sides = 0;    ///< targets that they had; one: nothing was compacted
    std::size_t threads = 0;  ///< in rows that were formed
    std::size_t rows = 0;     ///< that were formed
  };

  /// A block begins at `pc`; what was there before is forgotten.
  void start(kernel::Pc pc);
  /// Its next warp, with these threads.
  void add_warp(LaneMask lanes);

  /// The path that runs; void when no thread is left.
  const Path& current() const { return paths_[depth_ - 1]; }
  bool empty() const { return depth_ == 0; }
  /// Paths below the one that runs.
  std::size_t depth() const { return depth_ == 0 ? 0 : depth_ - 1; }
  /// Whether the threads of the path that began in one warp are together in a row, and with no others.
  bool at_home() const;

  /// All rows of the path executed `branch` (bra or brx) at `pc`. `departures`: by row.
  Parted branch(const kernel::Instruction& branch, kernel::Pc pc, std::span<const Departure> departures);
  /// All rows of the path executed the call at `pc`. Threads that make it meet behind it, when they have returned.
  Parted call(kernel::Pc pc, std::span<const Departure> departures);
  /// All rows stand at the path's reconvergence point: the next path of the stack goes on.
  void reconverge();
  /// The threads of the path go back to the warps that they began in; it goes on at `pc`.
  void gather(kernel::Pc pc);

  /// `lanes` of a row of the path return from their function.
  void leave(std::size_t row, LaneMask lanes) { remove(row, lanes, false); }
  /// `lanes` of a row of the path end.
  void exit(std::size_t row, LaneMask lanes) { remove(row, lanes, true); }
  /// The path waits, at `pc`, for threads that other paths have. Another side of its branch runs, if there is one of
  /// which `waits` does not say that it waits as well. Returns whether there is.
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
  /// No thread of the path is left: the next path of the stack goes on.
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
  /// Targets in the order of the lowest thread of each; the way on, if any thread takes it, comes last.
  void find_sides(kernel::Pc on, std::span<const Departure> departures);
  Side& side_to(kernel::Pc pc);
  /// Puts those of the first `count` sides on the stack that do not begin at their meeting point, the first on top.
  void push_sides(std::size_t count, kernel::Pc meeting, Parted& parted);
  void remove(std::size_t row, LaneMask lanes, bool everywhere);
  void resume_next();

  // Both keep the memory of those that they do not have at the moment.
  std::vector<Path> paths_;
  std::size_t depth_ = 0;
  std::vector<Side> sides_;
  std::size_t side_count_ = 0;
  std::vector<ThreadRow> source_;  // rows of the path that parts
  std::vector<LaneMask> by_home_;  // threads that gather
};

}  // namespace reconverge
