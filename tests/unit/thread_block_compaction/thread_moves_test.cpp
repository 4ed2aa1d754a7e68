// SPDX-License-Identifier: Apache-2.0
// Moves of threads between warps, with their registers and predicates.

#include "models/execution/thread_moves.hpp"

#include <catch2/catch.hpp>

#include "models/execution/thread_setup.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/thread_block_compaction/thread_block_compaction.hpp"

namespace reconverge::tests {
namespace {

constexpr std::size_t warps = 3;

/// A block of three warps. Thread t of warp w has 100 w + t in every register. All predicates of warp 1 are set, and no
/// others.
class ThreeWarps {
 public:
  ThreeWarps()
      : program_(kernel::load_program_text(".version 7.0 .target sm_75 .address_size 64 .entry k() {\n"
                                           ".reg .b32 %r<3>; .reg .pred %p<2>; .reg .b64 %d;\n"
                                           "mov.b32 %r1, %tid.x; cvt.u64.u32 %d, %r1; setp.eq.u64 %p1, %d, 3;\n"
                                           "@%p1 mov.b32 %r2, 1; @%p1 st.global.b32 [%d], %r2; ret; }\n",
                                           "t.ptx", "k")),
        image_(program_, memory_),
        launch_(make_launch(program_, {1}, {warps * warp_size}, {})),
        registers_(warps * program_.register_rows) {
    ThreadSetup::Place place;
    place.registers = reinterpret_cast<std::byte*>(registers_.data());
    setup_.begin(launch_, image_, memory_, place, {warps, 1});
    for (std::uint32_t w = 0; w < warps; ++w) {
      Warp& warp = warps_[w];
      warp.slot = w;
      setup_.attach(warp);
      for (unsigned lane = 0; lane < warp_size; ++lane) {
        setup_.set_thread(warp, lane, 0, w * warp_size + lane);
        for (std::size_t row = 0; row < program_.register_rows; ++row) word(w, 0, row, lane) = 100 * w + lane;
      }
      for (std::size_t i = 0; i < program_.predicates; ++i) warp.context.predicates[i] = w == 1 ? all_lanes : 0;
      pointers_.push_back(&warp);
    }
  }

  std::uint32_t& word(std::size_t warp, std::size_t bank, std::size_t row, unsigned lane) {
    std::byte* address = warps_[warp].context.bank[bank] + row * row_bytes;
    return reinterpret_cast<std::uint32_t*>(address)[lane];
  }

  /// Whether lane `lane` of `warp` has the thread that started in warp `home`.
  bool has(std::size_t warp, unsigned lane, std::size_t home) {
    bool all = true;
    for (std::size_t row = 0; row < program_.register_rows; ++row) {
      all = all && word(warp, 0, row, lane) == 100 * home + lane;
    }
    for (std::size_t i = 0; i < program_.predicates; ++i) {
      all = all && (warps_[warp].context.predicates[i] >> lane & 1U) == (home == 1 ? 1U : 0U);
    }
    const auto special = [&](kernel::SpecialRow row) { return word(warp, 2, static_cast<std::size_t>(row), lane); };
    return all && special(kernel::SpecialRow::tid_x) == home * warp_size + lane &&
           special(kernel::SpecialRow::laneid) == lane && special(kernel::SpecialRow::warpid) == home;
  }

  std::span<Warp* const> pointers() const { return pointers_; }
  const kernel::Program& program() const { return program_; }

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };
  kernel::Program program_;
  DeviceMemory memory_;
  ProgramImage image_;
  Launch launch_;
  std::vector<Row> registers_;
  ThreadSetup setup_;
  std::array<Warp, warps> warps_;
  std::vector<Warp*> pointers_;
};

}  // namespace

TEST_CASE("a thread moves with its registers, predicates and identity, and keeps its lane") {
  ThreeWarps block;
  REQUIRE(block.program().register_rows >= 3);
  REQUIRE(block.program().predicates >= 1);
  // Lanes 0 to 7 rotate by one warp, lanes 8 to 15 of warps 0 and 2 are swapped, and the others stay.
  const LaneMask round = 0xff;
  const LaneMask change = 0xff00;
  const LaneMask stay = ~(round | change);
  const std::vector<LaneMask> lanes{
      stay,
      0,
      round | change,  // to warp 0
      round,
      stay | change,
      0,  // to warp 1
      change,
      round,
      stay,  // to warp 2
  };
  move_threads(block.pointers(), lanes);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    CAPTURE(lane);
    for (std::size_t warp = 0; warp < warps; ++warp) {
      std::size_t home = warp;
      if (lane < 8) home = (warp + 2) % warps;
      if (lane >= 8 && lane < 16) home = 2 - warp;
      CHECK(block.has(warp, lane, home));
    }
  }
}

TEST_CASE("the warp buffer has a number of ten bits for each lane of 64 warps") {
  // DRS section 4.5: 10 * 32 * 64 bits.
  CHECK(warp_buffer_bytes(64) == 2560);
  CHECK(warp_buffer_bytes(48) == 1920);
}

}  // namespace reconverge::tests
