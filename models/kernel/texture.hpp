// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Textures for `tex`: rows, planes and volumes of elements in a buffer; x varies fastest.
///
/// A texture handle is the device address of a descriptor. `.texref name` is a module variable of the descriptor's
/// size, which the host fills before the launch. A texture object is a descriptor in a separate buffer, whose address
/// is a parameter of the kernel. Both forms of tex are therefore one operation.

#include <array>
#include <cstdint>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// The elements that determine the value at a coordinate: the element that contains it, or the two nearest in each
/// dimension, weighted by 1.8 fixed-point numbers (CUDA C++ Programming Guide, "Texture Fetching").
enum class TextureFilter : std::uint8_t { point, linear };

/// The values outside the elements: zeros, the nearest element, or the elements repeated, or repeated with every second
/// copy mirrored.
enum class TextureAddressing : std::uint8_t { border, clamp, wrap, mirror };

/// The descriptor that a texture handle points to.
struct TextureDescriptor {
  static constexpr std::uint32_t mark = 0x32786574;  // "tex2": distinguishes a descriptor from other bytes

  std::uint64_t address = 0;               ///< of element 0
  std::array<std::uint64_t, 3> size = {};  ///< elements in x, y and z; 1 in unused dimensions
  std::uint32_t kind = 0;                  ///< `mark`
  DataType channel = DataType::none;
  std::uint8_t components = 0;  ///< 1, 2 or 4; the other components of a fetch's result are zero
  std::uint8_t normalized = 0;  ///< 1: integers of 8 and 16 bits become f32 in [0, 1] or [-1, 1]
  std::uint8_t dimensions = 0;  ///< 1 to 3
  TextureFilter filter = TextureFilter::point;
  TextureAddressing addressing = TextureAddressing::border;  ///< in each dimension
  std::uint8_t normalized_coordinates = 0;  ///< 1: floating-point coordinates range from 0 to 1 over all elements
  std::uint8_t padding[21] = {};            // to a power of two

  constexpr std::uint64_t element_bytes() const { return std::uint64_t{bytes_of(channel)} * components; }
  constexpr std::uint64_t elements() const { return size[0] * size[1] * size[2]; }
};
static_assert(sizeof(TextureDescriptor) == 64);

inline constexpr std::uint32_t texture_descriptor_bytes = sizeof(TextureDescriptor);

}  // namespace reconverge::kernel
