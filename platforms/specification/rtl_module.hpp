// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The parts of a SystemVerilog module that a specification shows, read from its source in the layout of rtl/: one
/// parameter or port in a line, a comment at the end of the line or above a group of lines.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::specification {

struct RtlParameter {
  std::string name;
  std::string value;    ///< the default; an expression
  std::string comment;  ///< empty: none
  bool local = false;
};

struct RtlPort {
  std::string name;
  bool input = false;
  std::string range;    ///< `[Lanes-1:0]`; empty for one bit
  std::string comment;  ///< empty: that of the group applies
};

/// Ports in consecutive lines below a comment.
struct PortGroup {
  std::string comment;  ///< empty: none
  std::vector<RtlPort> ports;
};

/// A name for a value, such as a state.
struct RtlConstant {
  std::string name;
  std::string range;
  std::string value;
};

/// Flip-flops: a signal whose name ends in `_q`.
struct RtlRegister {
  std::string name;
  std::string range;
  std::string entries;  ///< of an array; empty: no array
  std::string reset;    ///< its value after reset; empty: it has none
};

struct RtlModule {
  std::string name;
  std::string text;  ///< the comment at the head, paragraphs with an empty line between
  std::vector<RtlParameter> parameters;
  std::vector<PortGroup> ports;
  std::vector<RtlConstant> constants;
  std::vector<RtlRegister> registers;
  std::vector<std::string> instances;  ///< the modules that it contains, each once
};

/// Throws InputError with `file` and the line if the source has another layout.
RtlModule read_rtl(std::string_view file, std::string_view source);

/// A property that a simulation checks.
struct RtlAssertion {
  std::string name;
  std::string text;  ///< the comment above it, or else that of its section, whose first line begins with ---
};
std::vector<RtlAssertion> read_assertions(std::string_view source);

/// Values of parameters by name, each from its default, in the order of the declarations.
class Constants {
 public:
  explicit Constants(const std::vector<RtlParameter>& parameters);

  /// The value of an expression; nothing if it contains other names or operators.
  std::optional<std::uint64_t> value(std::string_view expression) const;
  /// The number of bits of a range, 1 for an empty one.
  std::optional<std::uint64_t> width(std::string_view range) const;

 private:
  std::vector<std::pair<std::string, std::uint64_t>> values_;
};

/// The length of a range as an expression: `Lanes` for `[Lanes-1:0]`, `1` for an empty one.
std::string width_text(std::string_view range);

}  // namespace reconverge::specification
