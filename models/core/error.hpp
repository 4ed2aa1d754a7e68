// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The form of all errors: one message with file, line, column, and the remedy.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace reconverge {

/// A place in a text that the user wrote. Lines and columns count from one; zero means unknown.
struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool operator==(const SourceLocation&) const = default;
};

/// `file:line:column` without the unknown parts; empty if all are unknown.
std::string to_string(const SourceLocation& location);

/// Bad input: thrown before anything runs. `what()` reads `file:line:column: message; hint`.
class InputError : public std::runtime_error {
 public:
  InputError(SourceLocation location, std::string_view message, std::string_view hint = {});

  const SourceLocation& location() const { return location_; }
  const std::string& hint() const { return hint_; }

 private:
  SourceLocation location_;
  std::string hint_;
};

/// A value that is well formed but cannot be used, e.g. a kernel that is not in the module. The code that loaded the
/// configuration has the location of the value.
class ParameterError : public InputError {
 public:
  /// `key`: path of the parameter from the root of the configuration, `gpu.sm.l1.line`.
  ParameterError(std::string key, std::string_view message, std::string_view hint = {});

  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

/// Runs `action`; an InputError without a line becomes a ParameterError about `key`.
template <typename Action>
auto about_parameter(std::string_view key, Action&& action) {
  try {
    return action();
  } catch (const ParameterError&) {
    throw;
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    throw ParameterError(std::string(key), error.what());
  }
}

/// The kinds of program failures that hosts distinguish.
enum class Fault : std::uint8_t {
  other,
  address,     ///< an access outside every buffer
  alignment,   ///< an access to an address that is not a multiple of its size
  assertion,   ///< a failed `assert`
  standstill,  ///< no warp can continue, or all warps loop without progress
};

/// A program that failed while it ran (access outside every buffer, trap, deadlock ...).
class ExecutionError : public std::runtime_error {
 public:
  explicit ExecutionError(const std::string& message, Fault fault = Fault::other)
      : std::runtime_error(message), fault_(fault) {}

  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

}  // namespace reconverge
