#include "models/memory/coalescer.hpp"

#include <algorithm>

#include "models/sm/lanes/lanewise.hpp"

namespace reconverge {

void coalesce(const MemoryAccess& access, unsigned line_bytes, LineList& lines) {
  lines.clear();
  if (access.lanes == 0) return;
  const auto shift = static_cast<unsigned>(std::countr_zero(line_bytes));
  // Line numbers relative to some lane fit 32 bits, which compares twice as many lanes at once.
  const DeviceAddress base = access.address[first_lane(access.lanes)] >> shift;
  alignas(64) std::uint32_t line[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    line[lane] = static_cast<std::uint32_t>((access.address[lane] >> shift) - base);
  }
  for (LaneMask left = access.lanes; left != 0;) {
    const unsigned lane = first_lane(left);
    const std::uint32_t wanted = line[lane];
    alignas(64) std::uint32_t same[warp_size];
    for (unsigned other = 0; other < warp_size; ++other) same[other] = line[other] == wanted ? ~0U : 0U;
    left &= ~lanes::to_mask(same);
    const DeviceAddress first = access.address[lane] >> shift << shift;
    for (unsigned repeat = 0; repeat < access.repeats; ++repeat) lines.push(first + repeat * row_bytes);
  }
}

unsigned shared_memory_cycles(const MemoryAccess& access, unsigned banks) {
  // A 64-bit or 128-bit access takes its words one after another; words that several lanes share are broadcast.
  const unsigned words = std::max(1U, access.bytes / 4);
  unsigned cycles = 0;
  for (unsigned word = 0; word < words; ++word) {
    std::array<DeviceAddress, warp_size> seen;
    std::array<std::uint8_t, 64> load{};
    unsigned distinct = 0;
    unsigned worst = 0;
    for_each_lane(access.lanes, [&](unsigned lane) {
      const DeviceAddress address = access.address[lane] / 4 + word;
      if (std::find(seen.begin(), seen.begin() + distinct, address) != seen.begin() + distinct) return;
      seen[distinct++] = address;
      worst = std::max<unsigned>(worst, ++load[address % banks]);
    });
    cycles += worst;
  }
  return cycles;
}

}  // namespace reconverge
