// SPDX-License-Identifier: Apache-2.0
// The assignment of table entries to subwarps, in particular if a table has fewer entries than a warp has threads.

#include "models/schemes/subwarp_interleaving/entry_map.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "models/kernel/decode/load_program.hpp"

namespace reconverge {
namespace {

/// The threads of a warp, split by a chain of branches.
class Parting {
 public:
  Parting() { path_ = threads.start(code_, all_lanes, 0); }

  /// A branch: `lanes` of the ACTIVE subwarp stay ACTIVE, and its other lanes become READY.
  void part(LaneMask lanes) {
    const kernel::Pc next = path_.pc + 1;
    const std::array sides{WarpThreads::Side{next, lanes}, WarpThreads::Side{next + 1, path_.lanes & ~lanes}};
    threads.part(path_, sides, 0, counts_);
  }
  void stall() { threads.stall(path_); }
  void activate(unsigned lane) { threads.activate(lane, path_, counts_); }

  WarpThreads threads;

 private:
  kernel::Program program_ = kernel::load_program_text(R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry kernel()
{
  .reg .u32 %r<9>;
  mov.u32 %r0, 0; mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3;
  mov.u32 %r4, 0; mov.u32 %r5, 1; mov.u32 %r6, 2; mov.u32 %r7, 3;
  ret;
}
)",
                                                       "parting.ptx", "kernel");
  BarrierCode code_{program_, kernel::volta_barriers};
  WarpThreads::Counts counts_;
  Path path_;
};

constexpr LaneMask first = 0x000000ff;
constexpr LaneMask second = 0x0000ff00;
constexpr LaneMask rest = 0xffff0000;

}  // namespace

TEST_CASE("With 32 entries each thread has its own entry") {
  EntryMap map(32);
  Parting warp;
  warp.part(first);
  map.update(warp.threads);
  CHECK(map.entries_of(0x81) == 0x81);
  CHECK(map.lanes_of(0x81) == 0x81);
  CHECK(map.has_room(warp.threads));
}

TEST_CASE("With fewer than 32 entries each subwarp has an entry with exactly its lanes") {
  EntryMap map(4);
  Parting warp;
  map.update(warp.threads);
  CHECK(map.lanes_of(map.entries_of(all_lanes)) == all_lanes);
  warp.part(first);
  map.update(warp.threads);
  const EntryMask active = map.entries_of(first);
  const EntryMask ready = map.entries_of(~first);
  CHECK(active != 0);
  CHECK(ready != 0);
  CHECK((active & ready) == 0);
  CHECK(map.lanes_of(active) == first);
  CHECK(map.lanes_of(ready) == ~first);
}

TEST_CASE("An ACTIVE subwarp takes the entry of a READY subwarp, never the entry of a STALLED one") {
  EntryMap map(2);
  Parting warp;
  warp.part(second | rest);  // `first` becomes READY
  warp.part(rest);           // `second` becomes READY, too, and there are only two entries
  map.update(warp.threads);
  CHECK(map.lanes_of(map.entries_of(rest)) == rest);
  CHECK((map.entries_of(first) == 0) != (map.entries_of(second) == 0));
  warp.stall();
  CHECK(map.has_room(warp.threads));
  // `second` becomes ACTIVE. It takes the entry that does not belong to the STALLED subwarp.
  warp.activate(8);
  map.update(warp.threads);
  CHECK(map.lanes_of(map.entries_of(second)) == second);
  CHECK(map.lanes_of(map.entries_of(rest)) == rest);
  CHECK(map.entries_of(first) == 0);
  warp.stall();
  map.update(warp.threads);
  CHECK_FALSE(map.has_room(warp.threads));
}

}  // namespace reconverge
