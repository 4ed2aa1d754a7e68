#pragma once
/// The folder of a report: all files of a run or none, never half a file under its final name.

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::report {

/// A place that cannot be written. `what()` names the path and the system's reason.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& path, std::string_view reason);
  /// For a message that names the path already.
  explicit OutputError(const std::string& message) : std::runtime_error(message) {}
};

struct OutputFile {
  std::string name;
  std::string bytes;
  /// Follows `bytes`: data too large to be copied, whose owner must outlive this.
  std::string_view tail{};
};

/// Writes one file beside its place, flushes it to the disk and renames it. Throws OutputError; the file that was there
/// stays then, and nothing else does.
void write_file(const std::filesystem::path& file, std::string_view bytes);

class OutputFolder {
 public:
  /// Makes the folder and tries whether it takes files, so that a long run does not end in a refusal. `names` are all
  /// files that a report can have. A folder with anything else in it is refused, unless one of them is the manifest of
  /// an earlier report; `force` takes any folder. Throws OutputError.
  OutputFolder(std::filesystem::path folder, std::vector<std::string> names, bool force);
  /// Removes folders that it made and that stayed empty.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const { return folder_; }

  /// Writes all files beside their places, then renames them in the given order, and removes what an earlier
  /// report left under other `names`. Throws OutputError; before the first rename the earlier report stays whole.
  void write(std::span<const OutputFile> files);

 private:
  std::filesystem::path folder_;
  std::vector<std::string> names_;
  std::vector<std::filesystem::path> made_;  ///< outermost first
};

}  // namespace reconverge::report
