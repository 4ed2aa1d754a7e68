#include "platforms/report/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_name = "manifest.json";

std::string reason_of(int error) { return std::generic_category().message(error); }

fs::path temporary_of(const fs::path& file) {
  return file.parent_path() / fmt::format(".{}.tmp", file.filename().string());
}

/// An open file; what it cannot do throws. `meant` is what a message calls it.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags, const fs::path& meant)
      : meant_(meant), handle_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (handle_ < 0) fail();
  }
  ~Descriptor() {
    if (handle_ >= 0) ::close(handle_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(handle_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void flush() const {
    // Pipes and devices have nothing to flush to.
    if (fsync(handle_) != 0 && errno != EINVAL && errno != EROFS) fail();
  }
  /// A file system may tell of a full disk only now.
  void close() {
    const int handle = std::exchange(handle_, -1);
    if (::close(handle) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const { throw OutputError(meant_, reason_of(errno)); }

  fs::path meant_;
  int handle_;
};

/// A file on its way to its name. Gone with this object unless it got there.
class PendingFile {
 public:
  PendingFile(fs::path file, std::string_view bytes, std::string_view tail = {})
      : file_(std::move(file)), temporary_(temporary_of(file_)) {
    try {
      Descriptor descriptor(temporary_, O_WRONLY | O_CREAT | O_TRUNC, file_);
      descriptor.write_all(bytes);
      descriptor.write_all(tail);
      descriptor.flush();
      descriptor.close();
    } catch (...) {
      discard();
      throw;
    }
  }
  ~PendingFile() { discard(); }
  PendingFile(PendingFile&& other) noexcept
      : file_(std::move(other.file_)), temporary_(std::exchange(other.temporary_, fs::path())) {}
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;

  void rename() {
    std::error_code error;
    fs::rename(temporary_, file_, error);
    if (error) throw OutputError(file_, error.message());
    temporary_.clear();
  }

 private:
  void discard() noexcept {
    if (temporary_.empty()) return;
    std::error_code ignored;
    fs::remove(temporary_, ignored);
  }

  fs::path file_;
  fs::path temporary_;
};

void flush_folder(const fs::path& folder) { Descriptor(folder, O_RDONLY | O_DIRECTORY, folder).flush(); }

/// Makes the folder and those above it; returns the new ones, outermost first.
std::vector<fs::path> make_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path each = folder; !each.empty() && !fs::exists(each); each = each.parent_path()) {
    missing.insert(missing.begin(), each);
    if (each == each.parent_path()) break;
  }
  for (const fs::path& each : missing) {
    std::error_code error;
    fs::create_directory(each, error);
    if (error) {
      std::error_code ignored;
      for (const fs::path& made : missing) fs::remove(made, ignored);
      throw OutputError(each, "the folder cannot be made: " + error.message());
    }
  }
  return missing;
}

bool is_name_of_report(const std::string& name, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& known) { return name == known || name == temporary_of(known).string(); });
}

/// The name of a file that no report has; empty when there is none.
std::string foreign_file(const fs::path& folder, const std::vector<std::string>& names) {
  std::string foreign;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_name_of_report(name, names) && (foreign.empty() || name < foreign)) foreign = name;
  }
  return foreign;
}

}  // namespace

OutputError::OutputError(const fs::path& path, std::string_view reason)
    : std::runtime_error(fmt::format("{}: {}", path.generic_string(), reason)) {}

void write_file(const fs::path& file, std::string_view bytes) {
  std::error_code ignored;
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
    // A device or pipe is written in place: a rename would put a plain file there.
    if (fs::is_directory(file, ignored)) throw OutputError(file, "is a folder");
    Descriptor descriptor(file, O_WRONLY, file);
    descriptor.write_all(bytes);
    descriptor.close();
    return;
  }
  PendingFile(file, bytes).rename();
}

OutputFolder::OutputFolder(fs::path folder, std::vector<std::string> names, bool force)
    : folder_(std::move(folder)), names_(std::move(names)) {
  folder_ = folder_.lexically_normal();
  if (!folder_.has_filename()) folder_ = folder_.parent_path();
  try {
    if (fs::exists(folder_) && !fs::is_directory(folder_)) throw OutputError(folder_, "is not a folder");
    made_ = make_folders(folder_);
    const std::string foreign = foreign_file(folder_, names_);
    if (!force && !foreign.empty() && !fs::exists(folder_ / manifest_name)) {
      throw OutputError(folder_, fmt::format("holds '{}' and no earlier report; name another folder with --out, or "
                                             "write into this one with --force",
                                             foreign));
    }
  } catch (const fs::filesystem_error& error) {
    throw OutputError(folder_, error.code().message());
  }
  try {
    const PendingFile attempt(folder_ / manifest_name, "{}\n");  // removed, not renamed
  } catch (...) {
    for (auto each = made_.rbegin(); each != made_.rend(); ++each) {
      std::error_code ignored;
      fs::remove(*each, ignored);
    }
    throw;
  }
}

OutputFolder::~OutputFolder() {
  for (auto each = made_.rbegin(); each != made_.rend(); ++each) {
    std::error_code ignored;
    fs::remove(*each, ignored);  // refuses a folder that is not empty
  }
}

void OutputFolder::write(std::span<const OutputFile> files) {
  std::vector<PendingFile> pending;
  for (const OutputFile& file : files) pending.emplace_back(folder_ / file.name, file.bytes, file.tail);
  for (PendingFile& file : pending) file.rename();
  for (const std::string& name : names_) {
    if (std::any_of(files.begin(), files.end(), [&](const OutputFile& file) { return file.name == name; })) continue;
    std::error_code error;
    fs::remove(folder_ / name, error);
    if (error) throw OutputError(folder_ / name, "of an earlier report cannot be removed: " + error.message());
  }
  flush_folder(folder_);
}

}  // namespace reconverge::report
