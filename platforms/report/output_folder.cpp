// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "models/core/signals_deferred.hpp"
#include "platforms/report/folder_lock.hpp"
#include "platforms/report/own_files.hpp"
#include "platforms/report/pending_file.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

/// The name as given, without a trailing slash.
fs::path plain_path(const fs::path& folder) {
  const fs::path normal = folder.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

void remove_empty(std::span<const fs::path> folders) {
  for (; !folders.empty(); folders = folders.first(folders.size() - 1)) ::rmdir(folders.back().c_str());
}

void check_place(const fs::path& folder) {
  std::error_code error;
  const fs::file_status itself = fs::symlink_status(folder, error);
  if (fs::is_symlink(itself)) {
    throw OutputError(folder, fmt::format("is a symbolic link; name the folder that it leads to, {}",
                                          fs::read_symlink(folder, error).generic_string()));
  }
  if (fs::exists(itself) && !fs::is_directory(itself)) throw OutputError(folder, "is not a folder");
}

/// Makes the folder and its parents; adds the new ones to `made`, outermost first.
void make_folders(const fs::path& folder, std::vector<fs::path>& made) {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path each = folder; !each.empty() && !fs::exists(each, error); each = each.parent_path()) {
    missing.insert(missing.begin(), each);
    if (each == each.parent_path()) break;
  }
  for (const fs::path& each : missing) {
    if (fs::create_directory(each, error)) made.push_back(each);
    if (error) throw OutputError(each, "the folder cannot be made: " + error.message());
  }
}

/// Whether the path still leads to the open folder: another run may have removed it when it released it.
bool leads_to(const fs::path& path, const Descriptor& folder) {
  struct stat there {};
  struct stat open {};
  return lstat(path.c_str(), &there) == 0 && fstat(folder.get(), &open) == 0 && there.st_dev == open.st_dev &&
         there.st_ino == open.st_ino;
}

/// Makes and opens the folder; retries if another run, which had made one of its parents, has just removed that.
Descriptor made_and_open(const fs::path& folder, std::vector<fs::path>& made) {
  constexpr int most_attempts = 10;
  for (int attempt = 1;; ++attempt) {
    try {
      check_place(folder);
      make_folders(folder, made);
      return open_folder(folder);
    } catch (const OutputError&) {
      if (attempt == most_attempts) throw;
    }
  }
}

/// The folder, open and locked.
Descriptor take_folder(const fs::path& folder, std::vector<fs::path>& made) {
  try {
    while (true) {
      Descriptor descriptor = made_and_open(folder, made);
      lock_folder(descriptor);
      if (leads_to(folder, descriptor)) return descriptor;
    }
  } catch (const OutputError&) {
    remove_empty(made);
    throw;
  }
}

void remove_file(const Descriptor& folder, const std::string& name) {
  if (unlinkat(folder.get(), name.c_str(), 0) == 0 || errno == ENOENT) return;
  throw OutputError(folder.path() / name, "of an earlier report cannot be removed: " + reason_of(errno));
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder)
    : folder_(plain_path(folder)), descriptor_(take_folder(folder_, made_)) {}

OutputFolder::~OutputFolder() { remove_empty(made_); }

void OutputFolder::claim(std::vector<std::string> names, bool force) {
  const OwnFiles own(descriptor_);
  names_ = std::move(names);
  for (const std::string& name : own.names()) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }
  for (const std::string& name : names_) {
    const auto there = look_at(descriptor_, name);
    if (!there) continue;
    if (S_ISDIR(there->st_mode)) {
      throw OutputError(folder_ / name,
                        "is a folder, and the report has a file of that name; name another folder with "
                        "--out");
    }
    if (force || own.has(name)) continue;
    throw OutputError(folder_ / name,
                      "is there and is not what an earlier report wrote; name another folder with "
                      "--out, or replace it with --force");
  }
  const std::string foreign = own.first_but(names_);
  if (!force && !foreign.empty() && !own.has_manifest()) {
    throw OutputError(folder_, fmt::format("holds '{}' and no earlier report; name another folder with --out, or "
                                           "write into this one with --force",
                                           foreign));
  }
  try_out();
}

void OutputFolder::try_out() {
  const SignalsDeferred deferred;
  const OwnFiles own(descriptor_);
  for (const std::string& name : own.temporaries()) remove_file(descriptor_, name);
  const PendingFile attempt(descriptor_, manifest_name, "{}\n");  // removed, not renamed
}

void OutputFolder::write(std::span<const OutputFile> files) {
  std::vector<PendingFile> pending;
  for (const OutputFile& file : files) pending.emplace_back(descriptor_, file.name, file.bytes, file.tail);
  for (const std::string& name : names_) {
    if (std::ranges::find(files, name, &OutputFile::name) == files.end()) remove_file(descriptor_, name);
  }
  for (PendingFile& file : pending) file.rename();
  descriptor_.flush();
}

void OutputFolder::write_alone(const OutputFile& file) {
  PendingFile(descriptor_, file.name, file.bytes, file.tail).rename();
  descriptor_.flush();
}

std::optional<std::string> OutputFolder::first_line(const std::string& name) const {
  if (!look_at(descriptor_, name)) return std::nullopt;
  std::string line;
  read_plain(descriptor_, name, [&line](std::string_view piece) {
    line = piece;
    return false;
  });
  return line.substr(0, line.find('\n'));
}

}  // namespace reconverge::report
