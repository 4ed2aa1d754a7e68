// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/ray_sample.hpp"

#include <algorithm>

namespace reconverge {

namespace {

using scenes::Hit;
using scenes::Ray;

void trace_on_host(std::span<const Ray> rays, std::span<Hit> hits, const scenes::EmbreeScene& scene, bool shadow) {
  if (!shadow) return scene.intersect(rays, hits);
  const std::vector<std::uint8_t> blocked = scene.occluded(rays);
  for (std::size_t i = 0; i < rays.size(); ++i) hits[i].triangle = blocked[i] != 0 ? 0 : -1;
}

}  // namespace

RaySample::RaySample(std::span<const Ray> stream, const BlockSelection& selection, std::uint64_t block_rays)
    : stream_(stream) {
  const std::uint64_t blocks = (stream.size() + block_rays - 1) / block_rays;
  for (std::uint64_t index = 0; index < selection.count(blocks); ++index) {
    const std::size_t first = selection.block(index, blocks) * block_rays;
    const std::size_t count = std::min<std::size_t>(block_rays, stream.size() - first);
    blocks_.push_back({first, count});
    const auto rays = stream.subspan(first, count);
    rays_.insert(rays_.end(), rays.begin(), rays.end());
  }
}

std::vector<Hit> RaySample::completed(std::span<const Hit> found, const scenes::EmbreeScene& scene, bool shadow) const {
  std::vector<Hit> hits(stream_.size());
  std::size_t traced = 0;  // of the stream, by either
  const auto trace_up_to = [&](std::size_t end) {
    trace_on_host(stream_.subspan(traced, end - traced), std::span(hits).subspan(traced, end - traced), scene, shadow);
  };
  for (const Block& block : blocks_) {
    trace_up_to(block.first);
    std::ranges::copy(found.first(block.count), hits.begin() + static_cast<std::ptrdiff_t>(block.first));
    found = found.subspan(block.count);
    traced = block.first + block.count;
  }
  trace_up_to(stream_.size());
  return hits;
}

}  // namespace reconverge
