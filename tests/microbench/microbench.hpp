// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs the kernels of platforms/kernels/microbench, whose run times can be calculated by hand from the parameters.
///
/// A test runs a kernel with two numbers of iterations and compares the time of the additional iterations with the
/// closed form in the PTX file: the fixed time of a launch cancels out.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/core/cycle.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge::tests {

/// A kernel and its launch. All kernels take a buffer, the number of iterations, and a size whose meaning depends on
/// the kernel.
struct Microbench {
  std::string file;   ///< name without folder and extension
  std::string entry;  ///< a kernel of the file
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
  std::uint32_t size = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t buffer_bytes = 4096;
  /// Writes the initial contents of the buffer, whose address is the second argument; empty: zeros.
  std::function<void(std::span<std::byte>, DeviceAddress)> fill{};
  /// If not empty, PTX to run instead of the file.
  std::string text{};
  /// Bytes of each stack, if the buffer without its first line holds stacks of rays.
  std::uint64_t stack_bytes = 0;
};

struct Measurement {
  Cycle cycles = 0;
  Statistics totals;
  std::vector<std::uint32_t> words;  ///< final contents of the buffer
};

/// Runs one launch of `iterations` iterations on a new machine.
Measurement run(const Microbench& bench, std::uint32_t iterations, const GpuParameters& parameters);

/// The cycles and counters that the iterations after the first `from` add.
struct Growth {
  std::uint32_t iterations = 0;
  Cycle cycles = 0;
  Statistics totals;

  double cycles_each() const { return static_cast<double>(cycles) / iterations; }
};
Growth growth(const Microbench& bench, std::uint32_t from, std::uint32_t to, const GpuParameters& parameters);

/// A machine with one SM, one clock for all blocks, and instructions and operands that are always available. So only
/// the subject of a test has an effect.
GpuParameters plain_machine();
/// The plain machine with one fixed latency below the L1 cache.
GpuParameters fixed_latency_machine(Cycle latency);

/// Whether `measured` is within `percent` of `expected`.
bool within(double measured, double expected, double percent);

}  // namespace reconverge::tests
