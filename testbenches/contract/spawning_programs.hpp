#pragma once
/// Random programs that spawn: micro-kernels that the pass makes of random kernels, on machines that create threads.

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
  bool adaptive = false;  ///< how many instructions run is then a question of who runs together
};

/// The ways in which programs are made: at loops and at branches, plainly and adaptively.
std::span<const kernel::MicrokernelOptions> spawning_ways();

/// `original`: the case of the program. Nothing where the pass refuses it.
std::optional<SpawningCase> spawning_case(const Program& program, const contract::Case& original,
                                          const kernel::MicrokernelOptions& way);

/// The machine of that shape, with states and lines that are enough.
GpuParameters parameters_of(const SpawningCase& spawning, const contract::Shape& shape);

/// Runs the micro-kernels on that machine. Gives what is not as it should be, each in words: memory as the original
/// leaves it on the scalar interpreter (`expected`), each thread that was created run once, each thread of the grid and
/// its last descendant gone, every issue slot charged. `threads`: grows by those that were created.
std::vector<std::string> breaches_of_spawning(const SpawningCase& spawning, const contract::Outcome& expected,
                                              const GpuParameters& parameters, std::uint64_t& threads);

}  // namespace reconverge::random_programs
