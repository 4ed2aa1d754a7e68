// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A program prepared for an SM: the operation of each instruction, the registers that it waits for, constants in rows.

#include <array>
#include <span>
#include <vector>

#include "models/execution/first_reads.hpp"
#include "models/execution/operations/operation.hpp"
#include "models/execution/row_list.hpp"

namespace reconverge {

/// Registers of an instruction as the scoreboard numbers them: rows first, then predicates.
struct Dependencies {
  static constexpr std::size_t together = 4;
  // Four pairs written, five operands read, the guard; or the control value and 18 ray registers. A multiple of four.
  static constexpr std::size_t capacity = 20;
  /// Registers that are written, then registers that are read. A register that is always ready follows the last, so
  /// that they can be looked up four at a time.
  std::array<std::uint16_t, capacity> registers{};
  std::uint8_t count = 0;
  std::uint8_t written = 0;

  std::span<const std::uint16_t> all() const { return {registers.data(), count}; }
  std::span<const std::uint16_t> destinations() const { return {registers.data(), written}; }
};

/// The predicate of an instruction.
struct Guard {
  std::uint32_t row = unguarded;
  LaneMask inverted = 0;  ///< all lanes if the guard is negated

  static constexpr std::uint32_t unguarded = ~0U;

  /// Lanes of `active` that the guard lets through.
  LaneMask pass(const LaneMask* predicates, LaneMask active) const {
    return row == unguarded ? active : active & (predicates[row] ^ inverted);
  }
};

/// A compact form of an instruction's operation on the lanes of a warp: for code that runs one instruction after
/// another.
struct Step {
  /// Null if the instruction affects more than the lanes: if paths diverge, end or wait, or lanes communicate.
  Operation operation = nullptr;
  Guard guard;
};

/// Rows of registers that an instruction reads and writes; an operand of 64 bits has two.
struct RegisterRows {
  RowList read;
  RowList written;
};

/// The continuation of a warp after an instruction.
enum class Flow : std::uint8_t {
  on,        ///< to the next instruction
  branch,    ///< bra
  indirect,  ///< brx
  call,
  leave,  ///< a function, by ret
  exit,
  barrier,   ///< to the next instruction, when the block barrier releases it
  extension  ///< to the next instruction, when its scheme allows it
};

/// All properties of an instruction that the blocks of an SM need, stored together.
struct alignas(64) DecodedInstruction {
  const kernel::Instruction* instruction = nullptr;
  Operation operation = nullptr;  ///< null: it only affects the control flow of the warp
  Guard guard;
  kernel::OperationClass operation_class = kernel::OperationClass::alu;
  Flow flow = Flow::on;
  bool memory = false;  ///< the load/store unit executes it
  /// Within its class: 1 for class alu on types other than floating point, and for steps of 8 rows of class matrix; 2
  /// for those steps in double precision.
  std::uint8_t kind = 0;
  bool exchange = false;      ///< its lanes wait for each other
  bool asks = false;          ///< its issue depends on more than its registers and its pipe
  bool asynchronous = false;  ///< ExtensionInstruction::asynchronous
  Dependencies dependencies;
  RegisterRows rows;
};

class ProgramImage {
 public:
  /// Places the module's variables in `memory`, unless a kernel of the same module already did. Throws InputError at
  /// the PTX line of an instruction that the lanes cannot execute.
  ProgramImage(const kernel::Program& program, DeviceMemory& memory);

  const kernel::Program& program() const { return *program_; }
  const kernel::Instruction& instruction(kernel::Pc pc) const { return program_->instructions[pc]; }
  const DecodedInstruction& decoded(kernel::Pc pc) const { return decoded_[pc]; }
  /// Step of the program's first instruction; those of the others follow.
  const Step* steps() const { return steps_.data(); }
  /// Registers and predicates that the scoreboard tracks for each warp. The number after the last is a register that is
  /// always ready.
  std::size_t tracked() const { return program_->register_rows + program_->predicates; }
  const FirstReads& first_reads() const { return first_reads_; }
  /// The constant bank: the same for all warps.
  std::byte* constants() const { return reinterpret_cast<std::byte*>(const_cast<Row*>(constants_.data())); }

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };

  void set_constant(const kernel::Constant& constant, std::uint64_t bits);

  const kernel::Program* program_;
  FirstReads first_reads_;
  std::vector<Step> steps_;
  std::vector<DecodedInstruction> decoded_;
  std::vector<Row> constants_;
};

}  // namespace reconverge
