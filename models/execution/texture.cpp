// SPDX-License-Identifier: Apache-2.0
#include "models/execution/texture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "models/execution/module_variables.hpp"

namespace reconverge {

namespace {

using kernel::DataType;
using kernel::TextureDescriptor;

[[noreturn]] void refuse(std::string_view name, std::string_view what, std::string_view hint) {
  throw InputError({}, fmt::format("texture '{}': {}", name, what), hint);
}

TextureDescriptor descriptor_of(const DeviceMemory& memory, std::string_view name, const TextureView& view) {
  TextureDescriptor descriptor;
  descriptor.kind = TextureDescriptor::mark;
  descriptor.address = view.address;
  descriptor.size = {view.elements, std::max<std::uint64_t>(view.rows, 1), std::max<std::uint64_t>(view.layers, 1)};
  descriptor.dimensions = view.layers != 0 ? 3 : view.rows != 0 ? 2 : 1;
  descriptor.filter = view.filter;
  descriptor.addressing = view.addressing;
  descriptor.normalized_coordinates = view.normalized_coordinates ? 1 : 0;
  descriptor.channel = view.channel;
  descriptor.components = static_cast<std::uint8_t>(view.components);
  descriptor.normalized = view.normalized ? 1 : 0;
  const bool is_integer = view.channel >= DataType::u8 && view.channel <= DataType::s32;
  if ((!is_integer && view.channel != DataType::f32) || kernel::bytes_of(view.channel) > 4) {
    refuse(name, fmt::format(".{} is no channel", kernel::name_of(view.channel)), "use u8 s8 u16 s16 u32 s32 or f32");
  }
  if (view.components != 1 && view.components != 2 && view.components != 4) {
    refuse(name, fmt::format("{} components", view.components), "an element has 1, 2 or 4");
  }
  if (view.normalized && kernel::bytes_of(view.channel) > 2) {
    refuse(name, fmt::format(".{} cannot be normalized", kernel::name_of(view.channel)),
           "only integers of 8 and 16 bits are");
  }
  if (view.filter == kernel::TextureFilter::linear && is_integer && !view.normalized) {
    refuse(name, "linear filtering makes floats, and these elements are integers",
           "let them be normalized, or take the point filter");
  }
  const bool repeats =
      view.addressing == kernel::TextureAddressing::wrap || view.addressing == kernel::TextureAddressing::mirror;
  if (repeats && !view.normalized_coordinates) {
    refuse(name, "wrap and mirror need normalized coordinates", "let coordinates count from 0 to 1");
  }
  const Buffer* buffer = memory.find(view.address);
  std::uint64_t elements = 0;
  const bool too_many = __builtin_mul_overflow(descriptor.size[0], descriptor.size[1], &elements) ||
                        __builtin_mul_overflow(elements, descriptor.size[2], &elements);
  if (buffer == nullptr || too_many || (elements == 0 && descriptor.dimensions > 1) ||
      elements > (buffer->address + buffer->bytes - view.address) / descriptor.element_bytes()) {
    refuse(name,
           fmt::format("{} elements of {} bytes at {:#x} do not lie in one buffer",
                       fmt::join(std::span(descriptor.size).first(descriptor.dimensions), " x "),
                       descriptor.element_bytes(), view.address),
           "give an address and a number of elements within a buffer of the launch");
  }
  if (view.address % descriptor.element_bytes() != 0) {
    refuse(name, fmt::format("the address {:#x} is no multiple of {} bytes", view.address, descriptor.element_bytes()),
           "align the texture to its elements");
  }
  return descriptor;
}

std::span<const std::byte> bytes_of(const TextureDescriptor& descriptor) {
  return std::as_bytes(std::span(&descriptor, 1));
}

}  // namespace

DeviceAddress make_texture(DeviceMemory& memory, std::string name, const TextureView& view) {
  const TextureDescriptor descriptor = descriptor_of(memory, name, view);
  return memory.upload(std::move(name), bytes_of(descriptor));
}

void bind_texture(DeviceMemory& memory, const kernel::Program& program, std::string_view name,
                  const TextureView& view) {
  std::vector<std::string_view> known;
  for (const kernel::GlobalVariable& variable : program.globals) {
    if (variable.texture) known.push_back(variable.name);
  }
  const auto found =
      std::find_if(program.globals.begin(), program.globals.end(),
                   [&](const kernel::GlobalVariable& variable) { return variable.texture && variable.name == name; });
  if (found == program.globals.end()) {
    refuse(name, fmt::format("kernel '{}' has no such texture reference", program.name), suggest(name, known));
  }
  const TextureDescriptor descriptor = descriptor_of(memory, name, view);
  const std::string buffer = buffer_name(program, *found);
  if (const Buffer* bound = memory.find(buffer)) {
    const auto bytes = bytes_of(descriptor);
    std::copy(bytes.begin(), bytes.end(), memory.view(bound->address).begin());
  } else {
    memory.upload(buffer, bytes_of(descriptor));
  }
}

}  // namespace reconverge
