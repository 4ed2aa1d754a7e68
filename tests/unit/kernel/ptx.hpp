// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Modules and kernels that surround the few lines of PTX under test.

#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"

namespace reconverge::kernel::tests {

/// A module with one kernel `k` and registers of every type; the first line of `body` is line 9.
inline std::string kernel_text(std::string_view body, std::string_view module_variables = "") {
  std::string text = ".version 7.0\n.target sm_75\n.address_size 64\n";
  text.append(module_variables);
  text.append("\n.visible .entry k(.param .u64 pa, .param .u32 pb, .param .align 4 .b8 pc[12])\n{\n");
  text.append(".reg .pred %p<20>; .reg .b16 %rs<20>; .reg .b32 %r<60>; .reg .f32 %f<60>;\n");
  text.append(".reg .b64 %rd<60>; .reg .f64 %fd<20>;\n");
  text.append(body).append("\n}\n");
  return text;
}

inline Program load(std::string_view body, std::string_view module_variables = "",
                    std::span<const ExtensionInstruction> extensions = ray_instructions()) {
  return load_program_text(kernel_text(body, module_variables), "t.ptx", "k", extensions);
}

/// The first instruction of a kernel with this body.
inline Instruction decoded(std::string_view body, std::string_view module_variables = "") {
  return load(body, module_variables).instructions.front();
}

/// The error message for `text`, or "accepted".
inline std::string refusal_of_text(const std::string& text, std::string_view entry = "k") {
  try {
    load_program_text(text, "t.ptx", entry, ray_instructions());
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

inline std::string refusal(std::string_view body, std::string_view module_variables = "") {
  return refusal_of_text(kernel_text(body, module_variables));
}

/// The bits of the constant that an operand refers to.
inline std::uint64_t constant_bits(const Program& program, const Operand& operand) {
  for (const Constant& constant : program.constants) {
    if (operand.bank() == Bank::constant && constant.row == operand.row()) return constant.bits;
  }
  return 0xdeaddeaddeaddeadU;
}

}  // namespace reconverge::kernel::tests
