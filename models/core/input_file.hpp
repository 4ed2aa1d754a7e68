#pragma once
/// Files that a user names: plain ones, opened without waiting for anybody, and no larger than their kind may be.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

namespace reconverge {

/// What a file is for.
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
/// Whatever a run read or wrote before.
inline constexpr InputKind any{"a file", 16384 * mebibyte};
}  // namespace input

/// An open file. Nothing but a plain file is ever opened: a pipe would wait for its writer, and a device may have no
/// end. Throws InputError, with what lies there and what to do.
class InputFile {
 public:
  InputFile(const std::filesystem::path& file, const InputKind& kind);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// In messages.
  const std::string& name() const { return name_; }
  /// Bytes that the file had when it was opened.
  std::uint64_t size() const { return size_; }
  /// The next bytes; fewer than asked for at the end of the file alone. A file that has grown beyond the limit of its
  /// kind is refused, too.
  std::size_t read(std::span<char> into);
  /// Goes on that many bytes further.
  void skip(std::uint64_t bytes);
  /// All that was not read yet.
  std::string rest();

 private:
  std::string name_;
  InputKind kind_;
  std::uint64_t size_ = 0;
  std::uint64_t given_ = 0;  ///< bytes that were read
  int handle_ = -1;
};

/// The whole of a file. Throws InputError.
std::string read_input(const std::filesystem::path& file, const InputKind& kind);

/// Throws InputError as opening the file would, for one that is read later.
void check_input(const std::filesystem::path& file, const InputKind& kind);

/// The path from `folder` to what is called `name` there, with all links followed; an absolute name is taken as it is.
/// Empty where that is not below the folder. `error` is set where the path cannot be followed.
std::filesystem::path path_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::error_code& error);

}  // namespace reconverge
