// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A warp with registers, for tests of blocks other than the lanes.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/operations/lanewise.hpp"
#include "models/execution/warp.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"

namespace reconverge::tests {

/// A kernel `k` in `t.ptx` of these instructions. Line 2 declares %r, %p and %rd; the first instruction is in line 3.
inline kernel::Program kernel_of(std::string_view body) {
  std::string text = ".version 7.0 .target sm_75 .address_size 64 .entry k() {\n";
  text.append(".reg .b32 %r<20>; .reg .pred %p<8>; .reg .b64 %rd<8>;\n").append(body).append("\nret; }\n");
  return kernel::load_program_text(text, "t.ptx", "k", ray_instructions());
}

/// Warp `index` of block 7. All lanes are live and active at pc 0; registers and predicates are zero.
class TestWarp {
 public:
  explicit TestWarp(const kernel::Program& program, std::uint32_t index = 0)
      : registers_(program.register_rows + 1), constants_(program.constant_rows + 1), predicates_(8) {
    for (const kernel::Constant& constant : program.constants) {
      constants_[constant.row].words.fill(static_cast<std::uint32_t>(constant.bits));
    }
    warp.live = all_lanes;
    warp.path.lanes = all_lanes;
    warp.context.program = &program;
    warp.context.position = {7, index};
    warp.context.bank = {reinterpret_cast<std::byte*>(registers_.data()),
                         reinterpret_cast<std::byte*>(constants_.data()), nullptr};
    warp.context.predicates = predicates_.data();
  }
  TestWarp(const TestWarp&) = delete;
  TestWarp& operator=(const TestWarp&) = delete;

  std::uint32_t& word(kernel::Operand operand, unsigned lane) { return operations::row(warp.context, operand)[lane]; }
  void fill(kernel::Operand operand, std::uint32_t value) {
    for (unsigned lane = 0; lane < warp_size; ++lane) word(operand, lane) = value;
  }
  LaneMask& predicate(kernel::Operand operand) { return predicates_[operand.row()]; }

  Warp warp;

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };
  std::vector<Row> registers_;
  std::vector<Row> constants_;
  std::vector<LaneMask> predicates_;
};

}  // namespace reconverge::tests
