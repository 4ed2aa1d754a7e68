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
    std::uint32_t line = 0;    ///< of the loop or branch that it comes from
    std::uint32_t passed = 0;  ///< bytes of values that are passed at its top; predicates count by their words
    std::uint32_t loaded = 0;  ///< of these, bytes that it loads
  };
  struct Spawn {
    std::uint32_t line = 0;  ///< of the instruction before it; zero: the top of the kernel
    std::string label;       ///< micro-kernel that it spawns
    std::uint32_t stored = 0;
  };
  struct Place {
    std::uint32_t offset = 0;
    unsigned bytes = 0;
    std::string values;  ///< of a word of predicates all, lowest bit first
  };
  std::string kernel;
  std::uint32_t state_bytes = 0;  ///< a thread
  std::uint32_t local_bytes = 0;  ///< of these, local arrays
  /// Bytes of global memory for each thread of the launch: the last parameter is the address of memory for all of them.
  /// Zero: the kernel keeps its parameters.
  std::uint32_t array_bytes = 0;
  std::vector<Microkernel> microkernels;
  std::vector<Spawn> spawns;
  std::vector<Place> places;
};

MicrokernelReport report_of(const WrittenKernel& kernel, const MicrokernelPlan& plan);

/// As comment lines of PTX. `how`: the options, as on the command line.
std::string comment_of(const MicrokernelReport& report, std::string_view how);

}  // namespace reconverge::kernel
