// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Gives the pipe that executes an instruction, the number of cycles, and the counter for it.

#include <array>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/core/cycle.hpp"
#include "models/execution/program_image.hpp"
#include "models/sm/opcode_cycles.hpp"

namespace reconverge {

struct PipeService {
  LanesBusyCycles pipe = LanesBusyCycles::alu;
  Cycle latency = 0;   ///< cycles from acceptance by the pipe to the first cycle in which a reader can issue
  Cycle interval = 0;  ///< cycles for which it blocks the input of a unit
  LanesInstructions counter = LanesInstructions::alu;
  bool either = false;  ///< the special pipe may accept it if `pipe` is busy
};

class PipeTable {
 public:
  /// Throws InputError if a list of opcodes' cycles does not have one value for each kind of opcode, or `opcodes`
  /// cannot be read.
  explicit PipeTable(const LanesParameters& parameters);

  const PipeService& of(const DecodedInstruction& decoded) const {
    if (!opcodes_.empty()) [[unlikely]] {
      const PipeService& service = opcodes_[number_of(*decoded.instruction)];
      if (service.interval != 0) return service;
    }
    return classes_[decoded.kind][static_cast<std::size_t>(decoded.operation_class)];
  }

 private:
  using Classes = std::array<PipeService, static_cast<std::size_t>(kernel::OperationClass::count)>;
  static std::size_t number_of(const kernel::Instruction& instruction) {
    return static_cast<std::size_t>(instruction.opcode) * operand_kinds + operand_kind(instruction);
  }
  PipeService& at(kernel::Opcode opcode, std::size_t kind) {
    return opcodes_[static_cast<std::size_t>(opcode) * operand_kinds + kind];
  }
  void group_by_pipes(const LanesParameters& parameters);
  void group_by_opcodes(const LanesParameters& parameters);
  /// The exceptions in LanesParameters::opcodes.
  void except_opcodes(const LanesParameters& parameters);

  std::array<Classes, 3> classes_;    // by DecodedInstruction::kind and operation class
  std::vector<PipeService> opcodes_;  // by opcode and kind; interval 0: none, the class decides
};

}  // namespace reconverge
