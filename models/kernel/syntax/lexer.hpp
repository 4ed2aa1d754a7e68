// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Splits PTX text into tokens.

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

struct Token {
  enum class Kind : std::uint8_t {
    identifier,  ///< add, %r1, $label, _x
    dotted,      ///< .global, .v4, .L2::128B: the text without its dot
    integer,     ///< value in `bits`
    single,      ///< 0f3F800000
    floating,    ///< 0d..., 1.5, 1e3: bits of the double
    string,      ///< without the quotes
    symbol,      ///< one character
    end
  };
  Kind kind = Kind::end;
  Position position;
  std::string_view text;
  std::uint64_t bits = 0;

  bool is(char symbol) const { return kind == Kind::symbol && text.front() == symbol; }
  bool is_dotted(std::string_view word) const { return kind == Kind::dotted && text == word; }
};

/// All tokens of `source`; the last one is an `end` token. Throws InputError for characters, numbers, strings and
/// comments that are not PTX. `file` is used only in messages.
std::vector<Token> tokenize(std::string_view source, std::string_view file);

}  // namespace reconverge::kernel
