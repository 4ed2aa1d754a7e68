// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX of the first generation: its defaults and their meaning.

#include <optional>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Whether the module is for sm_10 to sm_13.
bool is_first_generation(const Module& module);

/// `syntax` as a later version of PTX would write it, if that differs (PTX ISA, "Backward compatibility" and "PTX ISA
/// notes" of each instruction). Before PTX 1.4: div, rcp and sqrt of f32 are .approx.ftz, of f64 .rn, rsqrt, sin, cos,
/// lg2 and ex2 .approx (.ftz for f32), mad.f64 is .rn. In a module for sm_1x a mad.f32 without rounding is fma.rn.ftz,
/// as later GPUs execute it; GPUs of that generation truncate the product to 24 bits instead, which no machine here
/// does.
std::optional<SyntaxInstruction> in_full(const SyntaxInstruction& syntax, const Module& module);

/// GPUs of the first generation flush subnormal f32, and PTX for them has that meaning on any GPU: sets
/// `flush_subnormals` where it applies. cvt flushes unless one side has 64 bits.
void flush_as_first_generation(Instruction& instruction);

}  // namespace reconverge::kernel
