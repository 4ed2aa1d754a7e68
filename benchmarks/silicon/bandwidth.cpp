// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/silicon/bandwidth.hpp"

#include <fmt/format.h>

namespace reconverge::silicon {

namespace {

using device::BufferAddress;
using device::Job;

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
constexpr std::uint32_t threads = 1024;
constexpr std::uint32_t unrolled = 4;

/// All threads pass over vectors of 16 bytes, four apart by the number of threads at a time. `%d0` is the place in the
/// first array, and `%d9` the bytes from each array to the next.
constexpr std::string_view frame = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry moved(.param .u64 data, .param .u64 apart, .param .u32 vectors, .param .u32 passes)
{{
  .reg .b32 %r<32>, %index, %all, %vectors, %passes, %i;
  .reg .b64 %d<10>, %data, %step;
  .reg .f32 %f<48>;
  .reg .pred %p<4>;
  ld.param.u64 %data, [data];
  ld.param.u64 %d9, [apart];
  ld.param.u32 %vectors, [vectors];
  ld.param.u32 %passes, [passes];
  mov.u32 %index, %ctaid.x;
  mov.u32 %r0, %ntid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %index, %index, %r0, %r1;
  mov.u32 %all, %nctaid.x;
  mul.lo.u32 %all, %all, %r0;
  mul.wide.u32 %step, %all, 16;
  mov.u32 %r9, 0;
PASS:
  mov.u32 %i, %index;
  mul.wide.u32 %d0, %index, 16;
  add.u64 %d0, %data, %d0;
LOOP:
{body}
  mad.lo.u32 %i, %all, 4, %i;
  setp.lt.u32 %p0, %i, %vectors;
  @%p0 bra LOOP;
  sub.u32 %passes, %passes, 1;
  setp.ne.u32 %p0, %passes, 0;
  @%p0 bra PASS;
  setp.ne.u32 %p1, %r9, 1;
  @%p1 bra DONE;
  st.global.u32 [%data], %r9;
DONE:
  ret;
}}
)";

std::string loads() {
  std::string text;
  for (unsigned i = 0; i < unrolled; ++i) {
    text += fmt::format("  ld.global.cg.v4.u32 {{%r{}, %r{}, %r{}, %r{}}}, [%d0];\n  add.u64 %d0, %d0, %step;\n",
                        10 + 4 * i, 11 + 4 * i, 12 + 4 * i, 13 + 4 * i);
  }
  for (unsigned i = 0; i < 4 * unrolled; ++i) text += fmt::format("  or.b32 %r9, %r9, %r{};\n", 10 + i);
  return text;
}

std::string stores() {
  std::string text;
  for (unsigned i = 0; i < unrolled; ++i) {
    text += "  st.global.v4.u32 [%d0], {%index, %index, %index, %index};\n  add.u64 %d0, %d0, %step;\n";
  }
  return text;
}

/// a = b + 3 c, in single precision.
std::string triad() {
  std::string text;
  for (unsigned i = 0; i < unrolled; ++i) {
    const auto four = [](unsigned first) {
      return fmt::format("{{%f{}, %f{}, %f{}, %f{}}}", first, first + 1, first + 2, first + 3);
    };
    text += fmt::format("  add.u64 %d1, %d0, %d9;\n  add.u64 %d2, %d1, %d9;\n  ld.global.v4.f32 {}, [%d1];\n", four(0));
    text += fmt::format("  ld.global.v4.f32 {}, [%d2];\n", four(4));
    for (unsigned j = 0; j < 4; ++j) text += fmt::format("  fma.rn.f32 %f{0}, %f{1}, 0f40400000, %f{0};\n", j, 4 + j);
    text += fmt::format("  st.global.v4.f32 [%d0], {};\n  add.u64 %d0, %d0, %step;\n", four(0));
  }
  return text;
}

/// `bytes` of each of `arrays` arrays, which lie one after the other.
Job job_of(const std::string& name, const std::string& body, unsigned blocks, std::uint64_t bytes, std::uint64_t arrays,
           std::uint32_t passes) {
  Job job;
  job.name = name;
  job.ptx = fmt::format(frame, fmt::arg("body", body));
  job.entry = "moved";
  job.grid = {blocks};
  job.block = {threads};
  // One step of all threads may go beyond the end.
  const std::uint64_t apart = bytes + std::uint64_t{unrolled} * threads * blocks * 16;
  job.buffers = {std::vector<std::byte>(apart * arrays)};
  job.arguments = {BufferAddress{0}, Argument(apart), Argument(static_cast<std::uint32_t>(bytes / 16)),
                   Argument(passes)};
  return job;
}

/// What a launch with these blocks really moves: whole steps of all threads.
double moved(unsigned blocks, std::uint64_t bytes) {
  const std::uint64_t step = std::uint64_t{unrolled} * threads * blocks * 16;
  return static_cast<double>((bytes + step - 1) / step * step);
}

}  // namespace

std::vector<Bandwidth> bandwidths(unsigned multiprocessors) {
  std::vector<Bandwidth> all;
  const unsigned blocks = multiprocessors;
  const std::uint64_t in_cache = 5 * mib / 4;
  all.push_back({"second-level cache, loads", job_of("L2 loads", loads(), blocks, in_cache, 1, 2),
                 job_of("L2 loads", loads(), blocks, in_cache, 1, 6), 4 * moved(blocks, in_cache)});
  const auto from_memory = [&](const std::string& name, const std::string& body, std::uint64_t arrays) {
    const std::uint64_t less = 24 * mib / arrays;
    const std::uint64_t more = 96 * mib / arrays;
    all.push_back({name, job_of(name, body, blocks, less, arrays, 1), job_of(name, body, blocks, more, arrays, 1),
                   static_cast<double>(arrays) * (moved(blocks, more) - moved(blocks, less))});
  };
  from_memory("memory, loads", loads(), 1);
  from_memory("memory, stores", stores(), 1);
  from_memory("memory, triad", triad(), 3);
  return all;
}

}  // namespace reconverge::silicon
