// SPDX-License-Identifier: Apache-2.0
#include "models/core/unfinished_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <cstdint>

namespace reconverge {

UnfinishedFile::UnfinishedFile(const std::filesystem::path& file) : file_(file) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) return;
  const std::string temporary = fmt::format("{}.{:016x}.tmp", file.string(), number);
  const int handle = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (handle < 0) return;
  beside_ = temporary;
  stream_.reset(fdopen(handle, "wb"));
  if (stream_ == nullptr) close(handle);
}

UnfinishedFile::~UnfinishedFile() {
  if (!beside_.empty()) unlink(beside_.c_str());
}

void UnfinishedFile::write(std::string_view bytes) {
  if (stream_ != nullptr) std::fwrite(bytes.data(), 1, bytes.size(), stream_.get());
}

void UnfinishedFile::rewind() {
  // Not std::rewind, which clears the error indicator of a failed write.
  if (stream_ != nullptr) std::fseek(stream_.get(), 0, SEEK_SET);
}

bool UnfinishedFile::finish() {
  if (stream_ == nullptr) return false;
  const bool is_good = std::ferror(stream_.get()) == 0;
  if (std::fclose(stream_.release()) != 0 || !is_good) return false;
  if (rename(beside_.c_str(), file_.c_str()) != 0) return false;
  beside_.clear();
  return true;
}

}  // namespace reconverge
