// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A cache of device structures between runs: files named by a hash of all their inputs.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/sbvh.hpp"

namespace reconverge::scenes {

/// Part of every name and file. Increase it with every change of a builder or layout that changes the bytes of a
/// structure; a test that knows the bytes of small structures detects this.
inline constexpr unsigned structure_image_version = 2;

/// RECONVERGE_CACHE if it is set ("off" or empty: no cache), otherwise `reconverge` in XDG_CACHE_HOME or in ~/.cache.
/// An empty result means no cache.
std::filesystem::path default_cache_folder();

/// Receives one line for the user.
using Notice = std::function<void(const std::string& line)>;
/// On standard error, as "reconverge: line".
void notice_on_stderr(const std::string& line);

/// Builds a structure, or loads the one built before from the same positions, triangles, options and format version
/// (for a BVH, also the same Embree version). Both results are equal byte for byte.
///
/// A file is used only if its header, its sizes and the SHA-256 of its contents are correct; otherwise a notice is
/// given and it is rebuilt. A new file is written under a temporary name in the same folder and then renamed, so that
/// several programs can share a folder; if that fails, a notice is given and the structure is used anyway.
class StructureCache {
 public:
  /// An empty `folder` disables the cache. The folder is created when the first file is stored.
  explicit StructureCache(std::filesystem::path folder = default_cache_folder(), Notice notice = notice_on_stderr);

  /// Throw what the builders throw.
  Bvh bvh(const Mesh& mesh, const BvhOptions& options = {}) const;
  Bvh sbvh(const Mesh& mesh, const SbvhOptions& options = {}) const;
  KdTree kd_tree(const Mesh& mesh, const KdOptions& options = {}) const;
  Grid grid(const Mesh& mesh, const GridOptions& options = {}) const;

 private:
  /// The structure that `build` makes of the mesh with `options`, from its file if there is one.
  template <typename Structure, typename Build>
  Structure cached(const Mesh& mesh, std::string_view kind, std::string_view options, Build&& build) const;

  std::filesystem::path folder_;
  Notice notice_;
};

}  // namespace reconverge::scenes
