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

/// A load of 16 bytes per lane whose first word is its own address, and one of 4 bytes, whose zero is added to the
/// address.
Measurement wide_loads(const std::string& space) {
  const bool shared = space == "shared";
  TimedKernel kernel;
  kernel.data_bytes = std::uint64_t{32} * 16;
  kernel.setup = shared ? "  mov.u32 %r0, cells;\n  mad.lo.u32 %r0, %lane, 16, %r0;\n  st.shared.u32 [%r0], %r0;\n"
                        : "  mul.wide.u32 %d0, %lane, 16;\n  add.u64 %d0, %d0, %data;\n  st.global.u64 [%d0], %d0;\n";
  kernel.keep = shared ? "  cvt.u64.u32 %d63, %r0;\n" : "  add.u64 %d63, %d63, %d0;\n";
  return cost_of_copy(
      "memory", fmt::format("ld.{} of 16 B, one warp", space), kernel,
      shared ? "  ld.shared.v4.u32 {%r0, %r1, %r2, %r3}, [%r0];\n" : "  ld.global.v2.u64 {%d0, %d1}, [%d0];\n", 8, 24);
}

/// The same for shared memory and 8 bytes, and for global memory and 4 bytes.
Measurement other_loads(const std::string& space) {
  const bool shared = space == "shared";
  TimedKernel kernel;
  kernel.setup = shared ? "  mov.u32 %r0, cells;\n  mad.lo.u32 %r0, %lane, 8, %r0;\n  st.shared.u32 [%r0], %r0;\n"
                        : "  mul.wide.u32 %d0, %lane, 4;\n  add.u64 %d0, %d0, %data;\n";
  kernel.keep = shared ? "  cvt.u64.u32 %d63, %r0;\n" : "  add.u64 %d63, %d63, %d0;\n";
  return cost_of_copy(
      "memory", shared ? "ld.shared of 8 B, one warp" : "ld.global of 4 B, cvt.u64.u32 and add.u64, one warp", kernel,
      shared ? "  ld.shared.v2.u32 {%r0, %r1}, [%r0];\n"
             : "  ld.global.u32 %r0, [%d0];\n  cvt.u64.u32 %d1, %r0;\n  add.u64 %d0, %d0, %d1;\n",
      8, 24);
}

/// A load whose address is its result, after an atomic without result on the same word by some of the lanes.
Measurement atomic_and_load(bool shared, std::uint32_t lanes) {
  TimedKernel kernel;
  const std::string space = shared ? "shared" : "global";
  const std::string base = shared ? "  mov.u32 %r1, cells;\n  cvt.u64.u32 %d1, %r1;\n" : "  mov.u64 %d1, %data;\n";
  kernel.setup = base + fmt::format(
                            "  mov.u32 %r0, 0;\n  st.{0}.u32 [%d1], %r0;\n  bar.sync 0;\n  sub.u32 %r3, %one, 1;\n"
                            "  setp.lt.u32 %p1, %lane, {1};\n  mov.u64 %d0, %d1;\n",
                            space, lanes);
  kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  const std::string load =
      fmt::format("  ld.volatile.{}.u32 %r2, [%d0];\n  cvt.u64.u32 %d2, %r2;\n  add.u64 %d0, %d0, %d2;\n", space);
  const std::string atomic = lanes == 0 ? "" : fmt::format("  @%p1 red.{}.add.u32 [%d0], %r3;\n", space);
  const std::string what = lanes == 0 ? "no" : fmt::format("{}", lanes);
  return cost_of_copy("memory", fmt::format("ld.{} after an atomic of {} lanes on its address", space, what), kernel,
                      atomic + load, 8, 24);
}

/// Bytes per cycle that the warps of one block load, `bytes` per lane, always the same 16 to 64 KiB.
Measurement load_rate(const std::string& space, std::uint32_t bytes) {
  constexpr std::uint32_t threads = 1024;
  const bool shared = space == "shared";
  const unsigned parts = shared ? 2 : 4;
  TimedKernel kernel;
  kernel.threads = threads;
  kernel.data_bytes = std::uint64_t{threads} * bytes * parts;
  kernel.setup = shared ? fmt::format("  mov.u32 %r0, cells;\n  mad.lo.u32 %r0, %index, {}, %r0;\n", bytes)
                        : fmt::format("  mul.wide.u32 %d0, %index, {};\n  add.u64 %d0, %d0, %data;\n", bytes);
  kernel.setup += "  mov.u32 %r1, 0;\n  cvt.u64.u32 %d1, %zero;\n";
  kernel.keep = "  cvt.u64.u32 %d63, %r1;\n";
  const std::string width = bytes == 4   ? "u32 %r{0}"
                            : bytes == 8 ? "v2.u32 {{%r{0}, %r{1}}}"
                                         : "v4.u32 {{%r{0}, %r{1}, %r{2}, %r{3}}}";
  // The address changes by zero, which the compiler does not know.
  std::string piece = shared ? "  add.u32 %r0, %r0, %zero;\n" : "  add.u64 %d0, %d0, %d1;\n";
  for (unsigned part = 0; part < parts; ++part) {
    const unsigned first = 10 + 4 * part;
    piece += fmt::format("  ld.{}.", space) + fmt::format(fmt::runtime(width), first, first + 1, first + 2, first + 3) +
             fmt::format(", [{}+{}];\n", shared ? "%r0" : "%d0", part * threads * bytes);
  }
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned word = 0; word < bytes / 4; ++word)
      piece += fmt::format("  or.b32 %r1, %r1, %r{};\n", 10 + 4 * part + word);
  }
  Measurement one =
      cost_of_copy("memory", fmt::format("ld.{} of {} B, rate of 32 warps", space, bytes), kernel, piece, 2, 6);
  one.unit = "B per cycle and SM";
  one.values = [cost = one.values, moved = kernel.data_bytes](std::span<const device::Buffers> after) {
    return std::vector<double>{static_cast<double>(moved) / cost(after).front()};
  };
  return one;
}

