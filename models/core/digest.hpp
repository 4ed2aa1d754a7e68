#pragma once
/// SHA-256: which bytes went in and came out, and names for what is made from them.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace reconverge {

/// Bytes in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view bytes);
  /// 64 hexadecimal digits. Nothing can be added after that.
  std::string digits();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
/// The same of a file's contents. Throws InputError when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace reconverge
