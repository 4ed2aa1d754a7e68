// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An open file or folder. Files in a folder are accessed through it, even if the folder's path changes meanwhile.

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace reconverge::report {

/// Its errors are OutputErrors that name its path. Child processes do not inherit it.
class Descriptor {
 public:
  /// Like openat(2): `name` is relative to the folder, or to the current one for AT_FDCWD. `path` is its name in
  /// messages.
  Descriptor(int folder, const std::string& name, int flags, std::filesystem::path path);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return handle_; }
  const std::filesystem::path& path() const { return path_; }

  void write_all(std::string_view bytes) const;
  void flush() const;
  /// Some file systems report a full disk only here.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int handle_;
};

/// The folder at the path; a symbolic link as its last component is not followed.
Descriptor open_folder(const std::filesystem::path& path);

/// The status of `name` in the folder, of a link itself and not its target; nothing if it does not exist.
std::optional<struct stat> look_at(const Descriptor& folder, const std::string& name);

/// Passes the bytes of a plain file piece by piece, from `first` on, until `take` has enough; false if there is no such
/// file or it cannot be read. Does not follow links.
bool read_plain(const Descriptor& folder, const std::string& name, const std::function<bool(std::string_view)>& take,
                off_t first = 0);

/// The system's text for an error number.
std::string reason_of(int error);

}  // namespace reconverge::report
