#pragma once
/// Special registers that are no row and no operation of their own: constants of this machine, and other names.

#include <optional>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// What a mov reads in place of the special register `operand`: a constant, or the special register that it equals. A
/// block is a cluster of its own; nothing is reserved of shared memory; environment and performance-monitor registers
/// hold zeros. Nothing where the name is none of these.
std::optional<SyntaxOperand> special_register_alias(const SyntaxOperand& operand);

}  // namespace reconverge::kernel
