#pragma once
/// Structures as they go to the device, kept from run to run: files named by a hash of all that decides what is in
/// them.

#include <filesystem>
#include <functional>
#include <string>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/sbvh.hpp"

namespace reconverge::scenes {

/// Part of every name and file. To be raised with every change of a builder or a layout that changes the bytes of a
/// structure; a test that knows the bytes of small ones says when.
inline constexpr unsigned structure_image_version = 1;

/// RECONVERGE_CACHE when it is set, where "off" or nothing means none; else `reconverge` in XDG_CACHE_HOME or in
/// ~/.cache. Empty: no cache.
std::filesystem::path default_cache_folder();

/// Gets one line to tell a user of.
using Notice = std::function<void(const std::string& line)>;
/// On standard error, as "reconverge: line".
void notice_on_stderr(const std::string& line);

/// Builds a structure or takes the one built before from the mesh's positions and triangles, the same options, and the
/// same version of the format (for a BVH, of Embree, too): what comes back is the same, byte for byte.
///
/// A file is taken only when its header, its sizes and the SHA-256 of its contents are right. One that is not is told
/// of and made anew. A new file is written beside its place and then renamed, so that several programs may share a
/// folder; when that cannot be done, it is told of and the structure is used all the same.
class StructureCache {
 public:
  /// An empty `folder` switches the cache off. The folder is made when something is to be kept.
  explicit StructureCache(std::filesystem::path folder = default_cache_folder(), Notice notice = notice_on_stderr);

  /// Throw what the builders throw.
  Bvh bvh(const Mesh& mesh, const BvhOptions& options = {}) const;
  Bvh sbvh(const Mesh& mesh, const SbvhOptions& options = {}) const;
  KdTree kd_tree(const Mesh& mesh, const KdOptions& options = {}) const;
  Grid grid(const Mesh& mesh, const GridOptions& options = {}) const;

 private:
  std::filesystem::path folder_;
  Notice notice_;
};

}  // namespace reconverge::scenes
