// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs one kernel on every machine that must give the same result: the scalar interpreter, the functional machine, and
/// the timed GPU under each divergence scheme and in several shapes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "blocks/gpu.hpp"
#include "blocks/multi_pass.hpp"
#include "blocks/stream_processor.hpp"
#include "models/core/statistics_tree.hpp"
#include "models/execution/launch.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/machine_kind.hpp"
#include "platforms/machines/functional/functional_parameters.hpp"

namespace reconverge::contract {

/// The schemes that the suites test. A new scheme that is added here gets every case, shape and random program.
inline constexpr std::string_view schemes[] = {"reconvergence_stack",   "mimd",
                                               "dynamic_ray_shuffling", "thread_block_compaction",
                                               "dynamic_microkernel",   "convergence_barrier",
                                               "subwarp_interleaving",  "raytrace"};

inline constexpr std::uint64_t input_words = 1024;
inline constexpr std::uint64_t sum_words = 256;

/// `input_words` pseudo-random words, always the same ones.
std::vector<std::uint32_t> random_words();

/// A kernel with the parameters (.u64 input, .u64 output, .u64 sums) and its launch. Output and sums are initially
/// zero.
struct Case {
  std::string name;
  std::string ptx;  ///< of the program; its entry is the program's name
  kernel::Program program;
  Dim3 grid;
  Dim3 block;
  std::uint64_t output_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::uint32_t> input = random_words();
  bool cooperative = false;

  std::uint64_t threads() const { return grid.count() * block.count(); }
};

/// The results of a run: output, then sums; and the number of thread instructions that passed their guard.
struct Outcome {
  std::vector<std::byte> memory;
  std::uint64_t thread_instructions = 0;
};

/// `step_limit`: a thread that takes more steps counts as endless (ExecutionError).
Outcome run_scalar(const Case& test_case, std::uint64_t step_limit = 1'000'000);
Outcome run_functional(const Case& test_case, const FunctionalParameters& parameters = {});

struct TimedOutcome : Outcome {
  Statistics totals;
};
/// `kinds`: the schemes that the parameters may name. `threads`: of the host.
TimedOutcome run_timed(const Case& test_case, const GpuParameters& parameters, SchemeList kinds = built_in_schemes(),
                       unsigned threads = 1);
/// On any machine, with the defaults of its parameters. Throws InputError if the machine refuses the kernel.
TimedOutcome run_on(const Case& test_case, const MachineKind& machine, SchemeList kinds);

/// On a stream processor.
TimedOutcome run_streams(const Case& test_case, const StreamProcessorParameters& parameters);
/// On a machine that has only guards.
TimedOutcome run_passes(const Case& test_case, const MultiPassParameters& parameters);

/// A shape of the GPU; it may fit the kernel exactly.
struct Shape {
  std::string name;
  std::function<void(GpuParameters&, const Case&)> apply;
};
std::span<const Shape> shapes();
GpuParameters parameters_of(const Shape& shape, std::string_view scheme, const Case& test_case);

/// All counters in report order.
std::vector<std::uint64_t> counters(const Statistics& totals);

/// The first difference of two memories, in words; empty if they are equal.
std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found);

/// Issued warp instructions by active lanes. All lanes of a path execute its branch, whether they take it or not.
using ByLanes = std::map<unsigned, std::uint64_t>;
ByLanes by_lanes(const Statistics& totals);

}  // namespace reconverge::contract
