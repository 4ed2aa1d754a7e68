// SPDX-License-Identifier: Apache-2.0
// One instruction of one thread, except control flow and operations between threads.

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/error.hpp"
#include "models/execution/narrow_address.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::Boolean;
using kernel::DataType;
using kernel::DynamicRegister;
using kernel::Instruction;
using kernel::Opcode;
using kernel::Space;
using reference::low_bits;
using reference::width_of;

namespace {

bool combined(Boolean boolean, bool a, bool b) {
  switch (boolean) {
    case Boolean::and_:
      return a && b;
    case Boolean::or_:
      return a || b;
    case Boolean::xor_:
      return a != b;
    default:
      return a;
  }
}

// The value that set writes if the comparison holds: 1.0, or all ones.
std::uint64_t truth_of(DataType type) {
  switch (type) {
    case DataType::f32:
      return 0x3f800000;
    case DataType::f16:
    case DataType::f16x2:
      return 0x3c00;
    case DataType::bf16:
    case DataType::bf16x2:
      return 0x3f80;
    default:
      return low_bits(~std::uint64_t{0}, width_of(type));
  }
}

std::uint64_t window_of(Space space, bool wide) {
  if (space == Space::shared) return wide ? shared_window : narrow_shared_window;
  if (space == Space::local) return wide ? local_window : narrow_local_window;
  if (space == Space::param) return wide ? param_window : narrow_param_window;
  return 0;
}

}  // namespace

void ScalarInterpreter::execute(Thread& thread, const Instruction& instruction) {
  const auto result = [&](std::uint64_t value) { write_destination(thread, instruction, 0, value); };
  switch (instruction.opcode) {
    case Opcode::nop:
    case Opcode::membar:
      break;
    case Opcode::mov:
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::cvta:
    case Opcode::pack:
    case Opcode::unpack:
      execute_move(thread, instruction);
      break;
    case Opcode::read_special:
      read_dynamic_register(thread, instruction);
      break;
    case Opcode::cvt:
      result(reference::converted(instruction, sources(thread, instruction)));
      break;
    case Opcode::cvt_pack:
    case Opcode::cvt_fp8:
      result(reference::pack_converted(instruction, sources(thread, instruction)));
      break;
    case Opcode::set:
    case Opcode::setp:
      execute_compare(thread, instruction);
      break;
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::bfind:
    case Opcode::prmt:
    case Opcode::lop3:
    case Opcode::shf:
    case Opcode::bmsk:
    case Opcode::szext:
    case Opcode::fns:
      execute_logic(thread, instruction);
      break;
    case Opcode::isspacep: {
      std::uint64_t address = source(thread, instruction, 0);
      if (!instruction.wide_address) address = widened(static_cast<std::uint32_t>(address), Space::generic);
      const bool in_window = address >= shared_window && address < param_window + window_bytes;
      const std::uint64_t window = window_of(instruction.space, true);
      const bool inside = window != 0 ? address >= window && address < window + window_bytes
                                      : instruction.space == Space::global && !in_window;
      result(inside ? 1 : 0);
      break;
    }
    case Opcode::host:
      execute_host(thread, instruction);
      break;
    case Opcode::extension:
      execute_extension(thread, instruction);
      break;
    case Opcode::tex:
      execute_texture(thread, instruction);
      break;
    case Opcode::video:
      result(reference::video_result(instruction, sources(thread, instruction)));
      break;
    case Opcode::ld:
    case Opcode::ld_param:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
      execute_memory(thread, instruction);
      break;
    case Opcode::bulk_copy:
      copy_in_bulk(thread, instruction);
      break;
    case Opcode::mbarrier:
      execute_mbarrier(thread, instruction);
      break;
    default: {
      const auto values = sources(thread, instruction);
      if (kernel::is_float(instruction.type)) {
        result(reference::float_result(instruction, values));
        break;
      }
      result(reference::integer_result(instruction, values));
      if (instruction.destination[1].present()) {
        write_destination(thread, instruction, 1, reference::carry_out(instruction, values) ? 1 : 0);
      }
      break;
    }
  }
}

void ScalarInterpreter::execute_extension(Thread& thread, const Instruction& instruction) const {
  const kernel::ExtensionInstruction& extension = program_->extensions[instruction.extension];
  if (extension.compute != nullptr) return compute_extension(thread, instruction);
  if (extension.value == nullptr) reference::unknown_instruction(instruction);
  auto& state = thread.special[static_cast<std::size_t>(kernel::SpecialRow::extension_1)];
  std::uint32_t value = extension.reads_state ? state : static_cast<std::uint32_t>(source(thread, instruction, 0));
  try {
    value = extension.value(value);
  } catch (const std::domain_error& error) {
    fail(thread, error.what());
  }
  if (extension.writes_state.empty()) {
    write_destination(thread, instruction, 0, value);
  } else {
    state = value;
  }
}

