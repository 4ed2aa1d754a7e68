// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The program that all machines and schemes execute: PTX decoded to compact operations on allocated registers, with
/// its control-flow graph. No SystemC.
///
/// Registers are rows of `warp_size` 32-bit words (structure of arrays). A value of at most 32 bits occupies one row; a
/// 64-bit value occupies rows r and r+1, r even, with the low words in the first. Immediates and addresses of variables
/// are also rows (bank `constant`, the same value in all lanes), and so are special registers (bank `special`), so that
/// operations need not distinguish kinds of operands.

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kernel/extension.hpp"
#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// Index into `Program::instructions`.
using Pc = std::uint32_t;
inline constexpr Pc no_pc = std::numeric_limits<Pc>::max();

/// The bank of an operand. The first three index rows of 32 words; `predicate` indexes lane masks.
enum class Bank : std::uint8_t { reg, constant, special, predicate };

/// An operand: bank and row, packed in 16 bits. Default constructed: absent.
class Operand {
 public:
  constexpr Operand() = default;
  constexpr Operand(Bank bank, unsigned row)
      : bits_(static_cast<std::uint16_t>(static_cast<unsigned>(bank) << 14 | row)) {}

  static constexpr unsigned max_row = (1U << 14) - 2;

  constexpr bool present() const { return bits_ != absent; }
  constexpr Bank bank() const { return static_cast<Bank>(bits_ >> 14); }
  constexpr unsigned row() const { return bits_ & 0x3fffU; }
  constexpr bool operator==(const Operand&) const = default;

 private:
  static constexpr std::uint16_t absent = 0xffff;
  std::uint16_t bits_ = absent;
};

/// Rows of the bank `special`. Per lane, so that a scheme may move a thread to another lane or warp.
enum class SpecialRow : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  laneid,
  warpid,  // differ by thread
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nwarpid,
  smid,
  nsmid,
  gridid,
  envreg1,
  envreg2,      // the same in all lanes
  extension_0,  // identity of a thread that a scheme began; 0 for all other threads
  extension_1,  // the thread's state for its scheme (ExtensionInstruction); PTX cannot read it by this name
  local_home,   // start of the thread's local memory; not visible to PTX
  count
};

inline constexpr std::uint8_t no_extension = 0xff;

/// One decoded operation. Fields that an opcode does not use keep their defaults.
struct Instruction {
  Opcode opcode = Opcode::nop;
  DataType type = DataType::none;         ///< of the operation and, unless opcode.hpp differs, its operands
  DataType source_type = DataType::none;  ///< cvt, set, slct, tex: type of the source; wide forms: see opcode.hpp
  OperationClass operation_class = OperationClass::alu;

  Operand guard;  ///< predicate that enables each lane; absent: all active lanes
  bool guard_negated = false;
  std::uint8_t negated_sources = 0;  ///< bit i: the predicate operand source[i] is inverted

  std::array<Operand, 4> destination;  ///< vector loads use one each; setp: [0]=p, [1]=q; atom: [0]
  std::array<Operand, 7> source;       ///< memory: [0] is the address, [1..4] the data; order as in PTX otherwise

  Space space = Space::none;
  Rounding rounding = Rounding::none;
  Comparison comparison = Comparison::none;
  Boolean boolean = Boolean::none;
  Half half = Half::none;  ///< mul, mad: lo, hi or wide
  AtomicOperation atomic = AtomicOperation::none;
  std::uint8_t vector_width = 1;          ///< 1, 2 or 4
  bool flush_subnormals = false;          ///< .ftz
  bool saturate = false;                  ///< .sat
  bool approximate = false;               ///< .approx
  bool wide_address = true;               ///< memory: the address operand has 64 bits
  bool uniform = false;                   ///< .uni, .aligned
  std::uint8_t extension = no_extension;  ///< index into Program::extensions, for an extension instruction
  std::uint8_t variant = 0;  ///< further choice that opcode.hpp describes for the opcode (shfl mode, vote mode ...)

  std::int32_t offset = 0;   ///< memory: bytes added to the address; lop3: the table; bar: the barrier
  Pc target = no_pc;         ///< bra, call: the target of taken lanes (call through a pointer: no_pc); brx: the table
  Pc reconvergence = no_pc;  ///< bra: first pc of the immediate post-dominator; no_pc: lanes reconverge only at exit
  std::uint32_t line = 0;    ///< PTX line, from one
  std::uint16_t wide_operands = 0;  ///< bit i: destination[i] takes two rows; bit 4 + i: source[i] does

