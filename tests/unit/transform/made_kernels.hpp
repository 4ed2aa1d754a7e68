// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernels of a few lines, and the output of the pass for them.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/unit/transform/spawning.hpp"

namespace reconverge::kernel::tests {

/// A kernel with this body. `%in`, `%out` and `%sums` are the buffers; `%slot` is the thread's 16 bytes of output.
inline std::string kernel_text(std::string_view body, std::string_view module = "") {
  return fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
{}
.visible .entry kernel(.param .u64 input, .param .u64 output, .param .u64 sums)
{{
  .reg .pred %p<50>; .reg .b16 %h<9>; .reg .b32 %r<50>; .reg .f32 %f<20>; .reg .b64 %rd<20>; .reg .f64 %fd<9>;
  .reg .b64 %in, %out, %sums, %slot;
{}
}}
)",
                     module, body);
}

/// Options with which each iteration spawns threads, as in the paper.
inline MicrokernelOptions naive(SplitAt split = SplitAt::loops, std::uint32_t depth = 0,
                                LocalArrays local = LocalArrays::refuse) {
  return {split, depth, local, 1, GoesOn::nowhere};
}

/// Makes micro-kernels, and checks that they leave the same memory as the kernel.
inline Microkernels made(std::string_view body, const MicrokernelOptions& options = naive(),
                         std::string_view module = "") {
  const std::string text = kernel_text(body, module);
  Microkernels result = make_microkernels(text, "k.ptx", "kernel", options);
  INFO(result.text);
  const ThreeBuffers launch{"k.ptx", "kernel", {2, 1, 1}, {40, 1, 1}, 2 * 40 * 16, 0, result.report.array_bytes};
  const std::vector<std::byte> expected = memory_after(launch, text);
  CHECK(std::any_of(expected.begin(), expected.end(), [](std::byte one) { return one != std::byte{0}; }));
  CHECK_THAT(difference(expected, memory_after(launch, result.text)), Catch::Equals(""));
  return result;
}

inline const MicrokernelReport::Microkernel& microkernel(const Microkernels& of, std::string_view label) {
  const auto& all = of.report.microkernels;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.label == label; });
  INFO(of.text);
  REQUIRE(found != all.end());
  return *found;
}

/// The bytes that the spawns of this micro-kernel store, in the order of the text.
inline std::vector<std::uint32_t> stored(const Microkernels& of, std::string_view label) {
  std::vector<std::uint32_t> bytes;
  for (const auto& spawn : of.report.spawns) {
    if (spawn.label == label) bytes.push_back(spawn.stored);
  }
  return bytes;
}

inline std::set<std::string> labels(const Microkernels& of) {
  std::set<std::string> all;
  for (const auto& one : of.report.microkernels) all.insert(one.label);
  return all;
}

/// The offset of a value in the state.
inline std::uint32_t place_of(const Microkernels& of, std::string_view value) {
  for (const auto& place : of.report.places) {
    if (place.values == value) return place.offset;
  }
  FAIL(value << " is not in the state");
  return 0;
}

using Bytes = std::vector<std::uint32_t>;

}  // namespace reconverge::kernel::tests
