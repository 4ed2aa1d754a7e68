#pragma once
/// Operands of instructions.

#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

/// One operand: register, constant expression, `[address+offset]`, `{vector}`, `!p`, `d|p`.
SyntaxOperand parse_operand(TokenStream& tokens);

/// What a call passes or gets back, its `(` taken before.
SyntaxOperand parse_list(TokenStream& tokens);

}  // namespace reconverge::kernel
