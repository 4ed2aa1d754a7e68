#pragma once
/// The folder of a report: all files of a run or none, never half a file under its final name, and nobody else's file
/// overwritten. docs/report.md describes the rules.

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
  /// Follows `bytes`: data too large to be copied, whose owner must outlive this.
  std::string_view tail{};
};

/// Held by one process at a time, as long as this lives.
class OutputFolder {
 public:
  /// Makes the folder, and those above it. Throws OutputError where that is not possible, where a symbolic link has its
  /// place, and where another run holds it.
  explicit OutputFolder(const std::filesystem::path& folder);
  /// Removes folders that it made and that stayed empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  /// The folders that it made, outermost first.
  const std::vector<std::filesystem::path>& made() const { return made_; }

  /// Takes the folder for a report, whose files can have these `names`. A file of such a name, or of an earlier
  /// report's, that is not provably as that report wrote it is refused, and so is a folder with other files and no
  /// report; `force` takes any. Then as `try_out`. Throws OutputError.
  void claim(std::vector<std::string> names, bool force);

  /// Removes what killed runs left half-written, and tries whether the folder takes files, so that a long run does not
  /// end in a refusal. Throws OutputError.
  void try_out();

  /// Writes all files beside their places, then removes what an earlier report has and this one has not, and renames
  /// them in the given order: the manifest last. Throws OutputError; until all are written the earlier report stays
  /// whole. A process that is killed leaves what the next `claim` knows for ours.
  void write(std::span<const OutputFile> files);

  /// The same for a file that no manifest lists; all others stay.
  void write_alone(const OutputFile& file);

  /// The first line of the file of that name, 64 KiB of it at most; nothing where there is none, and an empty one where
  /// it is no plain file.
  std::optional<std::string> first_line(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;
  Descriptor descriptor_;
  std::vector<std::string> names_;
};

}  // namespace reconverge::report
