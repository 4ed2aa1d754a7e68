// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A file that gets its name once it is complete.

#include <filesystem>
#include <string>
#include <string_view>

#include "platforms/report/descriptor.hpp"

namespace reconverge::report {

/// Written and flushed in the destination folder, under an unpredictable name. Removed with this object unless it was
/// renamed. Throws OutputError. The folder must outlive it.
class PendingFile {
 public:
  /// `tail` follows `bytes`.
  PendingFile(const Descriptor& folder, std::string name, std::string_view bytes, std::string_view tail = {});
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  PendingFile& operator=(PendingFile&&) = delete;

  /// Replaces whatever has the name. A symbolic link there is removed, and its target is unchanged.
  void rename();

 private:
  void discard() noexcept;

  const Descriptor* folder_;
  std::string name_;
  std::string temporary_;
};

/// A new nameless file in the folder, for reading and writing: its bytes disappear with the process. `path` is its name
/// in messages. Throws OutputError.
Descriptor nameless_file(const Descriptor& folder, const std::filesystem::path& path);

/// Whether a name is that of a pending file: `.reconverge.`, 16 hexadecimal digits, `.tmp`.
bool is_temporary_name(std::string_view name);

}  // namespace reconverge::report
