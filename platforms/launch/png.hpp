// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Buffers as PNG pictures.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

/// The longest side of a picture.
inline constexpr std::uint64_t most_pixels = 16384;

/// Throws InputError if an array of this type and shape is not a picture: u8, u32, s32 or f32, in rows and columns,
/// with one, three or four colours.
void check_png(ElementType type, std::span<const std::uint64_t> shape);

/// The bytes of a PNG file, for an array that check_png accepts. A fourth colour is omitted. For u32 and s32, the
/// lowest byte counts; f32 is black for values up to 0 and NaN, and full from 1 on.
std::string png_bytes(ElementType type, std::span<const std::uint64_t> shape, std::span<const std::byte> data);

}  // namespace reconverge::launch
