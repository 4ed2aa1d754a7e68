#include "models/sm/launch.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

constexpr std::uint64_t max_threads_per_block = 1024;  // CUDA C Programming Guide, table of technical specifications

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
  if (grid.count() == 0 || block.count() == 0) {
    throw InputError({program.file, 0, 0},
                     fmt::format("kernel '{}': grid and block need at least one in each dimension", program.name));
  }
  if (block.count() > max_threads_per_block) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}': {} threads a block, at most {} are possible",
                                                       program.name, block.count(), max_threads_per_block));
  }
  return Launch{&program, grid, block, dynamic_shared_bytes, pack_arguments(program, arguments)};
}

}  // namespace reconverge
