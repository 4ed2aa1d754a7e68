// SPDX-License-Identifier: Apache-2.0
#include "scenes/light/ray_streams.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge::scenes {

void index_pixels(RayStream& stream, std::uint32_t pixels, const std::string& name) {
  stream.pixel_first.assign(std::size_t{pixels} + 1, 0);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < stream.samples.size(); ++i) {
    const std::uint32_t pixel = stream.samples[i].pixel;
    if (pixel >= pixels) throw InputError({name}, fmt::format("ray {} belongs to pixel {} of {}", i, pixel, pixels));
    if (pixel + 1 < next) throw InputError({name}, fmt::format("ray {} is out of the order of its pixels", i));
    for (; next <= pixel; ++next) stream.pixel_first[next] = static_cast<std::uint32_t>(i);
  }
  for (; next <= pixels; ++next) stream.pixel_first[next] = static_cast<std::uint32_t>(stream.samples.size());
}

std::vector<float> sum_picture(const RayStreams& streams, const Mesh& mesh,
                               std::span<const std::vector<int>> hit_triangle,
                               std::span<const std::vector<std::uint8_t>> blocked) {
  std::vector<float> picture(std::size_t{3} * streams.pixels(), 0.0F);
  for (std::size_t bounce = 0; bounce < streams.bounces(); ++bounce) {
    const RayStream& extension = streams.extension[bounce];
    for (std::size_t i = 0; i < extension.samples.size(); ++i) {
      const int triangle = hit_triangle[bounce].at(i);
      if (triangle < 0) continue;
      const PathSample& sample = extension.samples[i];
      const Material& material = mesh.material(static_cast<std::size_t>(triangle));
      for (std::size_t c = 0; c < 3; ++c) {
        picture[std::size_t{3} * sample.pixel + c] += sample.weight[c] * material.emission[c];
      }
    }
    const RayStream& shadow = streams.shadow[bounce];
    for (std::size_t i = 0; i < shadow.samples.size(); ++i) {
      if (blocked[bounce].at(i) != 0) continue;
      const PathSample& sample = shadow.samples[i];
      for (std::size_t c = 0; c < 3; ++c) picture[std::size_t{3} * sample.pixel + c] += sample.weight[c];
    }
  }
  return picture;
}

}  // namespace reconverge::scenes
