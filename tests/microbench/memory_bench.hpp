// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Pointer chases and streams: code that the microbenchmarks of memory and of L1 caches share.

#include <cstdint>

#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {

inline constexpr std::uint64_t line = 128;
inline constexpr unsigned stream_warps = 64;

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

/// One slice and one channel with one bank; every row of the ring except the open one must be opened.
GpuParameters one_slice();

/// A ring of `count` pointers, `stride` bytes apart, that begins at a multiple of 64 KiB; for an entry of
/// pointer_chase.
Microbench ring(std::uint64_t count, std::uint64_t stride, const char* entry = "chase");

/// Cycles of one load, once the ring has been walked through twice.
double cycles_of_load(const Microbench& bench, std::uint64_t count, const GpuParameters& parameters);

/// Cycles from the L1 cache to an L2 hit and back, with this many bytes of data.
Cycle way_to_second_level(const GpuParameters& parameters, std::uint64_t bytes);

/// Streams of 64 warps an SM, which have enough requests in flight for any bandwidth; an entry of streams.
inline constexpr std::uint32_t few_lines = 8;
inline constexpr std::uint32_t many_lines = 24;
Microbench stream(const char* entry, unsigned sms);

/// Cycles for a line of a stream; all SMs together.
double cycles_of_line(const char* entry, const GpuParameters& parameters);

}  // namespace reconverge::tests
