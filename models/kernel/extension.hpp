#pragma once
/// How a scheme tells the front end about instructions of its own. The parser and the decoder stay as they are.

#include <string_view>
#include <vector>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// One extension instruction. Written in PTX (or inline assembly) as
/// `mnemonic destination..., source..., target;`, and decoded to Opcode::extension.
struct ExtensionInstruction {
  std::string_view mnemonic;                ///< all of it, dots included: `spawn`, `rdctrl.b32`
  std::vector<DataType> destinations = {};  ///< at most 4; DataType::pred is a predicate
  std::vector<DataType> sources = {};       ///< at most 5; immediates are allowed wherever a register is
  bool memory = false;                      ///< source[0] is an address, `[register+offset]`; its type is not looked at
  bool target = false;                      ///< the last operand is a label, which goes to Instruction::target
  Space space = Space::none;                ///< copied to the instruction
  DataType type = DataType::none;           ///< copied to the instruction
};

}  // namespace reconverge::kernel
