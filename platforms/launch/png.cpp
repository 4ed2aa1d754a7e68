// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/png.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "models/core/error.hpp"
#include "scenes/files/picture.hpp"

namespace reconverge::launch {

namespace {

std::uint8_t level_of(ElementType type, const std::byte* place) {
  const std::uint64_t bits = load_element(type, place);
  if (!is_float(type)) return static_cast<std::uint8_t>(bits);
  const double value = float_value(type, bits);
  return static_cast<std::uint8_t>(std::floor((value > 0 ? std::min(value, 1.0) : 0.0) * 255.0 + 0.5));
}

}  // namespace

void check_png(ElementType type, std::span<const std::uint64_t> shape) {
  if (type != ElementType::u8 && type != ElementType::u32 && type != ElementType::s32 && type != ElementType::f32) {
    throw InputError({}, fmt::format("a picture has no elements of {}", to_string(type)),
                     "write u8, u32, s32 or f32, or npy instead");
  }
  const bool planar = shape.size() == 2 || (shape.size() == 3 && (shape[2] == 3 || shape[2] == 4));
  if (!planar) {
    throw InputError({}, fmt::format("no picture has the shape [{}]", fmt::join(shape, ", ")),
                     "give `shape: [height, width]`, [height, width, 3] or [height, width, 4]");
  }
  if (shape[0] == 0 || shape[1] == 0 || std::max(shape[0], shape[1]) > most_pixels) {
    throw InputError({}, fmt::format("a picture of {} x {} pixels", shape[1], shape[0]),
                     fmt::format("each side has 1 to {}", most_pixels));
  }
}

std::string png_bytes(ElementType type, std::span<const std::uint64_t> shape, std::span<const std::byte> data) {
  const std::uint64_t colours = shape.size() == 3 ? shape[2] : 1;
  scenes::Picture picture{static_cast<std::uint32_t>(shape[1]), static_cast<std::uint32_t>(shape[0]), {}};
  const std::uint64_t pixels = shape[0] * shape[1];
  picture.rgb.reserve(3 * pixels);
  for (std::uint64_t pixel = 0; pixel < pixels; ++pixel) {
    for (std::uint64_t colour = 0; colour < 3; ++colour) {
      const std::uint64_t element = pixel * colours + (colours == 1 ? 0 : colour);
      picture.rgb.push_back(level_of(type, data.data() + element * bytes_of(type)));
    }
  }
  const std::vector<std::uint8_t> bytes = scenes::encode_png(picture);
  return {bytes.begin(), bytes.end()};
}

}  // namespace reconverge::launch
