// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "models/execution/narrow_address.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/exact.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::AtomicOperation;
using kernel::DataType;
using kernel::Instruction;
using kernel::Opcode;
using kernel::Space;
using reference::extended;
using reference::low_bits;

namespace {

std::uint64_t load_bits(const std::byte* from, unsigned bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, bytes);
  return bits;
}

void store_bits(std::byte* to, std::uint64_t bits, unsigned bytes) { std::memcpy(to, &bits, bytes); }

template <typename F>
std::uint64_t float_sum(std::uint64_t a, std::uint64_t b) {
  const F sum = reference::float_of<F>(a) + reference::float_of<F>(b);
  if (std::isnan(sum)) return sizeof(F) == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  return reference::bits_of(sum);
}

// atom.add.f32 on global memory treats subnormal values as zeros, and stores none.
std::uint64_t flushed_bits(std::uint64_t bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }

// Each half separately, rounded to the nearest.
std::uint64_t half_sums(DataType type, std::uint64_t a, std::uint64_t b) {
  using namespace reference;
  const Format format = format_of(type);
  std::uint64_t result = 0;
  for (unsigned at = 0; at < width_of(type); at += 16) {
    const Number total = sum(number_of(low_bits(a >> at, 16), format), number_of(low_bits(b >> at, 16), format),
                             Direction::nearest_even);
    result |= encoded(total, format, Direction::nearest_even) << at;
  }
  return result;
}

std::uint64_t sum_of(DataType type, bool shared, std::uint64_t memory, std::uint64_t b) {
  switch (type) {
    case DataType::f64:
      return float_sum<double>(memory, b);
    case DataType::f32:
      if (shared) return float_sum<float>(memory, b);
      return flushed_bits(float_sum<float>(flushed_bits(memory), flushed_bits(b)));
    case DataType::f16:
    case DataType::bf16:
    case DataType::f16x2:
    case DataType::bf16x2:
      return half_sums(type, memory, b);
    default:
      return memory + b;
  }
}

}  // namespace

ScalarInterpreter::Place ScalarInterpreter::locate(Thread& thread, const Instruction& instruction, unsigned bytes) {
  const std::uint64_t base = read(thread, instruction.source[0], instruction.wide_address);
  const auto offset = static_cast<std::uint64_t>(std::int64_t{instruction.offset});
  std::uint64_t address = base + offset;
  if (!instruction.wide_address) address = widened(static_cast<std::uint32_t>(address), instruction.space);
  if (address % bytes != 0) fail(thread, fmt::format("misaligned access of {} bytes at {:#x}", bytes, address));
  Space space = instruction.space;
  if (space == Space::generic || space == Space::none) {
    space = Space::global;
    if (address >= shared_window && address < shared_window + window_bytes) space = Space::shared;
    if (address >= local_window && address < local_window + window_bytes) space = Space::local;
    if (address >= param_window && address < param_window + window_bytes) fail(thread, "write to the parameters");
    if (space == Space::shared) address -= shared_window;
    if (space == Space::local) address -= local_window;
  }
  const auto within = [&](std::vector<std::byte>& memory) {
    if (address > memory.size() || memory.size() - address < bytes)
      fail(thread, fmt::format("address {:#x} out of bounds", address));
    return memory.data() + address;
  };
  if (space == Space::shared) {
    if (address < program_->reserved_shared_bytes && !program_->names_reserved_shared)
      fail(thread, fmt::format("address {:#x} is in reserved shared memory", address));
    return {within(shared_), true};
  }
  if (space == Space::local) return {within(thread.local), false};
  if (space == Space::spawn) {
    if (thread.child != kernel::no_pc) fail(thread, "access to a state that is a child's already");
    if (address + bytes <= reference::most_spawn_bytes && address + bytes > thread.spawn.size())
      thread.spawn.resize(address + bytes);
    return {within(thread.spawn), false};
  }
  const Buffer* buffer = memory_.find(address);
  if (buffer == nullptr || !buffer->contains(address, address, bytes))
    fail(thread, fmt::format("address {:#x} is in no buffer", address));
  return {memory_.host() + address, false};
}

std::optional<std::uint64_t> ScalarInterpreter::parameter_offset(const Thread& thread,
                                                                 const Instruction& instruction) const {
  const auto distance = static_cast<std::uint64_t>(std::int64_t{instruction.offset});
  if (instruction.opcode == Opcode::ld_param) return distance;
  if (instruction.opcode != Opcode::ld) return std::nullopt;
  std::uint64_t address = read(thread, instruction.source[0], instruction.wide_address) + distance;
  if (!instruction.wide_address) address = widened(static_cast<std::uint32_t>(address), instruction.space);
  if (instruction.space == Space::param) return address;
  const bool in_window = address >= param_window && address - param_window < window_bytes;
  if (instruction.space != Space::generic || !in_window) return std::nullopt;
  return address - param_window;
}

