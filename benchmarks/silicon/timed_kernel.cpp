// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/silicon/timed_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace reconverge::silicon {

namespace {

constexpr std::string_view frame = R"(.version 7.0
.target sm_75
.address_size 64
.const .align 8 .b8 constants[4096];
{functions}
.visible .entry measured(.param .u64 out, .param .u64 data, .param .u32 count, .param .u32 one)
{{
  .reg .b32 %r<64>, %n, %passes, %one, %zero, %lane, %index, %thread, %threads;
  .reg .b64 %d<64>, %out, %data, %start, %end, %at;
  .reg .f32 %f<32>;
  .reg .f64 %g<16>;
  .reg .b16 %h<16>;
  .reg .pred %p<32>, %again;
{cells}  ld.param.u64 %out, [out];
  ld.param.u64 %data, [data];
  ld.param.u32 %one, [one];
  mov.u32 %lane, %laneid;
  mov.u32 %index, %tid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %ctaid.x;
  mad.lo.u32 %thread, %thread, %threads, %index;
  mov.u64 %d63, 0;
  mul.wide.u32 %at, %lane, 4;
  add.u64 %at, %at, %data;
  ld.global.u32 %zero, [%at];
  bar.sync 0;
{setup}
{before}{body}{after}{keep}
  mul.wide.u32 %at, %thread, 24;
  add.u64 %at, %at, %out;
  st.global.u64 [%at], %start;
  st.global.u64 [%at+8], %end;
  st.global.u64 [%at+16], %d63;
  ret;
}}
)";

/// The counters come from memory, lane by lane: ptxas 13.0 keeps a counter that it knows to be equal in all lanes in a
/// register of the warp and counts it down once for each path that comes to the loop's end by itself.
constexpr std::string_view before_loop = R"(  add.u32 %passes, %zero, 2;
PASS:
  bar.sync 0;
  ld.param.u32 %n, [count];
  add.u32 %n, %n, %zero;
  mov.u64 %start, %clock64;
LOOP:
  .pragma "nounroll";
)";
constexpr std::string_view after_loop = R"(  sub.u32 %n, %n, 1;
  setp.ne.u32 %again, %n, 0;
  @%again bra LOOP;
  mov.u64 %end, %clock64;
  sub.u32 %passes, %passes, 1;
  setp.ne.u32 %again, %passes, 0;
  @%again bra PASS;
)";
constexpr std::string_view before_once = "  mov.u64 %start, %clock64;\n";
constexpr std::string_view after_once = "  mov.u64 %end, %clock64;\n";

/// Of one thread.
struct Record {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t kept = 0;
};

std::vector<Record> records(const device::Buffers& after, const TimedKernel& kernel) {
  std::vector<Record> all(std::size_t{kernel.threads} * kernel.blocks);
  std::memcpy(all.data(), after.at(0).data(), all.size() * sizeof(Record));
  return all;
}

}  // namespace

std::string TimedKernel::text() const {
  const std::string cells = shared_bytes == 0 ? "" : fmt::format("  .shared .align 16 .b8 cells[{}];\n", shared_bytes);
  return fmt::format(frame, fmt::arg("functions", functions), fmt::arg("cells", cells), fmt::arg("setup", setup),
                     fmt::arg("body", body), fmt::arg("before", once ? before_once : before_loop),
                     fmt::arg("after", once ? after_once : after_loop), fmt::arg("keep", keep));
}

device::Job TimedKernel::job(const std::string& name) const {
  device::Job job;
  job.name = name;
  job.ptx = text();
  job.entry = "measured";
  job.grid = {blocks};
  job.block = {threads};
  job.buffers = {std::vector<std::byte>(sizeof(Record) * threads * blocks), std::vector<std::byte>(data_bytes)};
  job.arguments = {device::BufferAddress{0}, device::BufferAddress{1}, Argument(rounds), Argument(std::uint32_t{1})};
  return job;
}

double cycles(const device::Buffers& after, const TimedKernel& kernel) {
  std::uint64_t start = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
  for (const Record& each : records(after, kernel)) {
    start = std::min(start, each.start);
    end = std::max(end, each.end);
  }
  return static_cast<double>(end - start);
}

std::vector<std::uint64_t> kept(const device::Buffers& after, const TimedKernel& kernel) {
  std::vector<std::uint64_t> all;
  for (const Record& each : records(after, kernel)) all.push_back(each.kept);
  return all;
}

std::string repeated(const std::string& line, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; ++i) {
    std::string copy = line;
    for (std::size_t at = copy.find("{}"); at != std::string::npos; at = copy.find("{}", at)) {
      copy.replace(at, 2, std::to_string(i));
    }
    text += copy;
  }
  return text;
}

Measurement cost_of_copy(const std::string& group, const std::string& name, TimedKernel kernel,
                         const std::string& piece, unsigned fewer, unsigned more) {
  TimedKernel shorter = kernel;
  shorter.body = kernel.enter + repeated(piece, fewer) + kernel.leave;
  kernel.body = kernel.enter + repeated(piece, more) + kernel.leave;
  Measurement result;
  result.group = group;
  result.name = name;
  result.unit = "cycles";
  result.bytes = kernel.data_bytes;
  result.jobs = [=] { return std::vector<device::Job>{shorter.job(name), kernel.job(name)}; };
  result.values = [=](std::span<const device::Buffers> after) {
    const double difference = cycles(after[1], kernel) - cycles(after[0], shorter);
    return std::vector<double>{difference / (kernel.rounds * (more - fewer))};
  };
  return result;
}

}  // namespace reconverge::silicon
