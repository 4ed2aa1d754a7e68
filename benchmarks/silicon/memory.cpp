// SPDX-License-Identifier: Apache-2.0
// Latency of each level of memory by following pointers, bank conflicts, lines of a request, atomics.

#include <fmt/format.h>

#include "benchmarks/silicon/ways.hpp"

namespace reconverge::silicon {

namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint32_t line_bytes = 128;

/// Links lines of the first `bytes` (a power of two) in pseudo-random order to a ring, by all threads, and reads them
/// all into the L2 cache; with `evict`, reads as many bytes after them instead, so that nothing of the ring stays in a
/// cache. %d0 is the ring's first address.
std::string ring(std::uint64_t bytes, bool evict) {
  constexpr std::string_view link = R"(
  mov.u32 %r0, %index;
LINK:
  mad.lo.u32 %r1, %r0, 1664525, 1013904223;
  and.b32 %r1, %r1, {mask};
  mul.wide.u32 %d1, %r0, {line};
  add.u64 %d1, %d1, %data;
  mul.wide.u32 %d2, %r1, {line};
  add.u64 %d2, %d2, %data;
  st.global.u64 [%d1], %d2;
  add.u32 %r0, %r0, %threads;
  setp.le.u32 %p0, %r0, {mask};
  @%p0 bra LINK;
)";
  constexpr std::string_view sweep = R"(
  mov.u32 %r0, %index;
SWEEP:
  mul.wide.u32 %d1, %r0, {line};
  add.u64 %d1, %d1, %data;
  ld.global.cg.u64 %d2, [%d1+{from}];
  add.u64 %d63, %d63, %d2;
  add.u32 %r0, %r0, %threads;
  setp.le.u32 %p0, %r0, {mask};
  @%p0 bra SWEEP;
)";
  const auto mask = bytes / line_bytes - 1;
  std::string text = fmt::format(link, fmt::arg("mask", mask), fmt::arg("line", line_bytes));
  text += "  bar.sync 0;\n";
  text += fmt::format(sweep, fmt::arg("mask", mask), fmt::arg("line", line_bytes), fmt::arg("from", evict ? bytes : 0));
  return text + "  bar.sync 0;\n  mov.u64 %d0, %data;\n";
}

/// One thread of the block follows the ring. A small ring is in the L1 cache after the first pass; of a large one, each
/// load is the first of its line by that SM.
Measurement chase(const std::string& name, std::uint64_t bytes, bool evict) {
  TimedKernel kernel;
  kernel.threads = bytes >= mib ? 1024 : 32;
  kernel.setup = ring(bytes, evict) + "  setp.ne.u32 %p1, %index, 0;\n";
  kernel.enter = "  @%p1 bra NOT_FIRST;\n";
  kernel.leave = "NOT_FIRST:\n";
  kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  kernel.data_bytes = evict ? 2 * bytes : bytes;
  return cost_of_copy("memory", name, kernel, "  ld.global.u64 %d0, [%d0];\n", 8, 24);
}

/// A load whose address is its result: each lane's word holds that word's own address, `stride` bytes after the last
/// lane's.
Measurement self_loads(const std::string& name, const std::string& space, std::uint32_t stride, std::uint32_t warps) {
  TimedKernel kernel;
  kernel.threads = 32 * warps;
  kernel.data_bytes = std::uint64_t{32} * 128;
  const bool shared = space == "shared";
  if (shared) {
    kernel.setup =
        fmt::format("  mov.u32 %r0, cells;\n  mad.lo.u32 %r0, %lane, {}, %r0;\n  st.shared.u32 [%r0], %r0;\n", stride);
    kernel.keep = "  cvt.u64.u32 %d63, %r0;\n";
  } else {
    kernel.setup = fmt::format(
        "  mul.wide.u32 %d0, %lane, {};\n  add.u64 %d0, %d0, %data;\n  st.global.u64 [%d0], %d0;\n", stride);
    kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  }
  const std::string piece = shared ? "  ld.shared.u32 %r0, [%r0];\n" : "  ld.global.u64 %d0, [%d0];\n";
  return cost_of_copy("memory", name, kernel, piece, 8, 24);
}

/// Independent loads of lines that no first-level cache has, by each warp of one block: how many are in flight at once.
Measurement loads_in_flight(unsigned loads, unsigned warps) {
  TimedKernel kernel;
  kernel.rounds = 1;
  kernel.threads = 32 * warps;
  kernel.data_bytes = 32 * mib;
  // Lines of a warp are 4 KiB apart, warps 256 KiB, the two passes 8 MiB; the lanes of a warp load the same word.
  kernel.setup = "  shr.u32 %r1, %index, 5;\n  mul.wide.u32 %d1, %r1, 262144;\n  add.u64 %d1, %d1, %data;\n";
  for (unsigned i = 0; i < loads; ++i) {
    kernel.body += fmt::format("  ld.global.cg.u32 %r{}, [%d1+{}];\n", i, 4096 * (i + 1));
  }
  for (unsigned i = 0; i < loads; ++i) {
    kernel.body += fmt::format("  cvt.u64.u32 %d2, %r{};\n  add.u64 %d63, %d63, %d2;\n", i);
  }
  // The clock is read after the values have come: nothing that is loaded is 1.
  kernel.body += "  setp.eq.u64 %p1, %d63, 1;\n  @%p1 trap;\n  add.u64 %d1, %d1, 8388608;\n";
  return cycles_a_round("memory", fmt::format("{} loads in each of {} warps, in no first-level cache", loads, warps),
                        kernel);
}

