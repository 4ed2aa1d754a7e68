#pragma once
/// One file that a command writes, outside of a report: a page, a trace, a waveform, PTX. Nobody's file but an earlier
/// one of its kind gives way to it.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "platforms/report/descriptor.hpp"
#include "platforms/report/output_error.hpp"

namespace reconverge::report {

/// What tells files of a kind from all others.
struct FileKind {
  std::string_view name;  ///< in messages: "a page of Reconverge"
  std::string_view mark;  ///< stands among the first 1,024 bytes of each
};

/// Throws OutputError where there is no folder for the file, where a folder has its name, and where a plain file has it
/// that is neither empty nor of the kind; `force` takes the place of any plain file.
void check_place(const std::filesystem::path& file, const FileKind& kind, bool force);

/// `check_place`; then writes the file beside its place, flushes it to the disk and renames it. Throws OutputError; the
/// file that was there stays then, and nothing else does. Signals wait meanwhile. A device or pipe is written in place,
/// and so is standard output under whatever name.
void write_file(const std::filesystem::path& file, const FileKind& kind, bool force, std::string_view bytes);

/// Such a file whose text comes piece by piece. Until `finish`, the text of a plain file is on the disk of its folder
/// without a name, so that nothing remains of a process that ends before.
class LoneStream {
 public:
  /// `check_place`; throws OutputError, too, where nothing can be written in the folder, or to the device or pipe.
  LoneStream(std::filesystem::path file, const FileKind& kind, bool force);

  /// Never throws: after an error the text is dropped, and the next `flush` or `finish` tells the error.
  void write(std::string_view text);
  /// Passes on what `write` has kept. Throws OutputError.
  void flush();
  /// The file appears whole, as by `write_file`. Once, and last. Throws OutputError; the file that was there stays
  /// then.
  void finish();

  const std::filesystem::path& path() const { return file_; }

 private:
  void pass_on();

  std::filesystem::path file_;
  FileKind kind_;
  bool force_;
  bool in_place_ = false;
  std::optional<Descriptor> out_;  ///< none: standard output
  std::string kept_;
  std::optional<OutputError> error_;
};

}  // namespace reconverge::report
