// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/structure_cache.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <type_traits>

#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"
#include "models/core/signals_deferred.hpp"
#include "models/core/unfinished_file.hpp"

namespace reconverge::scenes {

namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

/// The header of a file, followed by the contents.
struct Header {
  std::array<char, 8> magic{'R', 'C', 'V', 'S', 'T', 'R', 'C', '\n'};
  std::uint32_t version = structure_image_version;
  std::uint32_t unused = 0;
  std::uint64_t size = 0;           ///< of the contents, bytes
  std::array<char, 64> key{};       ///< the digits of the file's name
  std::array<char, 64> checksum{};  ///< SHA-256 of the contents
};
static_assert(sizeof(Header) == 152);

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <typename T>
std::string_view bytes_of(const T& value) {
  return bytes_of(std::span<const T>(&value, 1));
}

std::array<char, 64> digits_of(std::string_view text) {
  std::array<char, 64> digits{};
  text.copy(digits.data(), digits.size());
  return digits;
}

/// The stored fields of a structure, for reading and writing.
template <typename Fields>
void visit(Fields& fields, Bvh& bvh) {
  fields(bvh.nodes), fields(bvh.rows), fields(bvh.triangle_of_row), fields(bvh.depth), fields(bvh.leaves);
}
template <typename Fields>
void visit(Fields& fields, KdTree& tree) {
  fields(tree.bounds), fields(tree.nodes), fields(tree.leaf_triangles), fields(tree.triangles), fields(tree.depth);
  fields(tree.leaves), fields(tree.empty_leaves);
}
template <typename Fields>
void visit(Fields& fields, Grid& grid) {
  fields(grid.bounds), fields(grid.frame), fields(grid.first), fields(grid.cell_triangles), fields(grid.triangles);
}

class Writer {
 public:
  template <typename T>
  void operator()(const T& value) {
    contents_ += bytes_of(value);
  }
  template <typename T>
  void operator()(const std::vector<T>& values) {
    (*this)(std::uint64_t{values.size()});
    contents_ += bytes_of(std::span<const T>(values));
  }
  const std::string& contents() const { return contents_; }

 private:
  std::string contents_;
};

/// Stops reading at missing data.
class Reader {
 public:
  explicit Reader(std::string_view contents) : left_(contents) {}

  template <typename T>
  void operator()(T& value) {
    take(&value, 1);
  }
  template <typename T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > left_.size() / sizeof(T)) good_ = false;
    if (!good_) return;
    values.resize(count);
    take(values.data(), count);
  }
  bool complete() const { return good_ && left_.empty(); }

 private:
  template <typename T>
  void take(T* to, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    good_ = good_ && left_.size() >= count * sizeof(T);
    if (!good_ || count == 0) return;
    std::memcpy(to, left_.data(), count * sizeof(T));
    left_.remove_prefix(count * sizeof(T));
  }

  std::string_view left_;
  bool good_ = true;
};

std::string digest_of(const Mesh& mesh, std::string_view kind, std::string_view options) {
  Sha256 hash;
  const auto add = [&hash](std::string_view bytes) {
    hash.add(bytes_of(std::uint64_t{bytes.size()}));
    hash.add(bytes);
  };
  add(fmt::format("version {}", structure_image_version));
  add(kind);
  add(options);
  add(bytes_of(std::span<const Vec3>(mesh.positions)));
  add(bytes_of(std::span<const TriangleIndices>(mesh.triangles)));
  return hash.digits();
}

/// The contents of a valid file; empty, with the reason, for an invalid one.
std::optional<std::string> read_image(const fs::path& file, const std::string& key, std::string& reason) {
  std::optional<InputFile> in;
  try {
    in.emplace(file, input::any);
  } catch (const InputError& error) {
    reason = error.what();
    return std::nullopt;
  }
  Header header;
  const Header due;
  const std::uint64_t size = in->size();
  if (in->read({reinterpret_cast<char*>(&header), sizeof(header)}) != sizeof(header)) {
    reason = "it is cut short";
  } else if (header.magic != due.magic || header.version != due.version || header.key != digits_of(key)) {
    reason = "its header is not that of this structure";
  } else if (header.size != size - sizeof(header)) {
    reason = fmt::format("it holds {} bytes instead of {}", size - sizeof(header), header.size);
  } else {
    std::string contents(header.size, '\0');
    if (in->read(contents) == contents.size() && header.checksum == digits_of(sha256(contents))) return contents;
    reason = "its contents do not match their checksum";
  }
  return std::nullopt;
}

