// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Pointer chases and streams, for the microbenchmarks of memory and of L1 caches.

#include <cstdint>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {

inline constexpr std::uint64_t line = 128;
inline constexpr unsigned stream_warps = 64;

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// A machine with one L2 slice and one DRAM channel of one bank. Each access to a row that is not open opens the row.
GpuParameters one_slice();

/// A ring of `count` pointers, `stride` bytes apart, that begins at a multiple of 64 KiB. `entry` is a kernel of
/// pointer_chase.ptx.
Microbench ring(std::uint64_t count, std::uint64_t stride, const char* entry = "chase");

/// Cycles of one load, after two passes through the ring.
double cycles_of_load(const Microbench& bench, std::uint64_t count, const GpuParameters& parameters);

/// Cycles of the round trip from the L1 cache to an L2 hit with this many bytes of data.
Cycle way_to_second_level(const GpuParameters& parameters, std::uint64_t bytes);

/// Streams of 64 warps an SM, enough to saturate any bandwidth with requests in flight, for kernels of streams.ptx.
inline constexpr std::uint32_t few_lines = 8;
inline constexpr std::uint32_t many_lines = 24;
Microbench stream(const char* entry, unsigned sms);

/// Cycles of all SMs together for a line of a stream.
double cycles_of_line(const char* entry, const GpuParameters& parameters);

}  // namespace reconverge::tests
