#pragma once
/// How a scheme tells the front end about instructions of its own. The parser and the decoder stay as they are.

#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// One extension instruction. Written in PTX (or inline assembly) as
/// `mnemonic destination..., source..., {ray registers}, target;`, and decoded to Opcode::extension.
struct ExtensionInstruction {
  std::string_view mnemonic;                  ///< all of it, dots included: `spawn`, `rdctrl.b32`
  std::string_view special_destination = {};  ///< the first operand is this special register; empty: there is none
  std::vector<DataType> destinations = {};    ///< at most 4; DataType::pred is a predicate
  std::vector<DataType> sources = {};         ///< at most 5; immediates are allowed wherever a register is
  bool memory = false;                ///< source[0] is an address, `[register+offset]`; its type is not looked at
  bool ray_registers = false;         ///< registers in braces, read and written: Program::ray_registers
  bool target = false;                ///< the last operand is a label, which goes to Instruction::target
  Space space = Space::none;          ///< copied to the instruction
  DataType type = DataType::none;     ///< copied to the instruction
  Extension what = Extension::other;  ///< goes to Instruction::variant
};

/// The extension instructions that every scheme's program may use, whether a platform has the hardware or not:
/// - `rdctrl.b32 %control, {%r1, %f2, ...};` reads the control value of dynamic ray shuffling (Lü et al., MICRO 2017,
///   section 3.1.2). The braces hold the ray registers, all that a thread keeps of its ray: 1 to 32 different registers
///   of 32 bits, which may hold another ray afterwards. A kernel has one rdctrl at most, in its own body and without a
///   guard.
/// - `mov.u32 %ray_state, source;` (or .b32) reports the state of the thread's ray, a RayState; reg_ray_state there.
///   Any other value ends the run with an error. The register cannot be read.
std::span<const ExtensionInstruction> known_extensions();

}  // namespace reconverge::kernel
