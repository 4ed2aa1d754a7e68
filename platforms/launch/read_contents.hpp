// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Initial and expected contents of buffers.

#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "platforms/launch/plan.hpp"
#include "platforms/launch/yaml_value.hpp"
#include "scenes/light/ray_streams.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"

namespace reconverge::launch {

/// Elements from any source.
struct Contents {
  ElementType type = ElementType::u8;
  std::uint64_t count = 0;
  std::uint64_t record = 1;
  std::vector<std::uint64_t> shape;  ///< empty: one dimension
  bool has_shape = false;            ///< use `shape`, even if it is empty
  std::vector<std::byte> bytes;
  std::string against;
};

/// Scenes and ray streams, each loaded once.
class SceneCache {
 public:
  /// The part of the scene or the rays that a buffer's `fields` name.
  Contents part(const Fields& fields);
  /// Files that were read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  struct Scene {
    scenes::LoadedScene loaded;
    std::optional<scenes::Bvh> bvh;
    std::optional<scenes::Grid> grid;
  };
  using StreamKey = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  Scene& scene(const Fields& fields);
  const scenes::Grid& grid(const Fields& fields);
  Contents grid_part(const Fields& fields, std::string_view part);
  const scenes::RayStreams& streams(const Fields& fields, std::uint64_t bounces);
  const scenes::RayStream& stream(const Fields& fields);

  std::map<std::pair<std::string, bool>, Scene> scenes_;  ///< by name, and whether it may refer to files outside
  std::map<StreamKey, scenes::RayStreams> streams_;
  std::vector<std::string> files_;
};

/// The contents from the key npy, raw, values, fill, range or random in `fields`; nothing if none is present. `type`
/// and `count` are what is known already; elements of a .npy file must have the type. Appends the file that was read to
/// `files`.
std::optional<Contents> read_contents(const Fields& fields, std::optional<ElementType> type,
                                      std::optional<std::uint64_t> count, std::vector<std::string>& files);

}  // namespace reconverge::launch
