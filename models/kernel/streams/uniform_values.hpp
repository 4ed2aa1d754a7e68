// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values that all threads of a launch share: they are constants of the nodes instead of fields of records.

#include <optional>
#include <span>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// A row with the same value for all threads, which is set before the node runs.
struct UniformRow {
  std::uint16_t row = 0;
  std::uint16_t from = 0;  ///< row that UniformValues::code_for computes
};

/// Finds for each row at each block whether a single instruction has written it, with the same value for all threads:
/// from parameters, constants, and the sizes of grid and block.
class UniformValues {
 public:
  explicit UniformValues(const Program& program) : UniformValues(program, program.blocks) {}
  /// For a different division of the program into blocks, in order of `first`. `blocks` must outlive this object.
  UniformValues(const Program& program, std::span<const BasicBlock> blocks);

  /// The row of the code with the value of `row` at the top of the block, if all threads share it. May add to the code.
  std::optional<std::uint16_t> at(std::uint32_t block, std::uint16_t row);

  /// The code that computes the source rows; it writes rows from Program::register_rows up.
  std::vector<Instruction> code_for(std::span<const UniformRow> read) const;
  std::uint32_t rows() const { return rows_; }

 private:
  // The writer of a row: a pc, or one of these values.
  static constexpr Pc nothing = no_pc;  // no path is known to reach this place
  static constexpr Pc many = no_pc - 1;
  static constexpr Pc beginning = no_pc - 2;
  using Writers = std::vector<Pc>;  // by row

  void write(Pc pc, Writers& writers) const;
  Writers writers_at(Pc pc) const;
  /// The row of the code with the instruction's result; adds the instruction and its inputs. Empty: the result may
  /// differ between threads.
  std::optional<std::uint16_t> place_of(Pc pc);
  std::optional<std::uint16_t> compute(Pc pc);

  const Program& program_;
  std::span<const BasicBlock> blocks_;
  std::vector<Writers> at_top_;                                     // by block
  std::vector<std::optional<std::optional<std::uint16_t>>> known_;  // by pc
  std::vector<Instruction> code_;
  std::uint32_t rows_;
};

}  // namespace reconverge::kernel
