// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts sums of light to PNG bytes. Nothing here accesses files: the caller writes all bytes at once.

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reconverge::scenes {

/// Linear light to a display byte: clamp to 0..1, gamma 2 (a square root, so that a kernel does the same with one
/// instruction), times 255, rounded half up. NaN becomes black.
inline std::uint8_t tone_map(float linear) {
  const float clamped = linear > 0.0F ? (linear < 1.0F ? linear : 1.0F) : 0.0F;
  return static_cast<std::uint8_t>(std::floor(std::sqrt(clamped) * 255.0F + 0.5F));
}

/// 8-bit RGB, rows from the top.
struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height

  bool operator==(const Picture&) const = default;
};

/// `linear` holds 3 * width * height floats; each is multiplied by `exposure` and tone mapped.
Picture develop(std::span<const float> linear, std::uint32_t width, std::uint32_t height, float exposure = 1.0F);

/// The picture as a PNG file. Throws std::bad_alloc when the encoder fails.
std::vector<std::uint8_t> encode_png(const Picture& picture);

/// Throws InputError, naming `name`, if the bytes are not a picture.
Picture decode_png(std::span<const std::uint8_t> bytes, const std::string& name);

}  // namespace reconverge::scenes