  /// A row operand that is 64 bits wide: rows r and r + 1. `ld.u32` with a wide destination extends to 64 bits.
  constexpr bool wide_destination(unsigned i) const { return (wide_operands >> i & 1U) != 0; }
  constexpr bool wide_source(unsigned i) const { return (wide_operands >> (4 + i) & 1U) != 0; }
};
static_assert(sizeof(Instruction) <= 64, "an instruction fits a cache line");

/// Whether execution continues both after the instruction and at its target, each with the thread's registers.
constexpr bool forks(const Instruction& instruction) {
  return instruction.opcode == Opcode::extension && static_cast<Fork>(instruction.variant) != Fork::none;
}

/// A straight run of instructions, entered at the top and left at the bottom.
struct BasicBlock {
  Pc first = 0;
  Pc end = 0;                             ///< one past the last
  std::vector<std::uint32_t> successors;  ///< block indices; empty: ends in exit
  std::vector<std::uint32_t> predecessors;
  std::uint32_t immediate_postdominator = no_block;  ///< no_block: the virtual exit
  std::string label;                                 ///< the PTX label at its top, or empty

  static constexpr std::uint32_t no_block = std::numeric_limits<std::uint32_t>::max();
};

/// A value that is the same for all lanes, held in row `row` of the constant bank (two rows when wide).
struct Constant {
  std::uint16_t row = 0;
  bool wide = false;
  std::uint64_t bits = 0;
};

/// One argument of the entry, at `offset` of the parameter block.
struct KernelParameter {
  std::string name;
  DataType type = DataType::none;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t alignment = 0;
  std::uint32_t address_bytes = 0;  ///< size of the pointer that the argument is or contains; 0: it contains none
};

/// Bytes of an initialiser that hold an address, which is known after variables have been allocated.
struct InitialAddress {
  std::uint64_t offset = 0;  ///< offset of the first byte in the variable
  std::uint32_t bytes = 8;
  std::uint32_t shift = 0;   ///< right shift of the address, in bits
  std::uint32_t global = 0;  ///< index into Program::globals; no_global: the address is `addend`
  std::uint64_t addend = 0;
  bool narrow = false;  ///< the bytes hold a 32-bit address instead of a 64-bit one

  static constexpr std::uint32_t no_global = std::numeric_limits<std::uint32_t>::max();
};

/// A variable of the module in global or constant memory that the kernel names. A texture reference is a variable that
/// the host fills before the launch (texture.hpp).
struct GlobalVariable {
  std::string name;
  Space space = Space::global;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  std::vector<std::uint8_t> initial;  ///< empty: zeros; otherwise `bytes` of them
  std::vector<InitialAddress> addresses;
  bool texture = false;
};

/// A function of the program: the entry, or one that it may call.
struct FunctionRange {
  std::string name;
  Pc first = 0;
  Pc end = 0;
  std::uint32_t frame_bytes = 0;  ///< local memory of one call
  std::uint64_t address = 0;      ///< value of a pointer to the function
};

constexpr std::uint32_t not_inlined = ~0U;

/// The source of an instruction, by .loc.
struct SourceLine {
  std::uint32_t file = 0;                  ///< index into Program::source_files
  std::uint32_t line = 0;                  ///< zero: unknown
  std::uint32_t inlined_at = not_inlined;  ///< into Program::inlined_at: the call at which its function was inlined
};

/// `Program::constants[constant]` holds the address of `Program::globals[global]` plus `addend`.
struct AddressConstant {
  std::uint32_t constant = 0;
  std::uint32_t global = 0;
  std::int64_t addend = 0;
};

/// Threads of a block in x, y and z.
using Extent = std::array<std::uint32_t, 3>;

/// All threads of a block; 2^32 or more if the exact product does not matter.
constexpr std::uint64_t threads_of(const Extent& block) {
  const std::uint64_t plane = std::uint64_t{block[0]} * block[1];
  return (plane >> 32U != 0 ? std::uint64_t{1} << 32U : plane) * block[2];
}

