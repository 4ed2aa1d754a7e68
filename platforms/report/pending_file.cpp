// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/pending_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "models/core/signals_deferred.hpp"
#include "platforms/report/output_error.hpp"

namespace reconverge::report {

namespace {

constexpr std::string_view before_digits = ".reconverge.";
constexpr std::string_view behind_digits = ".tmp";
constexpr std::size_t digits = 16;

std::string temporary_name(const Descriptor& folder) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) throw OutputError(folder.path(), reason_of(errno));
  return fmt::format("{}{:016x}{}", before_digits, number, behind_digits);
}

}  // namespace

PendingFile::PendingFile(const Descriptor& folder, std::string name, std::string_view bytes, std::string_view tail)
    : folder_(&folder), name_(std::move(name)) {
  const std::string temporary = temporary_name(folder);
  Descriptor file(folder.get(), temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, folder.path() / name_);
  temporary_ = temporary;
  try {
    file.write_all(bytes);
    file.write_all(tail);
    file.flush();
    file.close();
  } catch (...) {
    discard();
    throw;
  }
}

PendingFile::~PendingFile() { discard(); }

PendingFile::PendingFile(PendingFile&& other) noexcept
    : folder_(other.folder_),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, std::string())) {}

void PendingFile::rename() {
  if (renameat(folder_->get(), temporary_.c_str(), folder_->get(), name_.c_str()) != 0)
    throw OutputError(folder_->path() / name_, reason_of(errno));
  temporary_.clear();
}

void PendingFile::discard() noexcept {
  if (!temporary_.empty()) unlinkat(folder_->get(), temporary_.c_str(), 0);
}

Descriptor nameless_file(const Descriptor& folder, const std::filesystem::path& path) {
  const SignalsDeferred deferred;  // between these two calls the file has a name
  const std::string temporary = temporary_name(folder);
  Descriptor file(folder.get(), temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, path);
  unlinkat(folder.get(), temporary.c_str(), 0);
  return file;
}

bool is_temporary_name(std::string_view name) {
  if (name.size() != before_digits.size() + digits + behind_digits.size()) return false;
  if (!name.starts_with(before_digits) || !name.ends_with(behind_digits)) return false;
  const std::string_view number = name.substr(before_digits.size(), digits);
  return std::ranges::all_of(number, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace reconverge::report
