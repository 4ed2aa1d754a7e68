// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/lone_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "models/core/signals_deferred.hpp"
#include "platforms/report/pending_file.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

/// Such as /dev/stdout, even if that is a file: a rename would replace the link.
bool is_standard_output(const fs::path& file) {
  struct stat there {};
  struct stat output {};
  return stat(file.c_str(), &there) == 0 && fstat(STDOUT_FILENO, &output) == 0 && there.st_dev == output.st_dev &&
         there.st_ino == output.st_ino;
}

bool is_of(const FileKind& kind, const fs::path& file) {
  std::string begin(1024, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin.find(kind.mark) != std::string::npos;
}

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// Devices and pipes are written in place: a rename would replace them by a plain file.
bool is_written_in_place(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored) && !fs::is_regular_file(file, ignored);
}

Descriptor open_in_place(const fs::path& file) {
  Descriptor descriptor(AT_FDCWD, file.string(), O_WRONLY | O_NONBLOCK, file);  // do not wait for a reader
  if (fcntl(descriptor.get(), F_SETFL, O_WRONLY) != 0) throw OutputError(file, reason_of(errno));
  return descriptor;
}

Descriptor open_folder_of(const fs::path& file) {
  const fs::path folder = folder_of(file);
  return {AT_FDCWD, folder.string(), O_RDONLY | O_DIRECTORY, folder};
}

/// The bytes of an open file, read when they are needed.
class MappedBytes {
 public:
  explicit MappedBytes(const Descriptor& file) {
    struct stat found {};
    if (fstat(file.get(), &found) != 0) throw OutputError(file.path(), reason_of(errno));
    size_ = static_cast<std::size_t>(found.st_size);
    if (size_ == 0) return;
    bytes_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (bytes_ == MAP_FAILED) throw OutputError(file.path(), reason_of(errno));
  }
  ~MappedBytes() {
    if (size_ != 0) munmap(bytes_, size_);
  }
  MappedBytes(const MappedBytes&) = delete;
  MappedBytes& operator=(const MappedBytes&) = delete;

  std::string_view view() const { return {static_cast<const char*>(bytes_), size_}; }

 private:
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
};

constexpr std::size_t most_kept = std::size_t{1} << 16U;

}  // namespace

void check_place(const fs::path& file, const FileKind& kind, bool force) {
  std::error_code error;
  const fs::path folder = folder_of(file);
  if (!fs::is_directory(folder, error)) {
    if (!error || error == std::errc::no_such_file_or_directory)
      throw OutputError(file, "there is no folder " + folder.generic_string());
    throw OutputError(folder, error.message());
  }
  if (fs::is_directory(file, error)) throw OutputError(file, "is a folder");
  if (force || !fs::is_regular_file(file, error) || is_standard_output(file)) return;
  if (fs::file_size(file, error) == 0 || is_of(kind, file)) return;
  throw OutputError(file,
                    fmt::format("is there and is not {}; name another file, or replace it with --force", kind.name));
}

void write_file(const fs::path& file, const FileKind& kind, bool force, std::string_view bytes) {
  check_place(file, kind, force);
  if (is_standard_output(file)) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);  // whose errors are found by the flush
    return;
  }
  if (is_written_in_place(file)) {
    Descriptor device = open_in_place(file);
    device.write_all(bytes);
    return device.close();
  }
  const SignalsDeferred deferred;
  const Descriptor folder = open_folder_of(file);
  PendingFile(folder, file.filename().string(), bytes).rename();
}

LoneStream::LoneStream(fs::path file, const FileKind& kind, bool force)
    : file_(std::move(file)), kind_(kind), force_(force) {
  check_place(file_, kind_, force_);
  if (is_standard_output(file_)) return;
  in_place_ = is_written_in_place(file_);
  out_.emplace(in_place_ ? open_in_place(file_) : nameless_file(open_folder_of(file_), file_));
}

void LoneStream::write(std::string_view text) {
  kept_ += text;
  if (kept_.size() >= most_kept) pass_on();
}

void LoneStream::pass_on() {
  if (!out_) {
    std::fwrite(kept_.data(), 1, kept_.size(), stdout);  // whose errors are found by the flush
  } else if (!error_) {
    try {
      out_->write_all(kept_);
    } catch (const OutputError& error) {
      error_ = error;
    }
  }
  kept_.clear();
}

void LoneStream::flush() {
  pass_on();
  if (error_) throw *error_;
}

void LoneStream::finish() {
  flush();
  if (!out_) return;
  if (in_place_) return out_->close();
  const MappedBytes text(*out_);
  write_file(file_, kind_, force_, text.view());
}

}  // namespace reconverge::report
