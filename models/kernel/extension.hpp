// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The table in which a scheme declares its extension instructions to the front end. Parser, decoder, analyses and
/// lanes use only this table; SchemeKind::extensions maps it to its scheme.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// The state of one thread at an extension instruction: the bits of its operands, and readable memory.
class ExtensionThread {
 public:
  std::array<std::uint64_t, 5> sources{};
  std::array<std::uint64_t, 4> destinations{};

  /// Reads `bytes`, a multiple of 4, from a generic address in global memory or the thread's local memory; aligned to
  /// 16 bytes if at least 16 are read, to 4 otherwise. An invalid address ends the run.
  virtual void read(std::uint64_t address, std::span<std::byte> bytes) = 0;
  /// Records a fetch of the hardware from the memory that was read, and its purpose, for the instruction's scheme
  /// (MemoryFetch).
  virtual void fetch(std::uint64_t address, std::uint32_t bytes, std::uint8_t purpose) = 0;

 protected:
  ~ExtensionThread() = default;
};

/// One extension instruction. Its form in PTX (or inline assembly) is `mnemonic target, destination..., source...,
/// {registers};`. It is decoded to Opcode::extension, or to ld or st. Its functional effect is the load or store, or
/// `value`; its scheme determines all other behaviour.
struct ExtensionInstruction {
  std::string_view mnemonic;  ///< complete, including dots: `spawn`, `rdctrl.b32`
  /// If not empty, the instruction is a mov that reads %extension_0, the identity of the thread, under this name.
  std::string_view reads_identity = {};
  /// Each thread has one word of state for the scheme. If not empty, the first operand may be this word, under this
  /// name, which goes to destination[0].
  std::string_view writes_state = {};
  bool reads_state = false;                 ///< source[0] is the state, which is not written in the PTX
  std::uint32_t initial_state = 0;          ///< the state of a thread when it begins; the same in all extension
                                            ///< instructions that a program uses
  std::vector<DataType> destinations = {};  ///< at most 4; DataType::pred is a predicate
  std::vector<DataType> sources = {};       ///< at most 5; immediates are allowed wherever a register is
  /// The instruction is a load or store: the mnemonic is `ld.name` or `st.name`, with the name of a state space. The
  /// rest has the form of accesses to shared memory (`ld.name.v2.f32 {%f1, %f2}, [%r1+8];`); the type is optional and
  /// .b32 by default. It accesses `space`, and the load/store unit executes it like other accesses.
  bool memory = false;
  /// The instruction stores its only source, 32 bits, in `space` at the address in the state, which the scheme has set.
  bool stores_at_state = false;
  /// 1 to 32 different registers of 32 bits in braces, which the instruction reads and writes
  /// (Program::extension_registers). A kernel has one such instruction, in its body and without a guard, because the
  /// registers of the whole warp move.
  bool registers = false;
  /// The scheme receives `ask` before the instruction issues, and `issued` afterwards. If false, the instruction issues
  /// like any PTX instruction.
  bool told = true;
  bool target = false;  ///< the first operand is a label, which goes to Instruction::target
  /// Unless none, a thread begins at the target with the registers of this thread, which continues; the control-flow
  /// graph then has an edge to the target.
  Fork fork = Fork::none;
  Space space = Space::none;       ///< copied to the instruction
  DataType type = DataType::none;  ///< copied to the instruction
  /// Computes destination[0] from source[0], words of 32 bits, in each thread, on every machine. Throws
  /// std::domain_error, which ends the run, for invalid operands. If this and `compute` are null, the instruction
  /// computes no result, and machines without the scheme reject the program.
  std::uint32_t (*value)(std::uint32_t source) = nullptr;
  /// Replaces `value`: computes all destinations from all sources and from memory.
  void (*compute)(ExtensionThread& thread) = nullptr;
  /// The results are available when the scheme reports them (Scheme::writeback), like those of a load; the warp
  /// continues until it needs them.
  bool asynchronous = false;

  /// Whether machines without the scheme can compute its effect on registers.
  bool has_value() const { return value != nullptr || compute != nullptr; }
};

}  // namespace reconverge::kernel
