#pragma once
/// What is thrown where a result cannot be written.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace reconverge::report {

/// A place that cannot be written. `what()` names the path and the system's reason.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& path, std::string_view reason);
  /// For a message that names the path already.
  explicit OutputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace reconverge::report
