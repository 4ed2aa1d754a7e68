// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The costs of micro-kernels: the state of a thread, and the bytes that are loaded and stored.

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/transform/microkernel_writer.hpp"

namespace reconverge::kernel {

struct MicrokernelReport {
  struct Microkernel {
    std::string label;
    std::uint32_t line = 0;    ///< line of the loop or branch of the split point
    std::uint32_t passed = 0;  ///< bytes of values that are passed to it; predicates count as whole words
    std::uint32_t loaded = 0;  ///< the bytes among these that it loads
  };
  struct Spawn {
    std::uint32_t line = 0;  ///< line of the preceding instruction; zero: the top of the kernel
    std::string label;       ///< micro-kernel that it spawns
    std::uint32_t stored = 0;
  };
  struct Place {
    std::uint32_t offset = 0;
    unsigned bytes = 0;
    std::string values;  ///< for a word of predicates: all predicates, lowest bit first
  };
  std::string kernel;
  std::uint32_t state_bytes = 0;  ///< bytes of state per thread
  std::uint32_t local_bytes = 0;  ///< the bytes among these for local arrays
  /// Bytes of global memory for each thread of the launch. If not zero, the last parameter is the address of the memory
  /// for all threads; otherwise the kernel's parameters are unchanged.
  std::uint32_t array_bytes = 0;
  std::vector<Microkernel> microkernels;
  std::vector<Spawn> spawns;
  std::vector<Place> places;
};

MicrokernelReport report_of(const WrittenKernel& kernel, const MicrokernelPlan& plan);

/// As comment lines of PTX. `how`: the options, as on the command line.
std::string comment_of(const MicrokernelReport& report, std::string_view how);

}  // namespace reconverge::kernel
