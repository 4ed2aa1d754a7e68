// SPDX-License-Identifier: Apache-2.0
#include "models/execution/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

/// Threads are counted, and multiplied by their memory, in 64 bits.
constexpr std::uint64_t max_threads_per_launch = std::uint64_t{1} << 44U;
constexpr std::uint64_t max_threads_per_block = 1024;  // CUDA C Programming Guide, table of technical specifications

std::string shown(const kernel::Extent& extent) { return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]); }

// What the kernel's .reqntid and .maxntid allow. The latter bounds the number of threads, not each extent.
void check_bounds(const kernel::Program& program, Dim3 block) {
  const kernel::LaunchBounds& bounds = program.launch_bounds;
  const SourceLocation place{program.file, bounds.line, 0};
  const kernel::Extent extent = {block.x, block.y, block.z};
  if (bounds.required_block && extent != *bounds.required_block) {
    throw InputError(place, fmt::format("kernel '{}' requires blocks of {} threads (.reqntid), {} given", program.name,
                                        shown(*bounds.required_block), shown(extent)));
  }
  if (bounds.maximum_block && block.count() > kernel::threads_of(*bounds.maximum_block)) {
    throw InputError(place, fmt::format("kernel '{}' allows blocks of at most {} threads in all (.maxntid), {} given",
                                        program.name, shown(*bounds.maximum_block), shown(extent)));
  }
}

}  // namespace

std::vector<std::byte> pack_arguments(const kernel::Program& program, std::span<const Argument> arguments) {
  if (arguments.size() != program.parameters.size()) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}' takes {} arguments, {} given", program.name,
                                                       program.parameters.size(), arguments.size()));
  }
  std::vector<std::byte> packed(program.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& parameter = program.parameters[i];
    const auto bytes = arguments[i].bytes();
    if (bytes.size() != parameter.bytes) {
      throw InputError({program.file, 0, 0},
                       fmt::format("argument {} of kernel '{}' ({}) has {} bytes, {} given", i + 1, program.name,
                                   parameter.name, parameter.bytes, bytes.size()));
    }
    std::memcpy(packed.data() + parameter.offset, bytes.data(), bytes.size());
  }
  return packed;
}

Launch make_launch(const kernel::Program& program, Dim3 grid, Dim3 block, std::span<const Argument> arguments,
                   std::uint32_t dynamic_shared_bytes) {
  return make_packed_launch(program, grid, block, pack_arguments(program, arguments), dynamic_shared_bytes);
}

Launch make_packed_launch(const kernel::Program& program, Dim3 grid, Dim3 block, std::vector<std::byte> parameters,
                          std::uint32_t dynamic_shared_bytes) {
  if (grid.count() == 0 || block.count() == 0) {
    throw InputError({program.file, 0, 0},
                     fmt::format("kernel '{}': grid and block need at least one in each dimension", program.name));
  }
  if (block.count() > max_threads_per_block) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}': {} threads a block, at most {} are possible",
                                                       program.name, block.count(), max_threads_per_block));
  }
  if (grid.count() > max_threads_per_launch / block.count()) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}': {} blocks of {} threads, at most 2^44 threads in "
                                                       "all are possible",
                                                       program.name, grid.count(), block.count()));
  }
  check_bounds(program, block);
  return Launch{&program, grid, block, dynamic_shared_bytes, std::move(parameters), default_stack_bytes};
}

void check_cooperative(const Launch& launch, std::uint64_t most) {
  if (!launch.cooperative) return;
  const kernel::Program& program = *launch.program;
  if (most == 0) {
    throw InputError(
        {program.file, 0, 0},
        fmt::format("kernel '{}' is launched as a cooperative one, and this machine holds no blocks", program.name),
        "run it on a machine with SMs, or leave out `cooperative`");
  }
  if (launch.grid.count() > most) {
    throw InputError(
        {program.file, 0, 0},
        fmt::format("a cooperative launch of kernel '{}' has {} blocks, and the machine holds {} at a time",
                    program.name, launch.grid.count(), most),
        "launch at most as many, each with more work, or use smaller blocks");
  }
}

Launch with_grid_workspace(const Launch& launch, DeviceMemory& memory) {
  // A name that no buffer of a user has.
  constexpr std::string_view name = "workspace of the grid";
  Launch result = launch;
  const Buffer* const known = memory.find(name);
  result.grid_workspace = known != nullptr ? known->address : memory.allocate(std::string(name), 8);
  std::ranges::fill(memory.view(result.grid_workspace), std::byte{0});
  return result;
}

}  // namespace reconverge
