// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/spool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/host/host_name.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

/// This process on this host, as a part of file names.
std::string own_name() { return fmt::format("{}-{}", host_name(), getpid()); }

/// Writes a file of which no other process knows.
bool write_text(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  return !stream.fail();
}

/// False if the file exists.
bool create(const fs::path& file, const std::string& text) {
  const int handle = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (handle < 0) return false;
  const bool written = write(handle, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(handle);
  return written;
}

/// The clock of the file server, which can differ from the host's.
fs::file_time_type now_of(const fs::path& folder) {
  const fs::path probe = folder / (".now-" + own_name());
  write_text(probe, "");
  std::error_code error;
  const auto time = fs::last_write_time(probe, error);
  fs::remove(probe, error);
  return time;
}

}  // namespace

Spool::Spool(fs::path folder) : folder_(std::move(folder)) {
  for (const char* part : {"claims", "results", "revoked"}) fs::create_directories(folder_ / part);
}

bool Spool::has_result(const std::string& digest) const {
  std::error_code error;
  return fs::exists(result_of(digest), error);
}

bool Spool::claim(const std::string& digest, std::chrono::seconds lease) const {
  if (has_result(digest)) return false;
  const fs::path file = claim_of(digest);
  const std::string owner = own_name() + '\n';
  if (create(file, owner)) return true;
  std::error_code error;
  const auto renewed = fs::last_write_time(file, error);
  if (error || now_of(folder_) - renewed < lease) return false;
  // Of several jobs that find the old claim, the one that moves it away takes it.
  const fs::path old = folder_ / fmt::format(".old-{}-{}", digest, own_name());
  fs::rename(file, old, error);
  if (error) return false;
  fs::remove(old, error);
  return create(file, owner);
}

void Spool::renew(const std::string& digest) const {
  utimensat(AT_FDCWD, claim_of(digest).c_str(), nullptr, 0);  // the file server's time
}

void Spool::release(const std::string& digest) const {
  std::error_code ignored;
  fs::remove(claim_of(digest), ignored);
}

bool Spool::publish(const sweep::PointRecord& record) const {
  const fs::path unfinished = folder_ / "results" / fmt::format(".{}-{}", record.digest, own_name());
  std::error_code error;
  if (!write_text(unfinished, sweep::to_json(record))) {
    fs::remove(unfinished, error);
    throw InputError({unfinished.generic_string()}, "the record of a point cannot be written", "is the disk full?");
  }
  // Unlike a rename, a link never replaces a file.
  fs::create_hard_link(unfinished, result_of(record.digest), error);
  std::error_code ignored;
  fs::remove(unfinished, ignored);
  return !error;
}

bool Spool::is_revoked(int generation) const {
  std::error_code error;
  return fs::exists(folder_ / "revoked" / std::to_string(generation), error);
}

void Spool::revoke(int generation) const { create(folder_ / "revoked" / std::to_string(generation), ""); }

void Spool::take_results(const std::function<void(const sweep::PointRecord&)>& take) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "results")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || taken_.contains(name)) continue;
    try {
      take(sweep::record_from(read_input(entry.path(), input::report), entry.path().generic_string()));
      taken_.insert(name);
    } catch (const InputError&) {
      std::error_code ignored;
      fs::remove(entry.path(), ignored);
    }
  }
}

void Spool::remove() const {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace reconverge::cli
