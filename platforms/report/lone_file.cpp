#include "platforms/report/lone_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>

#include "models/core/signals_deferred.hpp"
#include "platforms/report/pending_file.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

/// As /dev/stdout is, also where that is a file: a rename would take the place of the link.
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

void write_in_place(const fs::path& file, std::string_view bytes) {
  Descriptor descriptor(AT_FDCWD, file.string(), O_WRONLY | O_NONBLOCK, file);  // waits for no reader
  if (fcntl(descriptor.get(), F_SETFL, O_WRONLY) != 0) throw OutputError(file, reason_of(errno));
  descriptor.write_all(bytes);
  descriptor.close();
}

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
  std::error_code ignored;
  if (is_standard_output(file)) {
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);  // whose errors are found when it is flushed
    return;
  }
  // A device or pipe is written in place: a rename would put a plain file there.
  if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) return write_in_place(file, bytes);
  const fs::path parent = folder_of(file);
  const SignalsDeferred deferred;
  const Descriptor folder(AT_FDCWD, parent.string(), O_RDONLY | O_DIRECTORY, parent);
  PendingFile(folder, file.filename().string(), bytes).rename();
}

}  // namespace reconverge::report
