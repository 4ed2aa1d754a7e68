// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/silicon/ways.hpp"

#include <fmt/format.h>

namespace reconverge::silicon {

std::string chain(unsigned path, unsigned length) {
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += fmt::format("  mad.lo.u32 %r0, %r0, {}, {};\n", 3 + 2 * (path * length + i), 12345 + 7 * path);
  }
  return text;
}

TimedKernel ways_kernel(unsigned ways, unsigned length, Form form) {
  constexpr unsigned paths = 32;
  TimedKernel kernel;
  // From %one, so that the compiler does not know how many paths are taken.
  kernel.setup = fmt::format("  mov.u32 %r0, %lane;\n  add.u32 %r1, %one, {};\n  and.b32 %r1, %lane, %r1;\n", ways - 2);
  if (form == Form::table) {
    kernel.body = "TABLE: .branchtargets " + repeated("PATH{}, ", paths - 1) + fmt::format("PATH{};\n", paths - 1);
    kernel.body += "  brx.idx %r1, TABLE;\n";
  }
  for (unsigned path = 0; path < paths; ++path) {
    if (form == Form::ifs) {
      kernel.body += fmt::format("  setp.ne.u32 %p1, %r1, {0};\n  @%p1 bra PAST{0};\n", path);
    } else {
      kernel.body += fmt::format("PATH{}:\n", path);
    }
    kernel.body += chain(path, length) + "  bra DONE;\n";
    if (form == Form::ifs) kernel.body += fmt::format("PAST{}:\n", path);
  }
  kernel.body += "DONE:\n";
  kernel.keep = keep_r0;
  return kernel;
}

Measurement measure(const std::string& group, const std::string& name, const std::string& unit,
                    const TimedKernel& kernel,
                    const std::function<std::vector<double>(const device::Buffers&)>& values) {
  Measurement result;
  result.group = group;
  result.name = name;
  result.unit = unit;
  result.bytes = kernel.data_bytes;
  result.jobs = [=] { return std::vector<device::Job>{kernel.job(name)}; };
  result.values = [=](std::span<const device::Buffers> after) { return values(after.front()); };
  return result;
}

Measurement cycles_a_round(const std::string& group, const std::string& name, const TimedKernel& kernel) {
  return measure(group, name, "cycles", kernel, [=](const device::Buffers& after) {
    return std::vector<double>{cycles(after, kernel) / kernel.rounds};
  });
}

}  // namespace reconverge::silicon
