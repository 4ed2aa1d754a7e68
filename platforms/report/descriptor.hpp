#pragma once
/// An open file or folder. What lies in a folder is reached through it, whatever becomes of its path meanwhile.

#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace reconverge::report {

/// Its errors are OutputErrors that call it by its path. Programs that are started do not inherit it.
class Descriptor {
 public:
  /// As openat(2): `name` is taken from the folder, and from the current one where that is AT_FDCWD. `path` is what
  /// messages call it.
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
  /// A file system may tell of a full disk only now.
  void close();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  int handle_;
};

/// The folder at the path; a symbolic link as its last component is not followed.
Descriptor open_folder(const std::filesystem::path& path);

/// What lies under the name in the folder, itself and not what a link leads to; nothing where there is nothing.
std::optional<struct stat> look_at(const Descriptor& folder, const std::string& name);

/// Gives the bytes of a plain file piece by piece, from `first` on, until `take` says that it has enough; false where
/// there is none, or it cannot be read. Links are not followed.
bool read_plain(const Descriptor& folder, const std::string& name, const std::function<bool(std::string_view)>& take,
                off_t first = 0);

/// The system's words for an error number.
std::string reason_of(int error);

}  // namespace reconverge::report
