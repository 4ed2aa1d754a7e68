// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Operands of instructions.

#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

/// One operand: register, constant expression, `[address+offset]`, `{vector}`, `!p`, `d|p`.
SyntaxOperand parse_operand(TokenStream& tokens);

/// The arguments or results of a call; the `(` has already been taken.
SyntaxOperand parse_list(TokenStream& tokens);

}  // namespace reconverge::kernel
