#pragma once
/// Runs one kernel on every machine that has to agree about it: the scalar interpreter, the untimed machine, and the
/// timed GPU under each divergence scheme and in several shapes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "models/execution/launch.hpp"
#include "platforms/functional/functional_machine.hpp"
#include "platforms/gpu/gpu.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/multi_pass/multi_pass_machine.hpp"
#include "platforms/stream_processor/stream_machine.hpp"

namespace reconverge::contract {

/// The schemes that the suites run. A new scheme joins here, and inherits every case, shape and random program.
inline constexpr std::string_view schemes[] = {"reconvergence_stack",   "mimd",
                                               "dynamic_ray_shuffling", "thread_block_compaction",
                                               "dynamic_microkernel",   "convergence_barrier",
                                               "subwarp_interleaving",  "raytrace"};

inline constexpr std::uint64_t input_words = 1024;
inline constexpr std::uint64_t sum_words = 256;

/// `input_words` pseudo-random words, always the same.
std::vector<std::uint32_t> random_words();

/// A kernel with the parameters (.u64 input, .u64 output, .u64 sums) and how it is launched. Output and sums begin as
/// zeros.
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

/// What a run leaves: output, then sums; and how many thread instructions passed their guard.
struct Outcome {
  std::vector<std::byte> memory;
  std::uint64_t thread_instructions = 0;
};

/// `step_limit`: steps of one thread after which it counts as endless (ExecutionError).
Outcome run_scalar(const Case& test_case, std::uint64_t step_limit = 1'000'000);
Outcome run_functional(const Case& test_case, const FunctionalParameters& parameters = {});

struct TimedOutcome : Outcome {
  Statistics totals;
};
/// `kinds`: of the schemes that the parameters may name.
TimedOutcome run_timed(const Case& test_case, const GpuParameters& parameters, SchemeList kinds = built_in_schemes());

/// On a stream processor.
TimedOutcome run_streams(const Case& test_case, const StreamProcessorParameters& parameters);
/// On a machine with guards alone.
TimedOutcome run_passes(const Case& test_case, const MultiPassParameters& parameters);

/// A shape of the GPU; it may fit the kernel closely.
struct Shape {
  std::string name;
  std::function<void(GpuParameters&, const Case&)> apply;
};
std::span<const Shape> shapes();
GpuParameters parameters_of(const Shape& shape, std::string_view scheme, const Case& test_case);

/// All counters in report order.
std::vector<std::uint64_t> counters(const Statistics& totals);

/// Where two memories differ first, in words; empty when they do not.
std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found);

/// Issued warp instructions by active lanes. A branch is executed by all lanes of its path, whether they take it or
/// not.
using ByLanes = std::map<unsigned, std::uint64_t>;
ByLanes by_lanes(const Statistics& totals);

}  // namespace reconverge::contract
