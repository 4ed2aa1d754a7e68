// SPDX-License-Identifier: Apache-2.0
#include "testbenches/device/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "models/execution/texture.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"
#include "models/schemes/raytrace/trace_instructions.hpp"
#include "platforms/machines/functional/functional_machine.hpp"

namespace reconverge::device {

namespace {

/// The instructions of all schemes that have any.
std::vector<kernel::ExtensionInstruction> extension_instructions() {
  std::vector<kernel::ExtensionInstruction> all;
  for (const auto some : {ray_instructions(), spawn_instructions(), trace_instructions()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

TextureView view_of(const VolumeTexture& volume, DeviceAddress address) {
  TextureView view;
  view.address = address;
  view.elements = view.rows = volume.side;
  view.layers = volume.layers;
  view.channel = kernel::DataType::u8;
  view.normalized = true;
  view.filter = kernel::TextureFilter::linear;
  view.addressing = kernel::TextureAddressing::wrap;
  view.normalized_coordinates = true;
  return view;
}

}  // namespace

Buffers run_on(DeviceMemory& memory, const std::function<void(const Launch&)>& run, const Job& job) {
  const kernel::Program program = kernel::load_program_text(job.ptx, job.name, job.entry, extension_instructions());
  std::vector<DeviceAddress> addresses;
  for (const auto& bytes : job.buffers) {
    addresses.push_back(memory.upload(fmt::format("buffer {}", addresses.size()), std::span<const std::byte>(bytes)));
  }
  std::vector<Argument> arguments;
  for (const JobArgument& argument : job.arguments) {
    if (const auto* const buffer = std::get_if<BufferAddress>(&argument)) {
      arguments.emplace_back(addresses.at(buffer->index));
    } else if (const auto* const volume = std::get_if<VolumeTexture>(&argument)) {
      arguments.emplace_back(make_texture(memory, "texture", view_of(*volume, addresses.at(volume->index))));
    } else {
      arguments.push_back(std::get<Argument>(argument));
    }
  }
  run(make_launch(program, job.grid, job.block, arguments, job.dynamic_shared_bytes));
  Buffers result;
  for (const DeviceAddress address : addresses) {
    const auto bytes = memory.view(address);
    result.emplace_back(bytes.begin(), bytes.end());
  }
  return result;
}

Buffers run_here(const Job& job) {
  FunctionalMachine machine;
  return run_on(
      machine.memory(), [&](const Launch& launch) { machine.run(launch); }, job);
}

unsigned target_of(const std::string& ptx) {
  constexpr std::string_view words = ".target sm_";
  const std::size_t at = ptx.find(words);
  unsigned number = 0;
  if (at != std::string::npos) std::from_chars(ptx.data() + at + words.size(), ptx.data() + ptx.size(), number);
  return number;
}

std::string depends_on_machine(const std::string& ptx) {
  constexpr std::string_view places[] = {"%warpid",         "%nwarpid",
                                         "%smid",           "%nsmid",
                                         "%gridid",         "%clock",
                                         "%globaltimer",    "%total_smem_size",
                                         "%aggr_smem_size", "%reserved_smem_offset",
                                         "activemask"};
  for (const std::string_view word : places) {
    for (std::size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1)) {
      const char next = ptx[std::min(at + word.size(), ptx.size() - 1)];
      // %clock64 and %globaltimer_lo count; a program's own register such as %smids does not.
      if (std::isalpha(static_cast<unsigned char>(next)) == 0) return fmt::format("{} is the machine's own", word);
    }
  }
  // Before sm_70 the lanes of a warp are together wherever control flow allows it.
  constexpr std::string_view exchanges[] = {"vote.all", "vote.any",  "vote.uni",  "vote.ballot",
                                            "shfl.up",  "shfl.down", "shfl.bfly", "shfl.idx"};
  for (const std::string_view word : exchanges) {
    if (target_of(ptx) >= 70 && ptx.find(word) != std::string::npos) {
      return fmt::format("{} names no members, and lanes need not be together", word);
    }
  }
  return {};
}

}  // namespace reconverge::device