/// Cycles per load of a warp, if all warps load words that are `stride` words apart, from the first-level cache.
Measurement stride_rate(std::uint32_t stride) {
  TimedKernel kernel;
  kernel.threads = 1024;
  kernel.data_bytes = std::uint64_t{32} * 64 * 4 + 4096;
  kernel.setup = fmt::format(
      "  mul.wide.u32 %d0, %lane, {};\n  add.u64 %d0, %d0, %data;\n  mov.u32 %r1, 0;\n  cvt.u64.u32 %d1, %zero;\n",
      4 * stride);
  kernel.keep = "  cvt.u64.u32 %d63, %r1;\n";
  constexpr unsigned loads = 4;
  std::string piece;
  for (unsigned i = 0; i < loads; ++i) {
    piece += fmt::format("  add.u64 %d0, %d0, %d1;\n  ld.global.u32 %r{}, [%d0];\n", 10 + i);
  }
  for (unsigned i = 0; i < loads; ++i) piece += fmt::format("  or.b32 %r1, %r1, %r{};\n", 10 + i);
  Measurement one = cost_of_copy("memory", fmt::format("ld.global.u32, stride {} words, rate of 32 warps", stride),
                                 kernel, piece, 2, 6);
  one.unit = "cycles per load of a warp and SM";
  one.values = [cost = one.values](std::span<const device::Buffers> after) {
    return std::vector<double>{cost(after).front() / (32 * loads)};
  };
  return one;
}

/// Cycles between two loads that a scheduler issues, if the warps of as many schedulers load from shared memory.
Measurement cadence(unsigned schedulers) {
  constexpr unsigned warps = 8;  // of each scheduler
  constexpr unsigned loads = 4;
  TimedKernel kernel;
  kernel.threads = 4 * 32 * warps;
  kernel.setup =
      "  mov.u32 %r0, cells;\n  mad.lo.u32 %r0, %lane, 4, %r0;\n  mov.u32 %r1, 0;\n"
      "  shr.u32 %r2, %index, 5;\n  and.b32 %r2, %r2, 3;\n";
  kernel.setup += fmt::format("  setp.ge.u32 %p1, %r2, {};\n", schedulers);
  kernel.enter = "  @%p1 bra IDLE;\n";
  kernel.leave = "IDLE:\n";
  kernel.keep = "  cvt.u64.u32 %d63, %r1;\n";
  std::string piece = "  add.u32 %r0, %r0, %zero;\n";
  for (unsigned i = 0; i < loads; ++i) piece += fmt::format("  ld.shared.u32 %r{}, [%r0+{}];\n", 10 + i, 128 * i);
  for (unsigned i = 0; i < loads; ++i) piece += fmt::format("  or.b32 %r1, %r1, %r{};\n", 10 + i);
  Measurement one = cost_of_copy(
      "memory",
      fmt::format("loads of shared memory, {} schedulers load: cycles between two of a scheduler", schedulers), kernel,
      piece, 4, 12);
  one.values = [cost = one.values](std::span<const device::Buffers> after) {
    return std::vector<double>{cost(after).front() / (loads * warps)};
  };
  return one;
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
  all.push_back(chase("load, ring of 32 MiB, in no cache", 32 * mib, true));
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
  for (const std::string space : {"global", "shared"}) {
    all.push_back(other_loads(space));
    all.push_back(wide_loads(space));
    for (const std::uint32_t bytes : {4U, 8U, 16U}) all.push_back(load_rate(space, bytes));
  }
  for (const unsigned schedulers : {1U, 2U, 3U, 4U}) all.push_back(cadence(schedulers));
  for (const std::uint32_t stride : {0U, 1U, 2U, 3U, 4U, 5U, 8U, 16U, 17U, 32U, 33U, 64U}) {
    all.push_back(stride_rate(stride));
  }
  for (const unsigned warps : {1U, 4U, 32U}) {
    for (const unsigned loads : {1U, 2U, 4U, 8U, 16U, 32U, 48U}) all.push_back(loads_in_flight(loads, warps));
  }
  for (const std::uint32_t lanes : {0U, 1U, 2U, 4U, 8U, 16U, 32U}) {
    all.push_back(atomic_and_load(true, lanes));
    all.push_back(atomic_and_load(false, lanes));
  }
  for (const std::uint32_t lanes : {2U, 4U, 8U, 16U}) {
    all.push_back(atomics(fmt::format("atom.shared.add.u32, {} lanes, one address", lanes),
                          "atom.shared.add.u32 %r2, [%d0], %r3", true, 0, lanes));
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
