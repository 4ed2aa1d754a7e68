// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX of the first generation: its defaults and their meaning.

#include <optional>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Whether the module is for sm_10 to sm_13.
bool is_first_generation(const Module& module);

/// `syntax` in the form of later versions of PTX, if that differs (PTX ISA, "Backward compatibility" and "PTX ISA
/// notes" of each instruction). Before PTX 1.4: div, rcp and sqrt of f32 are .approx.ftz, of f64 .rn; rsqrt, sin, cos,
/// lg2 and ex2 are .approx (.ftz for f32); mad.f64 is .rn. In a module for sm_1x, a mad.f32 without rounding becomes
/// fma.rn.ftz, as later GPUs execute it. GPUs of that generation truncate the product to 24 bits, which no machine here
/// models.
std::optional<SyntaxInstruction> in_full(const SyntaxInstruction& syntax, const Module& module);

/// Sets `flush_subnormals` for instructions that flush subnormal f32: GPUs of the first generation do so, and PTX for
/// them has this meaning on any GPU. cvt flushes unless its source or destination has 64 bits.
void flush_as_first_generation(Instruction& instruction);

}  // namespace reconverge::kernel
