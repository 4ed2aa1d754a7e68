#pragma once
/// A large file on its way to its name.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace reconverge {

/// Lies beside its place, under a name that nobody can foresee, and is made anew: what has that name already, a link
/// too, is not written to. Gone with this object unless it was finished.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::filesystem::path& file);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  void write(std::string_view bytes);
  /// Goes on at the beginning.
  void rewind();
  /// Gives the file its name. False when it cannot be written; nothing is left then.
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