/// An atomic that returns the old value, whose zero is added to its address.
Measurement atomics(const std::string& name, const std::string& operation, bool shared, std::uint32_t stride,
                    std::uint32_t lanes) {
  TimedKernel kernel;
  const std::string base = shared ? "  mov.u32 %r1, cells;\n  cvt.u64.u32 %d1, %r1;\n" : "  mov.u64 %d1, %data;\n";
  kernel.setup = base + fmt::format(
                            "  mul.wide.u32 %d0, %lane, {};\n  add.u64 %d0, %d0, %d1;\n"
                            "  mov.u32 %r2, 0;\n  st.{}.u32 [%d0], %r2;\n  bar.sync 0;\n"
                            "  sub.u32 %r3, %one, 1;\n  setp.ge.u32 %p1, %lane, {};\n",
                            stride, shared ? "shared" : "global", lanes);
  const std::string line = fmt::format("  {};\n  cvt.u64.u32 %d2, %r2;\n  add.u64 %d0, %d0, %d2;\n", operation);
  kernel.enter = "  @%p1 bra OUTSIDE;\n";
  kernel.leave = "OUTSIDE:\n";
  kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  return cost_of_copy("memory", name, kernel, line, 4, 12);
}

}  // namespace

std::vector<Measurement> memory_measurements() {
  std::vector<Measurement> all;
  all.push_back(chase("load, ring of 16 KiB", 16 * kib, false));
  all.push_back(chase("load, ring of 1 MiB", mib, false));
  all.push_back(chase("load, ring of 4 MiB", 4 * mib, false));
  all.push_back(chase("load, ring of 16 MiB", 16 * mib, false));
  all.push_back(chase("load, ring of 32 MiB", 32 * mib, false));
  all.push_back(chase("load, ring of 512 MiB, in no cache", 512 * mib, true));
  {
    TimedKernel kernel;
    kernel.setup = "  sub.u32 %r0, %one, 1;\n";
    kernel.keep = "  cvt.u64.u32 %d63, %r0;\n";
    all.push_back(cost_of_copy("memory", "ld.const, same address", kernel,
                               "  cvt.u64.u32 %d1, %r0;\n  mov.u64 %d2, constants;\n  add.u64 %d1, %d1, %d2;\n"
                               "  ld.const.u32 %r0, [%d1];\n"));
  }
  for (const unsigned stride : {4U, 8U, 16U, 32U, 64U, 128U}) {
    all.push_back(self_loads(fmt::format("ld.shared.u32, stride {} B, one warp", stride), "shared", stride, 1));
  }
  for (const unsigned stride : {4U, 8U, 16U, 32U, 64U, 128U}) {
    all.push_back(self_loads(fmt::format("ld.shared.u32, stride {} B, 32 warps", stride), "shared", stride, 32));
  }
  for (const unsigned stride : {0U, 8U, 16U, 32U, 64U, 128U}) {
    all.push_back(self_loads(fmt::format("ld.global.u64, stride {} B, one warp", stride), "global", stride, 1));
  }
  for (const unsigned stride : {0U, 8U, 16U, 32U, 64U, 128U}) {
    all.push_back(self_loads(fmt::format("ld.global.u64, stride {} B, 32 warps", stride), "global", stride, 32));
  }
  for (const unsigned warps : {1U, 4U, 32U}) {
    for (const unsigned loads : {1U, 2U, 4U, 8U, 16U, 32U, 48U}) all.push_back(loads_in_flight(loads, warps));
  }
  for (const bool shared : {false, true}) {
    const std::string space = shared ? "shared" : "global";
    const std::string add = fmt::format("atom.{}.add.u32 %r2, [%d0], %r3", space);
    const std::string swap = fmt::format("atom.{}.cas.b32 %r2, [%d0], %r3, %r3", space);
    all.push_back(atomics(fmt::format("atom.{}.add.u32, one lane", space), add, shared, 4, 1));
    all.push_back(atomics(fmt::format("atom.{}.add.u32, 32 lanes, one address", space), add, shared, 0, 32));
    all.push_back(atomics(fmt::format("atom.{}.add.u32, 32 lanes, 32 addresses", space), add, shared, 4, 32));
    all.push_back(atomics(fmt::format("atom.{}.cas.b32, one lane", space), swap, shared, 4, 1));
    all.push_back(atomics(fmt::format("atom.{}.cas.b32, 32 lanes, one address", space), swap, shared, 0, 32));
  }
  return all;
}

}  // namespace reconverge::silicon
