// SPDX-License-Identifier: Apache-2.0
// A machine that continues from the stored state of another machine behaves identically: the state contains everything
// that a later launch could notice.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

#include "models/core/simulation_context.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/contract/kernels.hpp"
#include "tests/repetition.hpp"

namespace reconverge::contract {

namespace {

/// A machine that runs a case several times on the same buffers.
class Runs {
 public:
  Runs(const Case& test_case, const GpuParameters& parameters) : gpu_("gpu", parameters) {
    DeviceMemory& memory = gpu_.memory();
    const auto input = memory.upload("input", std::span<const std::uint32_t>(test_case.input));
    const auto output = memory.allocate("output", test_case.output_bytes);
    const auto sums = memory.allocate("sums", sum_words * sizeof(std::uint32_t));
    const std::array<Argument, 3> arguments{input, output, sums};
    launch_ =
        make_launch(test_case.program, test_case.grid, test_case.block, arguments, test_case.dynamic_shared_bytes);
    launch_.cooperative = test_case.cooperative;
  }

  /// The counters of one launch.
  std::vector<std::uint64_t> run() {
    const Statistics before = gpu_.totals();
    gpu_.run(launch_);
    return counters(gpu_.totals().since(before));
  }
  /// What a checkpoint contains.
  std::pair<std::string, std::vector<std::byte>> stored() {
    StateArchive state;
    CHECK(gpu_.archive(state));
    return {state.bytes(), memory()};
  }
  void restore(const std::pair<std::string, std::vector<std::byte>>& stored) {
    gpu_.skip(launch_);
    REQUIRE(gpu_.memory().used().size() == stored.second.size());
    std::ranges::copy(stored.second, gpu_.memory().used().begin());
    StateArchive state(stored.first);
    gpu_.archive(state);
    CHECK(state.at_end());
  }
  std::vector<std::byte> memory() {
    const auto used = gpu_.memory().used();
    return {used.begin(), used.end()};
  }

 private:
  SimulationContext context_;
  Gpu gpu_;
  Launch launch_;
};

}  // namespace

TEST_CASE("a machine continues from the state of another under every scheme", "[scheme]") {
  const std::size_t number = GENERATE(range(std::size_t{0}, std::size(schemes)));
  const std::string_view scheme = schemes[number];
  const auto all = shapes();
  std::size_t turn = number;
  std::size_t kernel = number;
  for (const Case& test_case : cases()) {
    // Each scheme runs some kernels, each in one shape, and the next scheme others.
    if (kernel++ % (tests::short_form() ? 6 : 2) != 0) continue;
    const Shape& shape = all[turn++ % all.size()];
    CAPTURE(scheme, shape.name, test_case.name);
    const GpuParameters parameters = parameters_of(shape, scheme, test_case);
    std::pair<std::string, std::vector<std::byte>> stored;
    std::vector<std::uint64_t> expected;
    std::vector<std::byte> left;
    {
      Runs runs(test_case, parameters);
      runs.run();
      stored = runs.stored();
      expected = runs.run();
      left = runs.memory();
    }
    Runs runs(test_case, parameters);
    runs.restore(stored);
    CHECK(runs.run() == expected);
    CHECK((runs.memory() == left));
  }
}

}  // namespace reconverge::contract