void ScalarInterpreter::compute_extension(Thread& thread, const Instruction& instruction) const {
  class Computing final : public kernel::ExtensionThread {
   public:
    Computing(const ScalarInterpreter& interpreter, const Thread& thread)
        : interpreter_(interpreter), thread_(thread) {}

    void read(std::uint64_t address, std::span<std::byte> bytes) override {
      if (address % (bytes.size() < 16 ? 4 : 16) != 0)
        interpreter_.fail(thread_, fmt::format("misaligned access of {} bytes at {:#x}", bytes.size(), address));
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(interpreter_.value_at(thread_, address + i, 1));
    }
    void fetch(std::uint64_t /*address*/, std::uint32_t /*bytes*/, std::uint8_t /*purpose*/) override {}

   private:
    const ScalarInterpreter& interpreter_;
    const Thread& thread_;
  };
  const kernel::ExtensionInstruction& extension = program_->extensions[instruction.extension];
  Computing computing(*this, thread);
  for (unsigned i = 0; i < extension.sources.size(); ++i) computing.sources[i] = source(thread, instruction, i);
  try {
    extension.compute(computing);
  } catch (const std::domain_error& error) {
    fail(thread, error.what());
  }
  for (unsigned i = 0; i < extension.destinations.size(); ++i)
    write_destination(thread, instruction, i, computing.destinations[i]);
}

void ScalarInterpreter::execute_logic(Thread& thread, const Instruction& instruction) const {
  const reference::Sources value = sources(thread, instruction);
  const std::uint64_t bits = reference::logic_result(instruction, value);
  write_destination(thread, instruction, 0, bits);
  // lop3 with a predicate: whether any bit is set, combined with another.
  write_destination(thread, instruction, 1, combined(instruction.boolean, bits != 0, value[3] != 0) ? 1 : 0);
}

void ScalarInterpreter::execute_move(Thread& thread, const Instruction& instruction) const {
  const reference::Sources value = sources(thread, instruction);
  const auto result = [&](std::uint64_t bits) { write_destination(thread, instruction, 0, bits); };
  switch (instruction.opcode) {
    case Opcode::mov:
      result(value[0]);
      break;
    case Opcode::selp:
      result(value[2] != 0 ? value[0] : value[1]);
      break;
    case Opcode::slct:
      result(reference::selects_first(instruction, value[2]) ? value[0] : value[1]);
      break;
    case Opcode::cvta: {
      const std::uint64_t window = window_of(instruction.space, instruction.type == DataType::u64);
      result(instruction.variant == 1 ? value[0] - window : value[0] + window);
      break;
    }
    case Opcode::pack: {
      const unsigned part = width_of(instruction.type) / instruction.vector_width;
      std::uint64_t whole = 0;
      for (unsigned i = 0; i < instruction.vector_width; ++i) whole |= low_bits(value[i], part) << (i * part);
      result(whole);
      break;
    }
    default: {  // unpack
      const unsigned part = width_of(instruction.type) / instruction.vector_width;
      for (unsigned i = 0; i < instruction.vector_width; ++i) {
        write_destination(thread, instruction, i, low_bits(value[0] >> (i * part), part));
      }
      break;
    }
  }
}

void ScalarInterpreter::execute_compare(Thread& thread, const Instruction& instruction) const {
  const reference::Sources value = sources(thread, instruction);
  const bool is_set = instruction.opcode == Opcode::set;
  const DataType type = is_set ? instruction.source_type : instruction.type;
  const bool third = value[2] != 0;
  const auto holds = [&](unsigned shift) {
    return reference::compares(instruction, type, value[0] >> shift, value[1] >> shift);
  };
  const bool low = holds(0);
  const bool pair = type == DataType::f16x2 || type == DataType::bf16x2;
  const bool second = pair ? holds(16) : !low;  // the upper halves, or the inverse
  const bool first_answer = combined(instruction.boolean, low, third);
  const bool second_answer = combined(instruction.boolean, second, third);
  if (!is_set) {
    write_destination(thread, instruction, 0, first_answer ? 1 : 0);
    write_destination(thread, instruction, 1, second_answer ? 1 : 0);
    return;
  }
  const std::uint64_t yes = truth_of(instruction.type);
  const std::uint64_t half = low_bits(yes, 16);
  const std::uint64_t answer = pair           ? (first_answer ? half : 0) | (second_answer ? half << 16 : 0)
                               : first_answer ? yes
                                              : 0;
  write_destination(thread, instruction, 0, answer);
}

void ScalarInterpreter::read_dynamic_register(Thread& thread, const Instruction& instruction) const {
  const std::uint64_t own = std::uint64_t{1} << thread.lane();
  const auto result = [&](std::uint64_t bits) { write_destination(thread, instruction, 0, low_bits(bits, 32)); };
  switch (static_cast<DynamicRegister>(instruction.variant)) {
    case DynamicRegister::lanemask_eq:
      result(own);
      break;
    case DynamicRegister::lanemask_lt:
      result(own - 1);
      break;
    case DynamicRegister::lanemask_le:
      result(own | (own - 1));
      break;
    case DynamicRegister::lanemask_gt:
      result(~(own | (own - 1)));
      break;
    case DynamicRegister::lanemask_ge:
      result(~(own - 1));
      break;
    case DynamicRegister::dynamic_smem_size:
      result(launch_->dynamic_shared_bytes);
      break;
    case DynamicRegister::total_smem_size:
      result(shared_.size() - program_->reserved_shared_bytes);
      break;
    case DynamicRegister::aggr_smem_size:
      result(shared_.size());
      break;
    default:
      reference::unknown_instruction(instruction);
  }
}

}  // namespace reconverge
