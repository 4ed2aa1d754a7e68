#pragma once
/// A file on its way to its name.

#include <filesystem>
#include <string>
#include <string_view>

#include "platforms/report/descriptor.hpp"

namespace reconverge::report {

/// Written and flushed beside its place, under a name that nobody can foresee. Gone with this object unless it got to
/// its name. Throws OutputError. The folder outlives it.
class PendingFile {
 public:
  /// `tail` follows `bytes`.
  PendingFile(const Descriptor& folder, std::string name, std::string_view bytes, std::string_view tail = {});
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;

  /// Takes the place of whatever has the name. A symbolic link there goes, and what it leads to stays as it is.
  void rename();

 private:
  void discard() noexcept;

  const Descriptor* folder_;
  std::string name_;
  std::string temporary_;
};

/// A new file in the folder, for reading and writing, that has no name: its bytes go with the process. `path` is what
/// messages call it. Throws OutputError.
Descriptor nameless_file(const Descriptor& folder, const std::filesystem::path& path);

/// Whether a name is one of those: `.reconverge.`, 16 hexadecimal digits, `.tmp`.
bool is_temporary_name(std::string_view name);

}  // namespace reconverge::report
