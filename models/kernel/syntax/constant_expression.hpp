// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Constant expressions: `(1 << 4) | 3`, `-1.5e0 * 2`, `WARP_SZ - 1` (PTX ISA, Syntax, Constant Expressions).

#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

/// Whether a constant expression may begin here.
bool starts_constant(const TokenStream& tokens);

/// The value of an expression, as a numeric operand. Integers have 64 bits and are signed, except for literals with U
/// and literals greater than 2^63 - 1; floats are doubles. Throws InputError if there is no expression, or if it has no
/// value.
SyntaxOperand parse_constant(TokenStream& tokens);

/// The same for an integer.
std::uint64_t parse_constant_integer(TokenStream& tokens, std::string_view what);

/// `+4`, `-4`, `+-4` or `+4*3` after a name; zero if there is no offset.
std::int64_t parse_offset(TokenStream& tokens);

}  // namespace reconverge::kernel
