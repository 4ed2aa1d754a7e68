// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/embree_scene.hpp"

#include <stdexcept>

#include "scenes/structures/embree_handle.hpp"

namespace reconverge::scenes {

struct EmbreeScene::Handles {
  EmbreeDevice device = make_embree_device();
  std::unique_ptr<std::remove_pointer_t<RTCScene>, decltype(&rtcReleaseScene)> scene{rtcNewScene(device.get()),
                                                                                     &rtcReleaseScene};
};

namespace {

RTCRay to_embree(const Ray& ray) {
  RTCRay out{};
  out.org_x = ray.origin[0], out.org_y = ray.origin[1], out.org_z = ray.origin[2];
  out.dir_x = ray.direction[0], out.dir_y = ray.direction[1], out.dir_z = ray.direction[2];
  out.tnear = ray.t_min;
  out.tfar = ray.t_max;
  out.mask = 0xFFFFFFFFU;
  return out;
}

/// Rays passed to Embree at once; copies of this many fit in the host's L1 cache.
constexpr std::size_t batch_size = 256;

template <typename Record>
void fill(std::span<const Ray> rays, std::array<Record, batch_size>& records) {
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if constexpr (std::is_same_v<Record, RTCRayHit>) {
      records[i].ray = to_embree(rays[i]);
      records[i].hit.geomID = RTC_INVALID_GEOMETRY_ID;
      records[i].hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    } else {
      records[i] = to_embree(rays[i]);
    }
  }
}

}  // namespace

EmbreeScene::EmbreeScene(const Mesh& mesh) : handles_(std::make_unique<Handles>()) {
  RTCDevice device = handles_->device.get();
  RTCScene scene = handles_->scene.get();
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  const std::unique_ptr<std::remove_pointer_t<RTCGeometry>, decltype(&rtcReleaseGeometry)> geometry(
      rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE), &rtcReleaseGeometry);
  auto* positions = static_cast<Vec3*>(rtcSetNewGeometryBuffer(geometry.get(), RTC_BUFFER_TYPE_VERTEX, 0,
                                                               RTC_FORMAT_FLOAT3, sizeof(Vec3), mesh.positions.size()));
  auto* triangles = static_cast<TriangleIndices*>(rtcSetNewGeometryBuffer(
      geometry.get(), RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(TriangleIndices), mesh.triangles.size()));
  check(handles_->device, "taking the mesh");
  std::ranges::copy(mesh.positions, positions);
  std::ranges::copy(mesh.triangles, triangles);
  rtcCommitGeometry(geometry.get());
  rtcAttachGeometryByID(scene, geometry.get(), 0);
  rtcCommitScene(scene);
  check(handles_->device, "building the scene");
}

EmbreeScene::~EmbreeScene() = default;
EmbreeScene::EmbreeScene(EmbreeScene&&) noexcept = default;
EmbreeScene& EmbreeScene::operator=(EmbreeScene&&) noexcept = default;

void EmbreeScene::intersect(std::span<const Ray> rays, std::span<Hit> hits) const {
  if (rays.size() != hits.size()) throw std::invalid_argument("as many hits as rays are needed");
  std::array<RTCRayHit, batch_size> records{};
  for (std::size_t first = 0; first < rays.size(); first += batch_size) {
    const auto batch = rays.subspan(first, std::min(batch_size, rays.size() - first));
    fill(batch, records);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1M(handles_->scene.get(), &context, records.data(), static_cast<unsigned>(batch.size()),
                   sizeof(RTCRayHit));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const RTCRayHit& record = records[i];
      hits[first + i] = record.hit.geomID == RTC_INVALID_GEOMETRY_ID
                            ? Hit{-1, batch[i].t_max, 0.0F, 0.0F}
                            : Hit{static_cast<int>(record.hit.primID), record.ray.tfar, record.hit.u, record.hit.v};
    }
  }
}

std::vector<Hit> EmbreeScene::intersect(std::span<const Ray> rays) const {
  std::vector<Hit> hits(rays.size());
  intersect(rays, hits);
  return hits;
}

void EmbreeScene::occluded(std::span<const Ray> rays, std::span<std::uint8_t> blocked) const {
  if (rays.size() != blocked.size()) throw std::invalid_argument("as many answers as rays are needed");
  std::array<RTCRay, batch_size> records{};
  for (std::size_t first = 0; first < rays.size(); first += batch_size) {
    const auto batch = rays.subspan(first, std::min(batch_size, rays.size() - first));
    fill(batch, records);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1M(handles_->scene.get(), &context, records.data(), static_cast<unsigned>(batch.size()), sizeof(RTCRay));
    // Embree marks an occluded ray by a negative infinite end.
    for (std::size_t i = 0; i < batch.size(); ++i) blocked[first + i] = records[i].tfar < 0.0F ? 1 : 0;
  }
}

std::vector<std::uint8_t> EmbreeScene::occluded(std::span<const Ray> rays) const {
  std::vector<std::uint8_t> blocked(rays.size());
  occluded(rays, blocked);
  return blocked;
}

}  // namespace reconverge::scenes
