#pragma once
/// What every refusal looks like: one message with file, line and column, and what to do about it.

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

/// `file:line:column`, leaving out what is unknown; empty when nothing is known.
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

/// A program that went wrong while it ran (access outside every buffer, trap, deadlock ...).
class ExecutionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace reconverge
