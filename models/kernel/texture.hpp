#pragma once
/// One-dimensional textures, as `tex.1d` reads them: a row of elements in a buffer, fetched by number without
/// filtering.
///
/// A texture handle is the device address of a descriptor. `.texref name` is a module variable of that size which the
/// host fills before the launch; a texture object is a descriptor in a buffer of its own whose address a kernel gets as
/// a parameter. So both forms of tex are one operation.

#include <cstdint>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// What lies at a texture handle.
struct TextureDescriptor {
  static constexpr std::uint32_t mark = 0x31786574;  // "tex1": other bytes are no texture

  std::uint64_t address = 0;   ///< of element 0
  std::uint64_t elements = 0;  ///< fetches beyond them give zeros
  std::uint32_t kind = 0;      ///< `mark`
  DataType channel = DataType::none;
  std::uint8_t components = 0;   ///< 1, 2 or 4; the others of the four that a fetch gives are zero
  std::uint8_t normalized = 0;   ///< 1: integers of 8 and 16 bits become f32 in [0, 1] or [-1, 1]
  std::uint8_t padding[9] = {};  // to a power of two

  constexpr std::uint64_t element_bytes() const { return std::uint64_t{bytes_of(channel)} * components; }
};
static_assert(sizeof(TextureDescriptor) == 32);

inline constexpr std::uint32_t texture_descriptor_bytes = sizeof(TextureDescriptor);

}  // namespace reconverge::kernel
