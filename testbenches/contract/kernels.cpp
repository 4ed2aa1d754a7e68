// SPDX-License-Identifier: Apache-2.0
#include "testbenches/contract/kernels.hpp"

#include <fmt/format.h>

#include "models/kernel/decode/load_program.hpp"

namespace reconverge::contract {

namespace {

constexpr std::string_view frame = R"(
{}
.address_size 64
{}
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .u32 %gid, %thread, %lane, %x, %t0, %t1, %t2;
  .reg .u64 %in, %out, %sums, %slice, %offset;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  .reg .f32 %f<16>;
  .reg .pred %p<16>;
{}
  ld.param.u64 %in, [input];
  ld.param.u64 %out, [output];
  ld.param.u64 %sums, [sums];
  mov.u32 %thread, %tid.z;
  mov.u32 %t0, %ntid.y;
  mov.u32 %t1, %tid.y;
  mad.lo.u32 %thread, %thread, %t0, %t1;
  mov.u32 %t0, %ntid.x;
  mov.u32 %t1, %tid.x;
  mad.lo.u32 %thread, %thread, %t0, %t1;
  mov.u32 %t2, %ctaid.z;
  mov.u32 %t0, %nctaid.y;
  mov.u32 %t1, %ctaid.y;
  mad.lo.u32 %t2, %t2, %t0, %t1;
  mov.u32 %t0, %nctaid.x;
  mov.u32 %t1, %ctaid.x;
  mad.lo.u32 %t2, %t2, %t0, %t1;
  mov.u32 %t0, %ntid.x;
  mov.u32 %t1, %ntid.y;
  mul.lo.u32 %t0, %t0, %t1;
  mov.u32 %t1, %ntid.z;
  mul.lo.u32 %t0, %t0, %t1;
  mad.lo.u32 %gid, %t2, %t0, %thread;
  and.b32 %lane, %thread, 31;
  and.b32 %t0, %gid, 1023;
  mul.wide.u32 %offset, %t0, 4;
  add.u64 %offset, %offset, %in;
  ld.global.u32 %x, [%offset];
  mul.wide.u32 %offset, %gid, 64;
  add.u64 %slice, %offset, %out;
{}
}}
)";

/// The lowest version and target that support all instructions of the body.
std::string_view header_for(std::string_view body) {
  const auto has = [&](std::string_view word) { return body.find(word) != std::string_view::npos; };
  if (has("mma.") || has("matrix.") || has("mbarrier.")) return ".version 8.6\n.target sm_90";
  if (has("reserved_smem") || has("aggr_smem")) return ".version 8.6\n.target sm_90";
  if (has("elect.sync")) return ".version 8.0\n.target sm_90";
  if (has("redux.sync")) return ".version 7.0\n.target sm_80";
  if (has("vote.ballot")) return ".version 6.3\n.target sm_70";  // removed in 6.4
  return ".version 6.4\n.target sm_70";
}

}  // namespace

std::string kernel_text(std::string_view body, std::string_view declarations, std::string_view module) {
  constexpr std::string_view mark = "VISIT(";
  std::string text = fmt::format(frame, header_for(body), module, declarations, body);
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    const std::size_t end = text.find(");", at);
    const unsigned long word = std::stoul(text.substr(at + mark.size(), end - at - mark.size()));
    text.replace(at, end + 2 - at, fmt::format("red.global.add.u32 [%slice+{}], 1;", 4 * word));
  }
  return text;
}

std::string switch_text(std::string_view way, std::string_view counter, unsigned ways, unsigned length) {
  std::string text;
  for (unsigned i = 0; i + 1 < ways; ++i) {
    text += fmt::format("  setp.eq.u32 %p0, {1}, {0};\n  @%p0 bra CASE{0};\n", i, way);
  }
  for (unsigned i = ways; i-- > 0;) {
    text += fmt::format("CASE{}:\n", i);
    for (unsigned j = 0; j < length; ++j) text += fmt::format("  add.u32 {0}, {0}, 1;\n", counter);
    text += "  bra JOIN;\n";
  }
  return text + "JOIN:\n";
}

Case make_case(std::string name, std::string_view body, Dim3 grid, Dim3 block, std::string_view declarations,
               std::string_view module) {
  Case result;
  result.ptx = kernel_text(body, declarations, module);
  result.program = kernel::load_program_text(result.ptx, name, "kernel");
  result.name = std::move(name);
  result.grid = grid;
  result.block = block;
  result.output_bytes = grid.count() * block.count() * slice_words * 4;
  return result;
}

std::vector<Case> cases() {
  std::vector<Case> all = control_flow_cases();
  for (Case& each : memory_cases()) all.push_back(std::move(each));
  for (Case& each : call_cases()) all.push_back(std::move(each));
  for (Case& each : barrier_cases()) all.push_back(std::move(each));
  for (Case& each : matrix_cases()) all.push_back(std::move(each));
  return all;
}

}  // namespace reconverge::contract