/// What the kernel declares about its launches (PTX ISA, "Performance-Tuning Directives").
struct LaunchBounds {
  std::optional<Extent> required_block;  ///< .reqntid: the block has this extent exactly
  std::optional<Extent> maximum_block;   ///< .maxntid: the product is the most threads that a block may have
  std::uint32_t minimum_blocks = 0;      ///< .minnctapersm: blocks that must fit in an SM; 0: not given
  std::uint32_t maximum_registers = 0;   ///< .maxnreg: limit of registers per thread; 0: not given
  std::uint32_t line = 0;                ///< of .reqntid or .maxntid
};

/// A warning about a program that can run, but may behave differently from its author's intention.
struct Warning {
  std::uint32_t line = 0;  ///< PTX line, from one
  std::string text;        ///< the problem, and the remedy
};

/// A decoded kernel.
struct Program {
  std::string name;  ///< of the entry
  std::string file;  ///< PTX file it came from
  std::vector<Instruction> instructions;
  std::vector<std::string> text;   ///< PTX text of each instruction, for inspection and messages
  std::vector<BasicBlock> blocks;  ///< in order of `first`; block 0 is the entry
  std::vector<Constant> constants;
  std::vector<KernelParameter> parameters;
  std::vector<ExtensionInstruction> extensions;  ///< extension instructions that it uses
  /// Rows that one of these instructions may read and write in addition to its operands: the registers in its braces;
  /// empty if it has no braces.
  std::vector<std::uint16_t> extension_registers;
  std::vector<GlobalVariable> globals;
  std::vector<AddressConstant> address_constants;  ///< patched by place_globals before the program runs
  std::vector<std::vector<Pc>> branch_tables;      ///< brx: targets by index
  std::vector<FunctionRange> functions;            ///< in order of `first`; the entry is the first
  std::vector<std::string> source_files;
  std::vector<SourceLine> source_lines;  ///< by pc
  std::vector<SourceLine> inlined_at;    ///< calls of inlined functions, which may themselves be in inlined functions
  std::uint32_t register_rows = 0;       ///< rows of 32-bit words that operands name after allocation
  std::uint32_t registers = 0;           ///< 32-bit registers a thread needs: rows less those of constants
  std::uint32_t constant_rows = 0;
  std::uint32_t predicates = 0;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t shared_bytes = 0;           ///< shared memory a block: reserved, then static
  std::uint32_t reserved_shared_bytes = 0;  ///< the part of it that the system reserves (special_registers.hpp)
  bool names_reserved_shared = false;       ///< the kernel names it; other kernels cannot access it
  std::uint32_t local_bytes = 0;            ///< local memory a thread; with `deep_stack` that of each function once
  bool deep_stack = false;                  ///< functions may call themselves or are called through pointers
  LaunchBounds launch_bounds;
  /// Behaviour that may differ from the author's intention. Must be shown before the program runs.
  std::vector<Warning> warnings;
  /// Of this program and its copies: no later program has it, even at the same address.
  std::shared_ptr<const char> identity = std::make_shared<const char>();
};

/// A program as a key: what a machine keeps for a program that no longer exists is never taken for another's.
using ProgramKey = std::pair<const Program*, std::shared_ptr<const char>>;
inline ProgramKey key_of(const Program& program) { return {&program, program.identity}; }

/// Initial state of a thread (ExtensionInstruction).
inline std::uint32_t initial_state(const Program& program) {
  return program.extensions.empty() ? 0 : program.extensions.front().initial_state;
}

/// Whether it reads and writes Program::extension_registers in addition to its operands.
inline bool uses_registers(const Program& program, const Instruction& instruction) {
  return instruction.extension != no_extension && program.extensions[instruction.extension].registers;
}

/// PTX spelling, with the leading %.
std::string_view name_of(SpecialRow row);

/// The source place of the instruction at `pc`: `file.ptx:12`, followed by the original source line if .loc gives one.
std::string place_of(const Program& program, Pc pc);
std::string place_of(const Program& program, const Instruction& instruction);

/// `file.ptx:12: ...`
std::string to_string(const Program& program, const Warning& warning);

/// The function that a pointer holding `address` points to, or nullptr.
const FunctionRange* function_at(const Program& program, std::uint64_t address);

/// Writes the addresses of `program.globals` (one each, in order) into the constants that name them.
void place_globals(Program& program, const std::vector<std::uint64_t>& addresses);

}  // namespace reconverge::kernel
