#pragma once
/// What buffers begin with, and what they are compared with.

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

/// Elements from somewhere.
struct Contents {
  ElementType type = ElementType::u8;
  std::uint64_t count = 0;
  std::uint64_t record = 1;
  std::vector<std::uint64_t> shape;  ///< empty: one dimension
  bool has_shape = false;            ///< `shape` counts, also when it is empty
  std::vector<std::byte> bytes;
  std::string against;
};

/// Scenes and ray streams, each loaded once.
class SceneCache {
 public:
  /// The part of the scene or the rays that `fields`, those of a buffer, name.
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

  std::map<std::pair<std::string, bool>, Scene> scenes_;  ///< by name, and whether it may name files outside
  std::map<StreamKey, scenes::RayStreams> streams_;
  std::vector<std::string> files_;
};

/// What the one of npy, raw, values, fill, range and random that `fields` has gives; nothing when it has none.
/// `type` and `count` are those that are known already; elements of a .npy file must have the type.
/// Appends the file that was read to `files`.
std::optional<Contents> read_contents(const Fields& fields, std::optional<ElementType> type,
                                      std::optional<std::uint64_t> count, std::vector<std::string>& files);

}  // namespace reconverge::launch
