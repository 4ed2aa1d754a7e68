// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/spawn_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/analysis/liveness.hpp"
#include "models/schemes/dynamic_microkernel/partial_warp_pool.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"

namespace reconverge {

using kernel::Instruction;
using kernel::Pc;

namespace {

SourceLocation line_of(const kernel::Program& program, const Instruction& instruction) {
  return {program.file, instruction.line, 0};
}

void check_count(const kernel::Program& program, std::uint64_t lines) {
  const std::vector<Pc> locations = spawn_locations(program);
  if (locations.size() <= lines) return;
  const auto first_too_many = std::ranges::find_if(
      program.instructions, [&](const Instruction& one) { return is_spawn(one) && one.target == locations[lines]; });
  throw InputError(line_of(program, *first_too_many),
                   fmt::format("kernel '{}' has {} micro-kernels, and the spawn LUT {} lines", program.name,
                               locations.size(), lines),
                   "a line is needed for each: raise gpu.sm.dynamic_microkernel.lut_lines, or spawn at fewer labels");
}

void check_state(const kernel::Program& program, std::uint64_t state_bytes) {
  for (const Instruction& one : program.instructions) {
    if (one.space != kernel::Space::spawn || is_spawn(one)) continue;
    const std::int64_t bytes = std::int64_t{one.vector_width} * kernel::bytes_of(one.type);
    if (one.offset >= 0 && one.offset + bytes <= static_cast<std::int64_t>(state_bytes)) continue;
    throw InputError(line_of(program, one),
                     fmt::format("bytes {} to {} of a thread's state, which has {}", one.offset, one.offset + bytes - 1,
                                 state_bytes),
                     "set gpu.sm.dynamic_microkernel.state_bytes to what the kernel passes on");
  }
}

void check_registers(const kernel::Program& program) {
  const std::vector<kernel::Accesses> accesses = kernel::accesses_of(program);
  const auto liveness = kernel::compute_liveness(program.blocks, accesses, program.register_rows + program.predicates);
  for (const Pc location : spawn_locations(program)) {
    const auto block = std::ranges::find(program.blocks, location, &kernel::BasicBlock::first);
    const auto& live = liveness.live_in[static_cast<std::size_t>(block - program.blocks.begin())];
    if (live.none()) continue;
    const auto value = static_cast<kernel::ValueId>(live.find_first());
    const auto reader = std::find_if(accesses.begin() + location, accesses.end(), [&](const kernel::Accesses& one) {
      return std::ranges::find(one.uses, value) != one.uses.end();
    });
    const Instruction& at =
        program.instructions[reader == accesses.end() ? location : static_cast<Pc>(reader - accesses.begin())];
    throw InputError(
        line_of(program, at),
        fmt::format("the micro-kernel '{}' reads a register here that it may not have written", block->label),
        "registers do not pass to a new thread: load the value from spawn memory, or set it first");
  }
}

}  // namespace

std::vector<Pc> spawn_locations(const kernel::Program& program) {
  std::vector<Pc> locations;
  for (const Instruction& one : program.instructions) {
    if (is_spawn(one) && std::ranges::find(locations, one.target) == locations.end()) locations.push_back(one.target);
  }
  return locations;
}

SpawnMemorySize spawn_memory_of(std::uint64_t threads, std::uint64_t locations, std::uint64_t bytes_of_state) {
  return {threads * bytes_of_state, PartialWarpPool::entries(threads, locations)};
}

void check_spawns(const kernel::Program& program, const DynamicMicrokernelParameters& parameters) {
  check_count(program, parameters.lut_lines);
  check_state(program, parameters.state_bytes);
  check_registers(program);
}

}  // namespace reconverge
