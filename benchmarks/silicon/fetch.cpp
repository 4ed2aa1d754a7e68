// SPDX-License-Identifier: Apache-2.0
// Instruction caches: a loop whose body has more and more instructions.

#include <fmt/format.h>

#include "benchmarks/silicon/ways.hpp"

namespace reconverge::silicon {

std::vector<Measurement> fetch_measurements() {
  std::vector<Measurement> all;
  for (unsigned count = 256; count <= 65536; count *= 2) {
    TimedKernel kernel;
    kernel.rounds = 4;
    kernel.keep = "  add.u32 %r0, %r0, %r1;\n  add.u32 %r2, %r2, %r3;\n  add.u32 %r0, %r0, %r2;\n";
    kernel.keep += keep_r0;
    for (unsigned i = 0; i < 4; ++i) kernel.setup += fmt::format("  mov.u32 %r{}, %lane;\n", i);
    // Four chains, so that a warp could issue one instruction each cycle.
    for (unsigned i = 0; i < count; ++i) {
      kernel.body += fmt::format("  mad.lo.u32 %r{0}, %r{0}, {1}, %one;\n", i % 4, 3 + 2 * i);
    }
    all.push_back(measure("fetch", fmt::format("one warp, a loop of {} multiply-adds", count), "cycles per instruction",
                          kernel, [=](const device::Buffers& after) {
                            return std::vector<double>{cycles(after, kernel) / (kernel.rounds * count)};
                          }));
  }
  return all;
}

}  // namespace reconverge::silicon
