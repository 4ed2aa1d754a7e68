// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Which pipe executes an instruction, for how long, and how it is counted.

#include <array>
#include <vector>

#include "blocks/lanes.hpp"
#include "models/core/cycle.hpp"
#include "models/execution/program_image.hpp"

namespace reconverge {

struct PipeService {
  LanesBusyCycles pipe = LanesBusyCycles::alu;
  Cycle latency = 0;   ///< from when the pipe accepts it to the first cycle in which a reader can issue
  Cycle interval = 0;  ///< cycles for which it occupies the entry of a unit
  LanesInstructions counter = LanesInstructions::alu;
  bool either = false;  ///< the special pipe may accept it if the pipe in `pipe` has no room
};

class PipeTable {
 public:
  /// Throws InputError if a list of opcodes' cycles does not have one value for each kind of opcode.
  explicit PipeTable(const LanesParameters& parameters);

  const PipeService& of(const DecodedInstruction& decoded) const {
    if (by_opcode_) [[unlikely]]
      return opcodes_[number_of(*decoded.instruction)];
    return classes_[decoded.kind][static_cast<std::size_t>(decoded.operation_class)];
  }

 private:
  using Classes = std::array<PipeService, static_cast<std::size_t>(kernel::OperationClass::count)>;
  static constexpr std::size_t kinds = 3;  // of types: integer, single, double

  static std::size_t kind_of(kernel::DataType type) {
    if (type == kernel::DataType::f64) return 2;
    return is_float(type) ? 1 : 0;
  }
  static std::size_t number_of(const kernel::Instruction& instruction) {
    return static_cast<std::size_t>(instruction.opcode) * kinds + kind_of(instruction.type);
  }
  void group_by_pipes(const LanesParameters& parameters);
  void group_by_opcodes(const LanesParameters& parameters);

  std::array<Classes, 3> classes_;  // by DecodedInstruction::kind and operation class
  bool by_opcode_;
  std::vector<PipeService> opcodes_;  // by opcode and kind of type, if the opcode has separate cycles
};

}  // namespace reconverge
