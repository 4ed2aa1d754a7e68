// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A large file that gets its name when it is complete.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace reconverge {

/// A new file next to the final one, under an unpredictable name: an existing file or link of that name is never
/// written to. It is removed with this object unless it was finished.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& file);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void write(std::string_view bytes);
  /// Continues at the beginning.
  void rewind();
  /// Gives the file its name. Returns false if it cannot be written; nothing is left then.
  bool finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const {
      std::fclose(file);
    }  // NOLINT(cppcoreguidelines-owning-memory): it is the owner
  };

  std::filesystem::path file_;
  std::string beside_;
  std::unique_ptr<std::FILE, Close> stream_;  ///< null when it could not be made
};

}  // namespace reconverge
