// SPDX-License-Identifier: Apache-2.0
/// PTX through the whole front end, every pass, and the output of `inspect`. Small programs that load also run: some
/// threads on the scalar interpreter, within a few steps, and one thread on both machines, which must agree.

#include <algorithm>
#include <array>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "models/kernel/inspect/inspect_passes.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"
#include "tests/fuzz/target.hpp"

namespace reconverge::fuzz {

namespace {

constexpr std::size_t most_entries = 3;
constexpr std::uint64_t most_bytes = 1U << 16U;  // of shared, local and global variables that run
constexpr std::uint64_t most_steps = 2000;
constexpr std::size_t buffer_bytes = 4096;

void show_everything(const kernel::Program& program) {
  kernel::listing(program);
  kernel::parameter_table(program);
  kernel::flow_text(program);
  kernel::flow_dot(program);
  kernel::loops_text(program);
  kernel::liveness_text(program);
  kernel::reconvergence_text(program);
  kernel::divergence_text(program);
  kernel::barriers_text(program);
  kernel::scoreboards_text(program);
  static constexpr std::array<std::uint32_t, 2> sizes{32, 1024};
  kernel::OccupancyQuestion question;
  question.limits = {65536, 8, 48 * 1024, 64, 16};
  question.block_sizes = sizes;
  kernel::occupancy_text(program, question);
}

void check_targets(const kernel::Program& program) {
  const std::size_t size = program.instructions.size();
  for (const kernel::Instruction& instruction : program.instructions) {
    const bool table = instruction.opcode == kernel::Opcode::brx;
    const std::size_t most = table ? program.branch_tables.size() : size;
    require(instruction.target == kernel::no_pc || instruction.target < most, "a target lies within the program");
    require(instruction.reconvergence == kernel::no_pc || instruction.reconvergence < size, "lanes meet within it");
  }
}

bool is_small(const kernel::Program& program) {
  std::uint64_t bytes = program.shared_bytes + std::uint64_t{program.local_bytes};
  for (const kernel::GlobalVariable& variable : program.globals) {
    if (variable.texture) return false;
    bytes += variable.bytes;
  }
  return bytes <= most_bytes;
}

/// Parameters of eight bytes point to a buffer, others are small numbers.
Launch launch_of(const kernel::Program& program, DeviceMemory& memory, std::uint32_t threads) {
  const DeviceAddress buffer = memory.allocate("buffer", buffer_bytes);
  Launch launch;
  launch.program = &program;
  launch.block = {threads};
  launch.parameters.resize(program.parameter_bytes, std::byte{1});
  for (const kernel::KernelParameter& parameter : program.parameters) {
    if (parameter.bytes == sizeof buffer)
      std::memcpy(launch.parameters.data() + parameter.offset, &buffer, sizeof buffer);
  }
  return launch;
}

template <typename Machine>
std::vector<std::byte> memory_after(Machine& machine, const kernel::Program& program, std::uint32_t threads) {
  const Launch launch = launch_of(program, machine.memory(), threads);
  machine.run(launch);
  std::vector<std::byte> result;
  for (const Buffer& buffer : machine.memory().buffers()) {
    const auto bytes = machine.memory().view(buffer.address);
    result.insert(result.end(), bytes.begin(), bytes.end());
  }
  return result;
}

void run(const kernel::Program& program) {
  taken([&] {
    ScalarInterpreter interpreter(most_steps);
    memory_after(interpreter, program, 3);
  });
  std::vector<std::byte> expected;
  const bool ends = taken([&] {
    ScalarInterpreter interpreter(most_steps);
    expected = memory_after(interpreter, program, 1);
  });
  if (!ends) return;
  FunctionalMachine machine;
  require(memory_after(machine, program, 1) == expected, "a thread leaves the same memory on both machines");
}

}  // namespace

}  // namespace reconverge::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reconverge;
  const std::string text = fuzz::text_of(data, size);
  std::vector<std::string> entries;
  fuzz::taken([&] { entries = kernel::entries_of_text(text, "fuzz.ptx"); });
  entries.resize(std::min(entries.size(), fuzz::most_entries));
  for (const std::string& entry : entries) {
    fuzz::taken([&] {
      const kernel::Program program = kernel::load_program_text(text, "fuzz.ptx", entry, extensions_of());
      fuzz::check_targets(program);
      fuzz::show_everything(program);
      if (fuzz::is_small(program)) fuzz::run(program);
    });
  }
  return 0;
}
