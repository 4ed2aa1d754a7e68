// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/transform/spawning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge::kernel::tests {

namespace {

constexpr std::size_t input_words = 1024;
constexpr std::size_t sum_words = 256;
constexpr std::uint64_t step_limit = 4'000'000;

std::vector<std::uint32_t> random_words() {
  std::mt19937 random(1);
  std::vector<std::uint32_t> words(input_words);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

}  // namespace

std::vector<std::byte> memory_after(const ThreeBuffers& launch, std::string_view ptx) {
  static const std::vector<std::uint32_t> input = random_words();
  const Program program = load_program_text(ptx, launch.name, launch.entry, spawn_instructions());
  ScalarInterpreter interpreter(step_limit);
  DeviceMemory& memory = interpreter.memory();
  const DeviceAddress in = memory.upload("input", std::span<const std::uint32_t>(input));
  const DeviceAddress output = memory.allocate("output", launch.output_bytes);
  const DeviceAddress sums = memory.allocate("sums", sum_words * 4);
  std::vector<Argument> arguments{in, output, sums};
  if (program.parameters.size() > arguments.size())
    arguments.emplace_back(memory.allocate("arrays", launch.grid.count() * launch.block.count() * launch.array_bytes));
  Launch run = make_launch(program, launch.grid, launch.block, arguments, launch.dynamic_shared_bytes);
  std::string printed;
  run.print = [&](std::string_view text) { printed += text; };
  interpreter.run(run);
  std::vector<std::byte> result;
  for (const DeviceAddress buffer : {output, sums}) {
    const auto bytes = memory.view(buffer);
    result.insert(result.end(), bytes.begin(), bytes.end());
  }
  const auto text = std::as_bytes(std::span(printed));
  result.insert(result.end(), text.begin(), text.end());
  return result;
}

std::string difference(const std::vector<std::byte>& expected, const std::vector<std::byte>& found) {
  const auto at = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (at.first == expected.end() && at.second == found.end()) return {};
  return fmt::format("byte {} of output, sums and print differs", at.first - expected.begin());
}

}  // namespace reconverge::kernel::tests
