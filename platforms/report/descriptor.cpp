// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "platforms/report/output_error.hpp"

namespace reconverge::report {

OutputError::OutputError(const std::filesystem::path& path, std::string_view reason)
    : std::runtime_error(fmt::format("{}: {}", path.generic_string(), reason)) {}

std::string reason_of(int error) { return std::generic_category().message(error); }

Descriptor::Descriptor(int folder, const std::string& name, int flags, std::filesystem::path path)
    : path_(std::move(path)), handle_(openat(folder, name.c_str(), flags | O_CLOEXEC, 0666)) {
  if (handle_ < 0) fail();
}

Descriptor::~Descriptor() {
  if (handle_ >= 0) ::close(handle_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, -1)) {}

void Descriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Descriptor::flush() const {
  // Pipes and devices have nothing to flush to.
  if (fsync(handle_) != 0 && errno != EINVAL && errno != EROFS) fail();
}

void Descriptor::close() {
  const int handle = std::exchange(handle_, -1);
  if (::close(handle) != 0) fail();
}

void Descriptor::fail() const {
  // ENXIO: a pipe without a reader.
  throw OutputError(path_, errno == ENXIO ? "no process reads it; start its reader first" : reason_of(errno));
}

Descriptor open_folder(const std::filesystem::path& path) {
  return {AT_FDCWD, path.string(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, path};
}

std::optional<struct stat> look_at(const Descriptor& folder, const std::string& name) {
  struct stat found {};
  if (fstatat(folder.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) return found;
  if (errno == ENOENT) return std::nullopt;
  throw OutputError(folder.path() / name, reason_of(errno));
}

bool read_plain(const Descriptor& folder, const std::string& name, const std::function<bool(std::string_view)>& take,
                off_t first) {
  const auto found = look_at(folder, name);
  if (!found || !S_ISREG(found->st_mode)) return false;
  const int handle = openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (handle < 0) return false;
  std::array<char, std::size_t{1} << 16U> piece{};
  off_t at = first;
  bool wants_more = true;
  ssize_t count = 0;
  do {
    count = ::pread(handle, piece.data(), piece.size(), at);
    if (count <= 0) continue;
    at += count;
    wants_more = take({piece.data(), static_cast<std::size_t>(count)});
  } while ((count > 0 && wants_more) || (count < 0 && errno == EINTR));
  ::close(handle);
  return count >= 0;
}

}  // namespace reconverge::report
