// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A large file that gets its name only when it is complete.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace reconverge {

/// A temporary file in the folder of the final one, with an unpredictable name: an existing file or link of this name
/// is never written to. The destructor removes it unless it was finished.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& file);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void write(std::string_view bytes);
  /// Moves to the beginning of the file.
  void rewind();
  /// Gives the file its name. Returns false if it cannot be written; the temporary file is then removed.
  bool finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      std::fclose(file);
    }  // NOLINT(cppcoreguidelines-owning-memory): it is the owner
  };

  std::filesystem::path file_;
  std::string beside_;
  std::unique_ptr<std::FILE, Close> stream_;  ///< null if it could not be created
};

}  // namespace reconverge
