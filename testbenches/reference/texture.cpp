// tex.1d: one element of a row, made into four values.

#include "models/kernel/texture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::DataType;
using kernel::Instruction;
using kernel::TextureDescriptor;

namespace {

// One component of `width` bits, as the registers get it.
std::uint64_t component(const TextureDescriptor& texture, std::uint64_t bits) {
  const unsigned width = reference::width_of(texture.channel);
  const bool is_signed = kernel::is_signed(texture.channel);
  if (texture.normalized == 0) return reference::low_bits(reference::extended(bits, texture.channel), 32);
  if (!is_signed) {
    return reference::bits_of(static_cast<float>(bits) / static_cast<float>((1U << width) - 1));
  }
  const float value =
      static_cast<float>(reference::signed_value(bits, width)) / static_cast<float>((1U << (width - 1)) - 1);
  return reference::bits_of(value < -1 ? -1.0F : value);
}

}  // namespace

void ScalarInterpreter::execute_texture(Thread& thread, const Instruction& instruction) {
  const std::uint64_t handle = source(thread, instruction, 0);
  TextureDescriptor texture;
  const Buffer* buffer = memory_.find(handle);
  if (buffer != nullptr && handle + sizeof(texture) <= buffer->address + buffer->bytes) {
    std::memcpy(&texture, memory_.host() + handle, sizeof(texture));
  }
  if (texture.kind != TextureDescriptor::mark) fail(thread, fmt::format("no texture at {:#x}", handle));

  const std::uint64_t coordinate = source(thread, instruction, 1);
  const double number = instruction.source_type == DataType::f32
                            ? std::floor(static_cast<double>(reference::float_of<float>(coordinate)))
                            : static_cast<double>(reference::signed_value(coordinate, 32));
  const bool inside = number >= 0 && number < static_cast<double>(texture.elements);
  for (unsigned i = 0; i < 4; ++i) {
    std::uint64_t value = 0;
    if (inside && i < texture.components) {
      const unsigned bytes = kernel::bytes_of(texture.channel);
      const std::uint64_t at = texture.address + (static_cast<std::uint64_t>(number) * texture.components + i) * bytes;
      std::uint64_t bits = 0;
      std::memcpy(&bits, memory_.host() + at, bytes);
      value = component(texture, bits);
    }
    write_destination(thread, instruction, i, value);
  }
}

}  // namespace reconverge
