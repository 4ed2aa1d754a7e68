// SPDX-License-Identifier: Apache-2.0
#include "models/core/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

[[noreturn]] void refuse_for(int error, const std::string& name) {
  if (error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG) {
    throw InputError({name}, "there is no such file", "check the path");
  }
  throw InputError({name}, fmt::format("the file cannot be read: {}", std::generic_category().message(error)),
                   "check its permissions");
}

/// Throws for anything that is not a plain file, and for a file that is too large.
void check_status(const struct stat& status, const std::string& name, const InputKind& kind) {
  if (S_ISDIR(status.st_mode)) throw InputError({name}, "this is a folder", fmt::format("name {} in it", kind.name));
  if (!S_ISREG(status.st_mode)) {
    const std::string_view what = S_ISFIFO(status.st_mode)   ? "a pipe"
                                  : S_ISSOCK(status.st_mode) ? "a socket"
                                                             : "a device";
    throw InputError({name}, fmt::format("this is {}", what),
                     fmt::format("name {}; what comes from elsewhere must be written to one first", kind.name));
  }
  if (static_cast<std::uint64_t>(status.st_size) > kind.most_bytes) {
    throw InputError({name}, fmt::format("the file has {} bytes", status.st_size),
                     fmt::format("{} has {} at most", kind.name, kind.most_bytes));
  }
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& file, const InputKind& kind)
    : name_(file.generic_string()), kind_(kind) {
  // Checked before the file is opened, because opening has effects on some devices, and again afterwards, because the
  // file may have been replaced.
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) refuse_for(errno, name_);
  check_status(status, name_, kind_);
  handle_ = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (handle_ < 0) refuse_for(errno, name_);
  try {
    if (::fstat(handle_, &status) != 0) refuse_for(errno, name_);
    check_status(status, name_, kind_);
  } catch (...) {
    ::close(handle_);
    throw;
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

InputFile::~InputFile() { ::close(handle_); }

std::size_t InputFile::read(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = ::read(handle_, into.data() + done, into.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_for(errno, name_);
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
    given_ += static_cast<std::uint64_t>(count);
    if (given_ > kind_.most_bytes) {
      throw InputError({name_}, "the file has no end that could be found",
                       fmt::format("{} has {} bytes at most", kind_.name, kind_.most_bytes));
    }
  }
  return done;
}

void InputFile::skip(std::uint64_t bytes) {
  if (::lseek(handle_, static_cast<off_t>(bytes), SEEK_CUR) < 0) refuse_for(errno, name_);
}

std::string InputFile::rest() {
  constexpr std::uint64_t piece = 65536;
  std::string bytes;
  // One byte more than the stated size: files of /proc and the like state a size of zero, but have contents.
  for (std::uint64_t wanted = size_ - std::min(size_, given_) + 1;; wanted = piece) {
    const std::size_t before = bytes.size();
    bytes.resize(before + wanted);
    const std::size_t count = read(std::span(bytes).subspan(before));
    bytes.resize(before + count);
    if (count < wanted) return bytes;
  }
}

std::string read_input(const std::filesystem::path& file, const InputKind& kind) {
  return InputFile(file, kind).rest();
}

void check_input(const std::filesystem::path& file, const InputKind& kind) { const InputFile opened(file, kind); }

std::filesystem::path path_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::error_code& error) {
  const std::filesystem::path home = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  if (error) return {};
  const std::filesystem::path place = std::filesystem::weakly_canonical(home / name, error);
  if (error) return {};
  const std::filesystem::path below = place.lexically_relative(home);
  return below.empty() || *below.begin() == ".." ? std::filesystem::path() : below;
}

}  // namespace reconverge
