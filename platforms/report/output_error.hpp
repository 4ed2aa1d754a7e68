// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The exception for a result that cannot be written.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace reconverge::report {

/// A path that cannot be written. `what()` names the path and the system's reason.
class OutputError : public std::runtime_error {
 public:
  OutputError(const std::filesystem::path& path, std::string_view reason);
  /// For a message that already names the path.
  explicit OutputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace reconverge::report
