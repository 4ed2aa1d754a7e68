// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random programs that spawn threads: micro-kernels that the pass makes of random kernels, on machines that create
/// threads.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/kernel/transform/microkernels.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

struct SpawningCase {
  contract::Case test_case;  ///< of the micro-kernels
  kernel::MicrokernelReport report;
  bool adaptive = false;  ///< the instruction count then depends on which threads run together
};

/// The options with which programs are made: at loops and at branches, each plain and adaptive.
std::span<const kernel::MicrokernelOptions> spawning_ways();

/// `original`: the case of the program. Nothing if the pass refuses it.
std::optional<SpawningCase> spawning_case(const Program& program, const contract::Case& original,
                                          const kernel::MicrokernelOptions& way);

/// The machine of that shape, with sufficient states and lines.
GpuParameters parameters_of(const SpawningCase& spawning, const contract::Shape& shape);

/// Runs the micro-kernels on that machine and describes each violation: the memory contents must equal those of the
/// original on the scalar interpreter (`expected`), each created thread must run once, each thread of the grid and its
/// last descendant must end, and every issue slot must be charged. `threads`: increased by the number of created
/// threads.
std::vector<std::string> breaches_of_spawning(const SpawningCase& spawning, const contract::Outcome& expected,
                                              const GpuParameters& parameters, std::uint64_t& threads);

}  // namespace reconverge::random_programs
