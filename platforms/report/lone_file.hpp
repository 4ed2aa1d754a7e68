// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Writes one file that is not part of a report: a page, a trace, a waveform, PTX. It replaces only an earlier file of
/// the same kind.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "platforms/report/descriptor.hpp"
#include "platforms/report/output_error.hpp"

namespace reconverge::report {

/// Identifies files of a kind.
struct FileKind {
  std::string_view name;  ///< in messages: "a page of Reconverge"
  std::string_view mark;  ///< a text within the first 1,024 bytes of each
};

/// Throws OutputError if the file's folder does not exist, if a folder has its name, and if a plain file has it that is
/// neither empty nor of the kind; with `force` any plain file is replaced.
void check_place(const std::filesystem::path& file, const FileKind& kind, bool force);

/// Calls `check_place`, then writes the file under a temporary name, flushes it to the disk and renames it. If it
/// throws OutputError, an existing file is unchanged and no new file remains. Signals are blocked meanwhile. A device
/// or pipe is written in place, and so is standard output under any name.
void write_file(const std::filesystem::path& file, const FileKind& kind, bool force, std::string_view bytes);

/// A file of this kind whose text is written piece by piece. Until `finish`, the text of a plain file is in a nameless
/// file on the disk of its folder, so that nothing remains if the process ends early.
class LoneStream {
 public:
  /// Calls `check_place`; also throws OutputError if the folder, device or pipe cannot be written.
  LoneStream(std::filesystem::path file, const FileKind& kind, bool force);

  /// Never throws: after an error the text is dropped, and the next `flush` or `finish` reports the error.
  void write(std::string_view text);
  /// Writes the text that `write` has buffered. Throws OutputError.
  void flush();
  /// The complete file appears, as with `write_file`. Must be the last call, and the only one. If it throws
  /// OutputError, an existing file is unchanged.
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
