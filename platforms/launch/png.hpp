#pragma once
/// Buffers as PNG pictures.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

/// Of a side of a picture.
inline constexpr std::uint64_t most_pixels = 16384;

/// Throws InputError when an array of this type and shape is no picture: u8, u32, s32 or f32, in rows and columns, and
/// one, three or four colours.
void check_png(ElementType type, std::span<const std::uint64_t> shape);

/// The bytes of a PNG file, of an array that check_png lets pass. A fourth colour is left out. Of u32 and s32 the
/// lowest byte counts; f32 is black at 0 and below and where it is not a number, and full from 1 on.
std::string png_bytes(ElementType type, std::span<const std::uint64_t> shape, std::span<const std::byte> data);

}  // namespace reconverge::launch
