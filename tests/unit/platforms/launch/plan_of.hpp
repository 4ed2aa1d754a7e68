// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Plans from texts.

#include <string>

#include "blocks/experiment.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/machines/machines.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::tests {

/// A kernel with a parameter of every kind.
inline constexpr const char* take_ptx =
    ".version 5.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry take(\n"
    "  .param .f32 a, .param .u64 p, .param .align 8 .b8 s[24], .param .u16 h, .param .s8 c, .param .b32 raw\n"
    ")\n{\n  ret;\n}\n"
    ".visible .entry nothing()\n{\n  ret;\n}\n";

/// Thread i writes the second number of element i of the texture reference to out[2 i], and that of the texture object
/// to out[2 i + 1].
inline constexpr const char* texture_ptx =
    ".version 5.0\n.target sm_60\n.address_size 64\n"
    ".global .texref image_reference;\n"
    ".visible .entry both(.param .u64 object, .param .u64 out)\n{\n"
    "  .reg .b64 %rd<5>;\n  .reg .b32 %r<2>;\n  .reg .f32 %f<9>;\n"
    "  mov.u32 %r1, %tid.x;\n  ld.param.u64 %rd1, [object];\n  ld.param.u64 %rd2, [out];\n"
    "  tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image_reference, {%r1}];\n"
    "  tex.1d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%rd1, {%r1}];\n"
    "  mul.wide.u32 %rd3, %r1, 8;\n  add.u64 %rd4, %rd2, %rd3;\n"
    "  st.global.f32 [%rd4], %f2;\n  st.global.f32 [%rd4+4], %f6;\n  ret;\n}\n";

/// Variables of every kind: three constant floats, a number with an initial value, and bytes.
inline constexpr const char* variables_ptx =
    ".version 5.0\n.target sm_60\n.address_size 64\n"
    ".const .align 4 .b8 weights[12];\n.global .u32 misses = 7;\n.global .align 8 .u64 where = generic(misses);\n"
    ".shared .u32 cell;\n.global .texref image;\n"
    ".visible .entry count(.param .u64 out)\n{\n  .reg .b64 %rd<3>;\n  .reg .b32 %r<3>;\n  .reg .f32 %f<2>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.const.f32 %f1, [weights+8];\n  st.global.f32 [%rd1], %f1;\n"
    "  atom.global.add.u32 %r1, [misses], 1;\n  ret;\n}\n";

/// A folder with take.ptx and a file run.yaml.
class PlanFolder {
 public:
  PlanFolder() { place_.write("take.ptx", take_ptx); }

  const TemporaryFolder& place() const { return place_; }

  launch::LaunchPlan plan_of(const std::string& text, std::span<const std::string> reserved = {}) const {
    ExperimentParameters parameters;
    const std::string file = (place_.path() / "run.yaml").string();
    return launch::read_plan(
        configuration::load_text(with_kinds(experiment_block), &parameters, {text, file}, {}, launch::section_keys()),
        reserved);
  }

 private:
  TemporaryFolder place_;
};

/// The text of a file with these buffers and one launch of `take` with these arguments.
inline std::string take_with(const std::string& arguments, const std::string& buffers = "x: {type: f32, count: 10}") {
  return "buffers: {" + buffers +
         "}\nlaunches:\n- {program: take.ptx, kernel: take, grid: 1, block: 32, arguments: " + arguments + "}\n";
}

}  // namespace reconverge::tests
