// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/picture.hpp"

#include <fmt/format.h>
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>

#include "models/core/error.hpp"

namespace reconverge::scenes {

Picture develop(std::span<const float> linear, std::uint32_t width, std::uint32_t height, float exposure) {
  if (linear.size() != std::size_t{3} * width * height)
    throw std::invalid_argument("a picture has three floats a pixel");
  Picture picture{width, height, std::vector<std::uint8_t>(linear.size())};
  std::ranges::transform(linear, picture.rgb.begin(), [exposure](float v) { return tone_map(v * exposure); });
  return picture;
}

std::vector<std::uint8_t> encode_png(const Picture& picture) {
  std::vector<std::uint8_t> bytes;
  const auto append = [](void* context, void* data, int size) {
    const auto* from = static_cast<const std::uint8_t*>(data);
    auto& to = *static_cast<std::vector<std::uint8_t>*>(context);
    to.insert(to.end(), from, from + size);
  };
  const int stride = static_cast<int>(3 * picture.width);
  if (stbi_write_png_to_func(append, &bytes, static_cast<int>(picture.width), static_cast<int>(picture.height), 3,
                             picture.rgb.data(), stride) == 0) {
    throw std::bad_alloc();  // its only cause of failure
  }
  return bytes;
}

Picture decode_png(std::span<const std::uint8_t> bytes, const std::string& name) {
  int width = 0;
  int height = 0;
  int channels = 0;
  const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels, 3),
      &stbi_image_free);
  if (!pixels) throw InputError({name}, fmt::format("is not a picture: {}", stbi_failure_reason()));
  const std::span<const stbi_uc> all(pixels.get(), std::size_t{3} * static_cast<std::size_t>(width * height));
  return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {all.begin(), all.end()}};
}

}  // namespace reconverge::scenes
