#pragma once
/// Operands of instructions and the values of initialisers.

#include "models/kernel/token_stream.hpp"

namespace reconverge::kernel {

/// One operand: register, immediate, `[address+offset]`, `{vector}`, `(list)`, `!p`, `d|p`.
SyntaxOperand parse_operand(TokenStream& tokens);

/// A number with its sign, as an operand. Throws InputError when none is there.
SyntaxOperand parse_number(TokenStream& tokens);

/// `+4`, `-4` or `+-4` after a name; zero when there is none.
std::int64_t parse_offset(TokenStream& tokens);

}  // namespace reconverge::kernel