void ScalarInterpreter::execute_memory(Thread& thread, const Instruction& instruction) {
  const unsigned bytes = kernel::bytes_of(instruction.type);
  const unsigned parts = instruction.vector_width;
  if (const auto parameter = parameter_offset(thread, instruction)) {
    const std::uint64_t offset = *parameter;
    if (offset + std::uint64_t{bytes} * parts > launch_->parameters.size()) fail(thread, "read beyond the parameters");
    if (offset % (std::uint64_t{bytes} * parts) != 0) fail(thread, "misaligned read of the parameters");
    for (unsigned i = 0; i < parts; ++i) {
      write_destination(thread, instruction, i,
                        extended(load_bits(launch_->parameters.data() + offset + i * bytes, bytes), instruction.type));
    }
    return;
  }
  const auto [place, shared] = locate(thread, instruction, bytes * parts);
  if (instruction.opcode == Opcode::ld) {
    std::array<std::uint64_t, 4> loaded{};
    for (unsigned i = 0; i < parts; ++i) loaded[i] = extended(load_bits(place + i * bytes, bytes), instruction.type);
    for (unsigned i = 0; i < parts; ++i) write_destination(thread, instruction, i, loaded[i]);
    return;
  }
  if (instruction.opcode == Opcode::st) {
    for (unsigned i = 0; i < parts; ++i) store_bits(place + i * bytes, source(thread, instruction, i + 1), bytes);
    return;
  }
  if (parts == 2 && instruction.atomic == AtomicOperation::cas) return swap_pair(thread, instruction, place);
  for (unsigned i = 0; i < parts; ++i) combine(thread, instruction, place, shared, i);
}

// cp.async.bulk: completes at once, in units of 16 bytes.
void ScalarInterpreter::copy_in_bulk(Thread& thread, const Instruction& instruction) {
  constexpr unsigned unit = 16;
  const std::uint64_t bytes = source(thread, instruction, 2);
  if (bytes % unit != 0) fail(thread, fmt::format("a bulk copy of {} bytes", bytes));
  Instruction global = instruction;
  Instruction shared = instruction;
  shared.source[0] = instruction.source[1];
  shared.space = Space::shared;
  shared.wide_address = instruction.wide_source(1);
  shared.offset = 0;
  for (std::uint64_t at = 0; at < bytes; at += unit, global.offset += unit, shared.offset += unit) {
    std::byte* const in_global = locate(thread, global, unit).bytes;
    std::byte* const in_shared = locate(thread, shared, unit).bytes;
    const bool from_shared = instruction.variant == 1;
    std::memcpy(from_shared ? in_global : in_shared, from_shared ? in_shared : in_global, unit);
  }
  write_destination(thread, instruction, 0, bytes);
}

// cas of 128 bits: if both words are equal; otherwise nothing changes.
void ScalarInterpreter::swap_pair(Thread& thread, const Instruction& instruction, std::byte* place) {
  constexpr unsigned word = 8;
  const std::uint64_t before[] = {load_bits(place, word), load_bits(place + word, word)};
  if (before[0] == source(thread, instruction, 1) && before[1] == source(thread, instruction, 2)) {
    store_bits(place, source(thread, instruction, 3), word);
    store_bits(place + word, source(thread, instruction, 4), word);
  }
  for (unsigned i = 0; i < 2; ++i) write_destination(thread, instruction, i, before[i]);
}

void ScalarInterpreter::combine(Thread& thread, const Instruction& instruction, std::byte* place, bool shared,
                                unsigned part) {
  const unsigned bytes = kernel::bytes_of(instruction.type);
  place += std::size_t{part} * bytes;
  const std::uint64_t before = load_bits(place, bytes);
  const std::uint64_t after = reference::atomic_result(
      instruction, shared, before, source(thread, instruction, 1 + part), source(thread, instruction, 2));
  if (instruction.opcode == Opcode::atom) {
    write_destination(thread, instruction, part, extended(before, instruction.type));
  }
  store_bits(place, after, bytes);
}

namespace reference {

std::uint64_t atomic_result(const Instruction& instruction, bool shared, std::uint64_t memory, std::uint64_t b,
                            std::uint64_t c) {
  const unsigned width = width_of(instruction.type);
  memory = low_bits(memory, width);
  b = low_bits(b, width);
  const bool less =
      kernel::is_signed(instruction.type) ? signed_value(memory, width) < signed_value(b, width) : memory < b;
  switch (instruction.atomic) {
    case AtomicOperation::add:
      return sum_of(instruction.type, shared, memory, b);
    case AtomicOperation::min:
      return less ? memory : b;
    case AtomicOperation::max:
      return less ? b : memory;
    case AtomicOperation::and_:
      return memory & b;
    case AtomicOperation::or_:
      return memory | b;
    case AtomicOperation::xor_:
      return memory ^ b;
    case AtomicOperation::inc:
      return memory >= b ? 0 : memory + 1;
    case AtomicOperation::dec:
      return memory == 0 || memory > b ? b : memory - 1;
    case AtomicOperation::exch:
      return b;
    case AtomicOperation::cas:
      return memory == b ? c : memory;
    default:
      unknown_instruction(instruction);
  }
}

}  // namespace reference

}  // namespace reconverge
