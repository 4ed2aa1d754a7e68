// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A part of a ray stream, which is traced on the machine; Embree finds the hits of the other rays.

#include <cstdint>
#include <span>
#include <vector>

#include "models/execution/block_selection.hpp"
#include "scenes/device_layout.h"
#include "scenes/structures/embree_scene.hpp"

namespace reconverge {

class RaySample {
 public:
  /// `selection`: of blocks with `block_rays` rays of the stream each.
  RaySample(std::span<const scenes::Ray> stream, const BlockSelection& selection, std::uint64_t block_rays);

  std::span<const scenes::Ray> rays() const { return rays_; }
  /// Hits of the whole stream. `found`: hits of the sample, in its order.
  std::vector<scenes::Hit> completed(std::span<const scenes::Hit> found, const scenes::EmbreeScene& scene,
                                     bool shadow) const;

 private:
  /// Rays that follow each other in the stream.
  struct Block {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::span<const scenes::Ray> stream_;
  std::vector<Block> blocks_;
  std::vector<scenes::Ray> rays_;
};

}  // namespace reconverge
