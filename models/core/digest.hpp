// SPDX-License-Identifier: Apache-2.0
#pragma once
/// SHA-256: identifies inputs and outputs by their bytes, and names data that is made from them.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace reconverge {

/// A digest of bytes that are added piece by piece.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  /// 64 hexadecimal digits. Nothing can be added after this call.
  std::string digits();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
/// The same for a file's contents. Throws InputError if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace reconverge
