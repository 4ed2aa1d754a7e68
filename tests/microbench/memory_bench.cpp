// SPDX-License-Identifier: Apache-2.0
#include "tests/microbench/memory_bench.hpp"

#include <catch2/catch.hpp>
#include <cstring>

namespace reconverge::tests {

GpuParameters one_slice() {
  GpuParameters parameters = plain_machine();
  parameters.l2.slices = 1;
  parameters.l2.hash = L2CacheHash::modulo;
  parameters.dram.channels = 1;
  parameters.dram.banks = 1;
  parameters.dram.bank_order = DramBankOrder::plain;
  return parameters;
}

Microbench ring(std::uint64_t count, std::uint64_t stride, const char* entry) {
  constexpr std::uint64_t alignment = 64 << 10;
  Microbench bench{"pointer_chase", entry, 1, 1};
  bench.buffer_bytes = count * stride + alignment;
  bench.fill = [=](std::span<std::byte> bytes, DeviceAddress address) {
    const DeviceAddress first = (address + alignment - 1) / alignment * alignment;
    std::memcpy(bytes.data(), &first, sizeof(first));
    for (std::uint64_t i = 0; i < count; ++i) {
      const DeviceAddress next = first + (i + 1) % count * stride;
      std::memcpy(bytes.data() + (first - address) + i * stride, &next, sizeof(next));
    }
  };
  return bench;
}

double cycles_of_load(const Microbench& bench, std::uint64_t count, const GpuParameters& parameters) {
  const auto warm = static_cast<std::uint32_t>(count / 2);
  return growth(bench, warm, warm + 64, parameters).cycles_each() / 4;
}

Cycle way_to_second_level(const GpuParameters& parameters, std::uint64_t bytes) {
  const auto& crossbar = parameters.crossbar;
  return 2 * crossbar.latency + divide_up(bytes + crossbar.header, crossbar.width) - 1 + parameters.l2.latency;
}

Microbench stream(const char* entry, unsigned sms) {
  Microbench bench{"streams", entry, 2 * sms, stream_warps / 2 * 32};
  bench.size = stream_warps * sms * line;
  bench.buffer_bytes = bench.size * 4ULL * (many_lines + 1);
  return bench;
}

double cycles_of_line(const char* entry, const GpuParameters& parameters) {
  const auto sms = static_cast<unsigned>(parameters.sms);
  const Growth growth = tests::growth(stream(entry, sms), few_lines, many_lines, parameters);
  CHECK(growth.totals.of<LoadStoreStatistics>().line_requests ==
        std::uint64_t{many_lines - few_lines} * 4 * stream_warps * sms);
  return growth.cycles_each() / (4 * stream_warps * sms);
}

}  // namespace reconverge::tests
