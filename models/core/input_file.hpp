// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Files that a user names: only plain files, opened without blocking, up to the size limit of their kind.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace reconverge {

/// The purpose of a file.
struct InputKind {
  std::string_view name;         ///< with its article: `a PTX file`
  std::uint64_t most_bytes = 0;  ///< a larger file is refused before any of it is read
};

/// docs/launch.md lists the limits.
namespace input {
inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
inline constexpr InputKind yaml{"a YAML file", 2 * mebibyte};
inline constexpr InputKind ptx{"a PTX file", 64 * mebibyte};
inline constexpr InputKind source{"a .cu or .cl file", 64 * mebibyte};
inline constexpr InputKind scene{"a scene file", 4096 * mebibyte};
inline constexpr InputKind materials{"a material file", 64 * mebibyte};
inline constexpr InputKind scene_list{"a list of scenes", 16 * mebibyte};
inline constexpr InputKind rays{"a ray stream file", 16384 * mebibyte};
inline constexpr InputKind array{"an array", 16384 * mebibyte};
inline constexpr InputKind plugin{"a shared library", 1024 * mebibyte};
inline constexpr InputKind report{"a file of a report", 1024 * mebibyte};
inline constexpr InputKind trace{"a trace", 1024 * mebibyte};
/// Any file that a run read or wrote before.
inline constexpr InputKind any{"a file", 16384 * mebibyte};
}  // namespace input

/// An open file. Only plain files are opened: a pipe would wait for its writer, and a device may have no end. Throws
/// InputError, which says what was found and what to do.
class InputFile {
 public:
  InputFile(const std::filesystem::path& file, const InputKind& kind);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// For messages.
  const std::string& name() const { return name_; }
  /// Size of the file when it was opened, in bytes.
  std::uint64_t size() const { return size_; }
  /// Reads the next bytes; fewer than requested only at the end of the file. Throws for a file that has grown beyond
  /// the limit of its kind.
  std::size_t read(std::span<char> into);
  /// Skips that many bytes.
  void skip(std::uint64_t bytes);
  /// The remaining contents.
  std::string rest();

 private:
  std::string name_;
  InputKind kind_;
  std::uint64_t size_ = 0;
  std::uint64_t given_ = 0;  ///< bytes that were read
  int handle_ = -1;
};

/// The contents of a file. Throws InputError.
std::string read_input(const std::filesystem::path& file, const InputKind& kind);

/// Throws the InputError that opening the file would throw, for a file that is read later.
void check_input(const std::filesystem::path& file, const InputKind& kind);

/// The path from `folder` to `name` in it, with all links followed; an absolute name is used unchanged. Empty if the
/// result is not below the folder. `error` is set if the path cannot be followed.
std::filesystem::path path_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::error_code& error);

}  // namespace reconverge
