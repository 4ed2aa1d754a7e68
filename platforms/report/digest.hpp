#pragma once
/// SHA-256, so that a manifest can say which bytes went in and came out.

#include <filesystem>
#include <string>
#include <string_view>

namespace reconverge::report {

/// 64 hexadecimal digits.
std::string sha256(std::string_view bytes);
/// The same of a file's contents. Throws InputError when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);

}  // namespace reconverge::report
