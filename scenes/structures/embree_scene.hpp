// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Closest hits and occlusion by Embree, in the project's records: the oracle for every ray that a kernel traces.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scenes/device_layout.h"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// A mesh prepared for tracing. Built on one thread with Embree's robust flag (no ray slips between two triangles that
/// share an edge). Queries are const and may come from several threads; the mesh is not needed after construction.
class EmbreeScene {
 public:
  explicit EmbreeScene(const Mesh& mesh);
  ~EmbreeScene();
  EmbreeScene(EmbreeScene&&) noexcept;
  EmbreeScene& operator=(EmbreeScene&&) noexcept;
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;

  /// `hits` must be as long as `rays`. A miss has triangle -1 and t = the ray's t_max.
  void intersect(std::span<const Ray> rays, std::span<Hit> hits) const;
  std::vector<Hit> intersect(std::span<const Ray> rays) const;

  /// One byte a ray: 1 when anything lies between t_min and t_max.
  void occluded(std::span<const Ray> rays, std::span<std::uint8_t> blocked) const;
  std::vector<std::uint8_t> occluded(std::span<const Ray> rays) const;

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace reconverge::scenes
