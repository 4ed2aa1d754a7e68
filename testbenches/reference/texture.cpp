// SPDX-License-Identifier: Apache-2.0
// tex: the formulas of the CUDA C++ Programming Guide, "Texture Fetching", for one thread.

#include "models/kernel/texture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::DataType;
using kernel::Instruction;
using kernel::TextureAddressing;
using kernel::TextureDescriptor;
using kernel::TextureFilter;

namespace {

// One component of `width` bits, as stored in the registers.
std::uint64_t component(const TextureDescriptor& texture, std::uint64_t bits) {
  const unsigned width = std::min(reference::width_of(texture.channel), 16U);  // normalized components are no wider
  const bool is_signed = kernel::is_signed(texture.channel);
  if (texture.normalized == 0) return reference::low_bits(reference::extended(bits, texture.channel), 32);
  if (!is_signed) {
    return reference::bits_of(static_cast<float>(bits) / static_cast<float>((1U << width) - 1));
  }
  const float value =
      static_cast<float>(reference::signed_value(bits, width)) / static_cast<float>((1U << (width - 1)) - 1);
  return reference::bits_of(value < -1 ? -1.0F : value);
}

// The index in a row of `size` elements for a whole number, step by step; -1: outside.
double placed(double number, double size, TextureAddressing addressing) {
  const bool inside = number >= 0 && number < size;
  if (inside) return number;
  switch (addressing) {
    case TextureAddressing::clamp:
      return number < 0 ? 0 : size - 1;
    case TextureAddressing::wrap:
      return number - size * std::floor(number / size);
    case TextureAddressing::mirror: {
      const double turn = std::floor(number / size);
      const double rest = number - size * turn;
      return std::fmod(std::fabs(turn), 2) < 0.5 ? rest : size - 1 - rest;
    }
    default:
      return -1;
  }
}

// T[i, j, k] of the guide: a component of an element, zero beyond the border.
std::uint64_t element(const DeviceMemory& memory, const TextureDescriptor& texture, const std::array<double, 3>& place,
                      unsigned which) {
  std::uint64_t number = 0;
  for (unsigned axis = 3; axis-- > 0;) {
    const double at = placed(place[axis], static_cast<double>(texture.size[axis]), texture.addressing);
    if (at < 0) return 0;
    number = number * texture.size[axis] + static_cast<std::uint64_t>(at);
  }
  const unsigned bytes = kernel::bytes_of(texture.channel);
  std::uint64_t bits = 0;
  std::memcpy(&bits, memory.host() + texture.address + (number * texture.components + which) * bytes, bytes);
  return component(texture, bits);
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
  const unsigned dimensions = instruction.variant + 1U;
  if (texture.dimensions != dimensions) fail(thread, "a texture of another number of dimensions");

  const bool by_float = instruction.source_type == DataType::f32;
  const bool linear = by_float && texture.filter == TextureFilter::linear;
  std::array<double, 3> below{};
  std::array<double, 3> fraction{};
  for (unsigned axis = 0; axis < dimensions; ++axis) {
    const std::uint64_t bits = source(thread, instruction, 1 + axis);
    auto x = static_cast<double>(reference::signed_value(bits, 32));
    if (by_float) {
      x = static_cast<double>(reference::float_of<float>(bits));
      if (std::isnan(x)) x = 0;
      if (texture.normalized_coordinates != 0) x *= static_cast<double>(texture.size[axis]);
      constexpr double farthest = 1e15;
      x = std::fmin(std::fmax(x, -farthest), farthest);
    }
    if (linear) x -= 0.5;
    below[axis] = std::floor(x);
    fraction[axis] = std::floor((x - below[axis]) * 256 + 0.5) / 256;
  }
  for (unsigned i = 0; i < 4; ++i) {
    std::uint64_t value = 0;
    if (i < texture.components && !linear) value = element(memory_, texture, below, i);
    if (i < texture.components && linear) {
      // (1-a)(1-b)(1-c) T[i, j, k] + a(1-b)(1-c) T[i+1, j, k] + ...
      double sum = 0;
      for (unsigned corner = 0; corner < 1U << dimensions; ++corner) {
        std::array<double, 3> place = below;
        double weight = 1;
        for (unsigned axis = 0; axis < dimensions; ++axis) {
          const bool upper = (corner >> axis & 1U) != 0;
          if (upper) place[axis] += 1;
          weight *= upper ? fraction[axis] : 1 - fraction[axis];
        }
        sum += weight * static_cast<double>(reference::float_of<float>(element(memory_, texture, place, i)));
      }
      const auto rounded = static_cast<float>(sum);
      value = std::isnan(rounded) ? 0x7fffffff : reference::bits_of(rounded);
    }
    write_destination(thread, instruction, i, value);
  }
}

}  // namespace reconverge