/// Returns false, and leaves no file, if the file cannot be written.
bool write_image(const fs::path& file, const std::string& key, const std::string& contents) {
  Header header;
  header.size = contents.size();
  header.key = digits_of(key);
  header.checksum = digits_of(sha256(contents));
  const SignalsDeferred deferred;  // otherwise Ctrl-C would leave the unfinished file
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  // A unique name for each writer: programs and threads may write the same file at once.
  UnfinishedFile unfinished(file);
  unfinished.write(bytes_of(header));
  unfinished.write(contents);
  return unfinished.finish();
}

/// An environment variable; empty if it is empty or not set.
std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

fs::path default_cache_folder() {
  if (std::getenv("RECONVERGE_CACHE") != nullptr) {
    const std::string named = setting("RECONVERGE_CACHE");
    return named == "off" ? fs::path() : fs::path(named);
  }
  // By the XDG Base Directory Specification, a relative path counts as none.
  const fs::path caches = setting("XDG_CACHE_HOME");
  if (caches.is_absolute()) return caches / "reconverge";
  const fs::path home = setting("HOME");
  return home.is_absolute() ? home / ".cache" / "reconverge" : fs::path();
}

void notice_on_stderr(const std::string& line) {
  std::fputs(fmt::format("reconverge: {}\n", printable(line)).c_str(), stderr);
}

StructureCache::StructureCache(fs::path folder, Notice notice)
    : folder_(std::move(folder)), notice_(std::move(notice)) {}

template <typename Structure, typename Build>
Structure StructureCache::cached(const Mesh& mesh, std::string_view kind, std::string_view options,
                                 Build&& build) const {
  if (folder_.empty()) return build();
  const std::string key = digest_of(mesh, kind, options);
  const fs::path file = folder_ / fmt::format("{}-{}", kind, key);
  std::error_code error;
  if (fs::exists(file, error)) {
    std::string reason = "its contents are not those of such a structure";
    if (const auto contents = read_image(file, key, reason)) {
      Structure structure;
      Reader reader(*contents);
      visit(reader, structure);
      if (reader.complete()) return structure;
    }
    notice_(fmt::format("{} is damaged ({}); rebuilt", file.string(), reason));
  }
  Structure structure = build();
  Writer writer;
  visit(writer, structure);
  if (!write_image(file, key, writer.contents()))
    notice_(fmt::format("{} cannot be written; RECONVERGE_CACHE names another folder or is 'off'", file.string()));
  return structure;
}

Bvh StructureCache::bvh(const Mesh& mesh, const BvhOptions& options) const {
  const std::string key = fmt::format("{} {} {} Embree {}", options.max_leaf_size, options.traversal_cost,
                                      options.intersection_cost, RTC_VERSION_STRING);
  return cached<Bvh>(mesh, "bvh", key, [&] { return build_bvh(mesh, options); });
}

Bvh StructureCache::sbvh(const Mesh& mesh, const SbvhOptions& options) const {
  const std::string key = fmt::format("{} {} {} {}", options.max_leaf_size, options.traversal_cost,
                                      options.intersection_cost, options.split_alpha);
  return cached<Bvh>(mesh, "sbvh", key, [&] { return build_sbvh(mesh, options); });
}

KdTree StructureCache::kd_tree(const Mesh& mesh, const KdOptions& options) const {
  const std::string key = fmt::format("{} {} {} {}", options.traversal_cost, options.intersection_cost,
                                      options.empty_bonus, options.max_depth);
  return cached<KdTree>(mesh, "kd-tree", key, [&] { return build_kd_tree(mesh, options); });
}

Grid StructureCache::grid(const Mesh& mesh, const GridOptions& options) const {
  const auto [x, y, z] = options.resolution;
  const std::string key = fmt::format("{} {} {} {}", x, y, z, options.density);
  return cached<Grid>(mesh, "grid", key, [&] { return build_grid(mesh, options); });
}

}  // namespace reconverge::scenes
