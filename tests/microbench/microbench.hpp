#pragma once
/// Runs the kernels of testbenches/kernels/microbench, whose times follow on paper from the parameters.
///
/// A test runs a kernel with two numbers of iterations and compares what the further iterations took with the closed
/// form that the PTX file states: what a launch takes besides cancels out.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/core/cycle.hpp"
#include "platforms/gpu/gpu.hpp"

namespace reconverge::tests {

/// All kernels take a buffer, the number of iterations, and a size whose meaning is their own.
struct Microbench {
  std::string file;   ///< without folder and ending
  std::string entry;  ///< of the file
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
  std::uint32_t size = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t buffer_bytes = 4096;
  /// Writes what the kernel finds in the buffer, which lies at the address; empty: zeros.
  std::function<void(std::span<std::byte>, DeviceAddress)> fill{};
  /// PTX that is run instead of the file's, where it is not empty.
  std::string text{};
};

struct Measurement {
  Cycle cycles = 0;
  Statistics totals;
  std::vector<std::uint32_t> words;  ///< of the buffer, at the end
};

/// One launch of so many iterations on a machine of its own.
Measurement run(const Microbench& bench, std::uint32_t iterations, const GpuParameters& parameters);

/// What the iterations beyond the first `from` add.
struct Growth {
  std::uint32_t iterations = 0;
  Cycle cycles = 0;
  Statistics totals;

  double cycles_each() const { return static_cast<double>(cycles) / iterations; }
};
Growth growth(const Microbench& bench, std::uint32_t from, std::uint32_t to, const GpuParameters& parameters);

/// One SM whose instructions and operands are always there, all blocks on one clock: what a test is not about stays out
/// of the way.
GpuParameters plain_machine();
/// The same with one latency behind the first-level cache.
GpuParameters fixed_latency_machine(Cycle latency);

/// True when `measured` is within `percent` of `expected`.
bool within(double measured, double expected, double percent);

}  // namespace reconverge::tests
