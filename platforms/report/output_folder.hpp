// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The folder of a report. It gets all files of a run or none, never a partial file under its final name, and does not
/// overwrite other files. docs/report.md describes the rules.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/report/descriptor.hpp"
#include "platforms/report/output_error.hpp"

namespace reconverge::report {

struct OutputFile {
  std::string name;
  std::string bytes;
  /// Follows `bytes`: data too large to copy, whose owner must outlive this.
  std::string_view tail{};
};

/// Held by one process at a time, for this object's lifetime.
class OutputFolder {
 public:
  /// Makes the folder and its parents. Throws OutputError if that fails, if the path is a symbolic link, and if another
  /// run holds the folder.
  explicit OutputFolder(const std::filesystem::path& folder);
  /// Removes folders that it made and that are still empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  /// The folders that it made, outermost first.
  const std::vector<std::filesystem::path>& made() const { return made_; }

  /// Claims the folder for a report whose files can have these `names`. Refuses files with such a name, or of an
  /// earlier report, that are not provably unchanged since that report wrote them, and folders with other files but no
  /// report; `force` accepts any. Then calls `try_out`. Throws OutputError.
  void claim(std::vector<std::string> names, bool force);

  /// Removes partial files of killed runs, and tests whether the folder is writable, so that a long run does not fail
  /// at its end. Throws OutputError.
  void try_out();

  /// Writes all files under temporary names, removes files of the earlier report that this one does not have, and
  /// renames the new files in the given order: the manifest last. If it throws OutputError before all are written, the
  /// earlier report is intact. Files left by a killed process are recognised by the next `claim`.
  void write(std::span<const OutputFile> files);

  /// The same for a file that no manifest lists; all other files stay.
  void write_alone(const OutputFile& file);

  /// The first line of the file of that name, at most 64 KiB of it; nothing if there is no such file, and an empty line
  /// if it is not a plain file.
  std::optional<std::string> first_line(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;
  Descriptor descriptor_;
  std::vector<std::string> names_;
};

}  // namespace reconverge::report
