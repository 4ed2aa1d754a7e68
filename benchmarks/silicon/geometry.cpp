// SPDX-License-Identifier: Apache-2.0
// Sizes of caches: a thread follows rings of more and more lines, until a ring no longer fits.

#include <fmt/format.h>

#include <algorithm>

#include "benchmarks/silicon/timed_kernel.hpp"

namespace reconverge::silicon {

namespace {

constexpr std::uint64_t kib = 1024;
constexpr unsigned copies = 8;
constexpr unsigned constant_copies = 4;

/// Lines of `stride` bytes, each of which has the address of the next, and the last that of the first.
constexpr std::string_view link = R"(
  mov.u32 %r0, %index;
LINK:
  add.u32 %r1, %r0, 1;
  setp.ge.u32 %p0, %r1, {lines};
  selp.b32 %r1, 0, %r1, %p0;
  mul.wide.u32 %d1, %r0, {stride};
  add.u64 %d1, %d1, %data;
  mul.wide.u32 %d2, %r1, {stride};
  add.u64 %d2, %d2, %data;
  st.global.u64 [%d1], %d2;
  add.u32 %r0, %r0, %threads;
  setp.lt.u32 %p0, %r0, {lines};
  @%p0 bra LINK;
  bar.sync 0;
  mov.u64 %d0, %data;
  setp.ne.u32 %p1, %index, 0;
)";

/// The first thread follows a ring of `bytes` once in each pass.
TimedKernel ring(std::uint64_t bytes, std::uint64_t stride, std::uint32_t shared_bytes) {
  const std::uint64_t lines = std::max<std::uint64_t>(bytes / stride / copies, 1) * copies;
  TimedKernel kernel;
  kernel.shared_bytes = shared_bytes;
  kernel.data_bytes = lines * stride;
  kernel.rounds = static_cast<std::uint32_t>(lines / copies);
  kernel.setup = fmt::format(link, fmt::arg("lines", lines), fmt::arg("stride", stride));
  if (shared_bytes != 0) kernel.setup += "  mov.u32 %r5, cells;\n  st.shared.u32 [%r5], %r0;\n";
  kernel.body = "  @%p1 bra NOT_FIRST;\n" + repeated("  ld.global.u64 %d0, [%d0];\n", copies) + "NOT_FIRST:\n";
  kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  return kernel;
}

/// The same in constant memory: words of 4 bytes with the byte offset of the next.
TimedKernel constant_ring(std::uint64_t bytes, std::uint64_t stride) {
  const std::uint64_t lines = bytes / stride;
  TimedKernel kernel;
  std::string words;
  for (std::uint64_t i = 0; i < bytes / 4; ++i) {
    const std::uint64_t next = 4 * i % stride == 0 ? (4 * i / stride + 1) % lines * stride : 0;
    words += fmt::format("{}{}", i == 0 ? "" : ", ", next);
  }
  kernel.functions = fmt::format(".const .align 256 .u32 chain[{}] = {{{}}};\n", bytes / 4, words);
  kernel.rounds = static_cast<std::uint32_t>(std::max<std::uint64_t>(lines / constant_copies, 1));
  kernel.setup = "  mov.u64 %d2, chain;\n  mov.u64 %d0, %d2;\n";
  kernel.body =
      repeated("  ld.const.u32 %r0, [%d0];\n  cvt.u64.u32 %d1, %r0;\n  add.u64 %d0, %d2, %d1;\n", constant_copies);
  kernel.keep = "  add.u64 %d63, %d63, %d0;\n";
  return kernel;
}

/// The largest ring of which nearly all loads are as fast as in the smallest. `loads`: of a round of the loop.
Measurement largest_that_fits(const std::string& name, const std::vector<std::uint64_t>& sizes, unsigned loads,
                              const std::function<TimedKernel(std::uint64_t)>& kernel_of) {
  Measurement result;
  result.group = "geometry";
  result.name = name;
  result.unit = "KiB";
  result.bytes = sizes.back();
  result.jobs = [=] {
    std::vector<device::Job> jobs;
    for (const std::uint64_t bytes : sizes) jobs.push_back(kernel_of(bytes).job(name));
    return jobs;
  };
  result.values = [=](std::span<const device::Buffers> after) {
    std::vector<double> latencies;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const TimedKernel kernel = kernel_of(sizes[i]);
      latencies.push_back(cycles(after[i], kernel) / (kernel.rounds * loads));
    }
    const double limit = latencies.front() + (latencies.back() - latencies.front()) / 16;
    std::size_t fits = 0;
    while (fits + 1 < sizes.size() && latencies[fits + 1] < limit) ++fits;
    return std::vector<double>{static_cast<double>(sizes[fits]) / kib};
  };
  return result;
}

std::vector<std::uint64_t> steps(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t bytes = first; bytes <= last; bytes += step) sizes.push_back(bytes);
  return sizes;
}

/// A load of constants from a ring, in cycles; with two dependent instructions of address arithmetic.
Measurement constant_latency(std::uint64_t bytes) {
  const TimedKernel kernel = constant_ring(bytes, 64);
  Measurement result;
  result.group = "memory";
  result.name = fmt::format("ld.const, cvt.u64.u32 and add.u64, ring of {} KiB", bytes / kib);
  result.unit = "cycles";
  result.bytes = bytes;
  result.jobs = [=, name = result.name] { return std::vector<device::Job>{kernel.job(name)}; };
  result.values = [=](std::span<const device::Buffers> after) {
    return std::vector<double>{cycles(after.front(), kernel) / (kernel.rounds * constant_copies)};
  };
  return result;
}

}  // namespace

std::vector<Measurement> geometry_measurements() {
  std::vector<Measurement> all;
  const auto first_level = [&](const std::string& name, std::uint32_t shared_bytes) {
    all.push_back(largest_that_fits(name, steps(8 * kib, 144 * kib, 4 * kib), copies,
                                    [=](std::uint64_t bytes) { return ring(bytes, 128, shared_bytes); }));
  };
  first_level("first-level cache, no shared memory", 0);
  first_level("first-level cache, blocks of one warp with 2 KiB of shared memory", 2048);
  first_level("first-level cache, blocks of one warp with 3 KiB of shared memory", 3072);
  all.push_back(largest_that_fits("second-level cache", steps(1024 * kib, 8192 * kib, 256 * kib), copies,
                                  [](std::uint64_t bytes) { return ring(bytes, 128, 0); }));
  all.push_back(largest_that_fits("constant cache", steps(1 * kib, 8 * kib, 256), constant_copies,
                                  [](std::uint64_t bytes) { return constant_ring(bytes, 64); }));
  all.push_back(constant_latency(16 * kib));
  return all;
}

}  // namespace reconverge::silicon
