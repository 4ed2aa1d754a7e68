// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How a scheme declares its extension instructions to the front end. Parser, decoder, analyses and lanes use only this
/// table; SchemeKind::extensions maps it to its scheme.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// The view of one thread at an extension instruction: the bits of its operands, and memory to read from.
class ExtensionThread {
 public:
  std::array<std::uint64_t, 5> sources{};
  std::array<std::uint64_t, 4> destinations{};

  /// Reads `bytes`, a multiple of 4, from a generic address in global memory or the thread's local memory; aligned to
  /// 16 bytes if at least 16 are read, to 4 otherwise. An invalid address ends the run.
  virtual void read(std::uint64_t address, std::span<std::byte> bytes) = 0;
  /// Declares the next fetch of the hardware from the memory that was read, and its purpose: for the instruction's
  /// scheme (MemoryFetch).
  virtual void fetch(std::uint64_t address, std::uint32_t bytes, std::uint8_t purpose) = 0;

 protected:
  ~ExtensionThread() = default;
};

/// One extension instruction. Written in PTX (or inline assembly) as `mnemonic target, destination..., source...,
/// {registers};`, and decoded to Opcode::extension, or to ld or st. Its functional effect is that or `value`;
/// everything else is up to its scheme.
struct ExtensionInstruction {
  std::string_view mnemonic;  ///< complete, including dots: `spawn`, `rdctrl.b32`
  /// It is a mov that reads %extension_0, the identity of the thread, by this name; empty: it is not.
  std::string_view reads_identity = {};
  /// Each thread has one word of state for the scheme. The first operand may be that word, by this name, which goes to
  /// destination[0]; empty: it may not.
  std::string_view writes_state = {};
  bool reads_state = false;                 ///< source[0] is the state, which is not written in the PTX
  std::uint32_t initial_state = 0;          ///< the state of a thread when it begins; the same in all extension
                                            ///< instructions that a program uses
  std::vector<DataType> destinations = {};  ///< at most 4; DataType::pred is a predicate
  std::vector<DataType> sources = {};       ///< at most 5; immediates are allowed wherever a register is
  /// It is a load or store: the mnemonic is `ld.name` or `st.name`, with the name of a state space. Everything else is
  /// written as for shared memory (`ld.name.v2.f32 {%f1, %f2}, [%r1+8];`), and the type is optional: .b32. It accesses
  /// `space`, and the load/store unit serves it like any other.
  bool memory = false;
  /// It stores its only source, 32 bits, in `space` at the address in the state, which the scheme wrote.
  bool stores_at_state = false;
  /// 1 to 32 different registers of 32 bits in braces, read and written: Program::extension_registers. A kernel has one
  /// such instruction, in its body and without a guard: all registers that move in a warp as a whole.
  bool registers = false;
  /// Its scheme is asked before it issues, and is told after. Otherwise it issues like any instruction of PTX.
  bool told = true;
  bool target = false;  ///< the first operand is a label, which goes to Instruction::target
  /// Unless none, a thread begins at the target with the registers of this one, and this one goes on: an edge of the
  /// graph leads there. Otherwise there is no edge.
  Fork fork = Fork::none;
  Space space = Space::none;       ///< copied to the instruction
  DataType type = DataType::none;  ///< copied to the instruction
  /// Computes destination[0] from source[0], words of 32 bits, in each thread, on every machine. Throws
  /// std::domain_error, which ends the run, for invalid operands. If this and `compute` are null, it computes nothing,
  /// and machines without the scheme reject the program.
  std::uint32_t (*value)(std::uint32_t source) = nullptr;
  /// The same from all sources and from memory, for all destinations, instead of `value`.
  void (*compute)(ExtensionThread& thread) = nullptr;
  /// Its results are available when its scheme reports them (Scheme::writeback), like those of a load; the warp goes on
  /// until it needs them.
  bool asynchronous = false;

  /// Machines without the scheme know its effect on registers.
  bool has_value() const { return value != nullptr || compute != nullptr; }
};

}  // namespace reconverge::kernel
