// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "models/execution/operations/addressing.hpp"

// ld and st. M is the type in memory, R the type in the register: the two differ where PTX extends or truncates.

namespace reconverge::operations {

namespace {

using kernel::Opcode;
using kernel::Space;

/// Prefetches the rows of a value of `width` parts into the host's cache before the addresses are known: lanes are
/// processed in sequence, and each would wait for the same lines.
template <unsigned Width>
void expect_rows(const ExecutionContext& context, const Operand* parts) {
  for (unsigned part = 0; part < Width; ++part) {
    if (!parts[part].present()) continue;
    const std::uint32_t* const words = row(context, parts[part]);
    __builtin_prefetch(words, 1);
    __builtin_prefetch(words + warp_size / 2, 1);
  }
}

// Accesses only each lane's words: that is faster than whole rows unless all lanes load, and not much slower then.

template <typename M, typename R, unsigned Width, bool Interleaved>
void read_memory(const Instruction& instruction, const ExecutionContext& context, LaneMask lanes) {
  // Destination of parts that the instruction discards.
  alignas(64) std::uint32_t nowhere[2 * warp_size];
  std::array<std::uint32_t*, Width> to;
  for (unsigned part = 0; part < Width; ++part) {
    const Operand destination = instruction.destination[part];
    to[part] = destination.present() ? row(context, destination) : nowhere;
  }
  std::byte* memory = origin(context);
  const auto read_each = [&](auto&& update) {
    for_each_lane(lanes, [&](unsigned lane) {
      std::array<M, Width> value;
      transfer<false, Interleaved>(memory + context.access.address[lane], value);
      update(context.access.address[lane], value);
      for (unsigned part = 0; part < Width; ++part) {
        // Extends by the sign of M: that is what ld.s8 is for.
        set_value<R>(to[part], lane, static_cast<R>(value[part]));  // NOLINT(bugprone-signed-char-misuse)
      }
    });
  };
  // Separate loops: the values stay in registers if no other function sees them.
  const MemoryView* const view = Interleaved ? nullptr : differing_view_of(context);
  if (view == nullptr) return read_each([](DeviceAddress, const auto&) {});
  read_each(
      [view](DeviceAddress address, auto& value) { view->update(address, std::as_writable_bytes(std::span(value))); });
}

template <typename M, typename R, unsigned Width>
void load(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  expect_rows<Width>(context, instruction.destination.data());
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(M) * Width, false);
    mask &= ~lanes;
    if (context.access.space == Space::local) {
      read_memory<M, R, Width, true>(instruction, context, lanes);
    } else {
      read_memory<M, R, Width, false>(instruction, context, lanes);
    }
  }
}

template <typename M, typename R, unsigned Width, bool Interleaved>
void write_memory(const Instruction& instruction, const ExecutionContext& context, LaneMask lanes) {
  std::array<const std::uint32_t*, Width> from;
  for (unsigned part = 0; part < Width; ++part) from[part] = row(context, instruction.source[1 + part]);
  std::byte* memory = origin(context);
  const auto write_each = [&](auto&& write) {
    // If lanes write the same place, the highest wins. PTX leaves it open; a fixed rule keeps runs reproducible.
    for_each_lane(lanes, [&](unsigned lane) {
      std::array<M, Width> value;
      for (unsigned part = 0; part < Width; ++part) value[part] = static_cast<M>(value_at<R>(from[part], lane));
      write(context.access.address[lane], value);
    });
  };
  MemoryView* const view = Interleaved ? nullptr : view_of(context);
  if (view == nullptr) {
    return write_each(
        [memory](DeviceAddress address, auto& value) { transfer<true, Interleaved>(memory + address, value); });
  }
  write_each(
      [view](DeviceAddress address, const auto& value) { view->store(address, std::as_bytes(std::span(value))); });
}

template <typename M, typename R, unsigned Width>
void store(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  expect_rows<Width>(context, instruction.source.data() + 1);
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(M) * Width, true);
    mask &= ~lanes;
    if (context.access.space == Space::local) {
      write_memory<M, R, Width, true>(instruction, context, lanes);
    } else {
      write_memory<M, R, Width, false>(instruction, context, lanes);
      context.changed_memory = true;
    }
  }
}

template <typename M, typename R>
Operation by_width(const Instruction& instruction) {
  const bool is_load = instruction.opcode == Opcode::ld;
  switch (instruction.vector_width) {
    case 1:
      return is_load ? &load<M, R, 1> : &store<M, R, 1>;
    case 2:
      return is_load ? &load<M, R, 2> : &store<M, R, 2>;
    case 4:
      return is_load ? &load<M, R, 4> : &store<M, R, 4>;
    default:
      return nullptr;
  }
}

/// Narrow unsigned and signed memory types extend into the register that PTX names, 32 or 64 bits wide.
template <typename M>
Operation by_register(const Instruction& instruction) {
  if (kernel::bytes_of(instruction.source_type) == 8) {
    return by_width<M, std::conditional_t<std::is_signed_v<M>, std::int64_t, std::uint64_t>>(instruction);
  }
  return by_width<M, std::conditional_t<std::is_signed_v<M>, std::int32_t, std::uint32_t>>(instruction);
}

constexpr unsigned bulk_unit = 16;  // bytes: what addresses and sizes of bulk copies are multiples of
constexpr unsigned bulk_row = 128;  // bytes of global memory that an access of words by all lanes takes

/// Makes the access one of `rows` rows of global memory from `address` on, and a single row has only `bytes`.
void describe_rows(MemoryAccess& access, DeviceAddress address, std::uint32_t bytes, std::uint32_t rows) {
  constexpr unsigned word = 4;
  access.bytes = word;
  access.repeats = rows;
  access.lanes = rows == 1 && bytes < bulk_row ? (LaneMask{1} << bytes / word) - 1 : all_lanes;
  for (unsigned lane = 0; lane < warp_size; ++lane) access.address[lane] = address + word * lane;
}

/// The copy of one lane, between `global` and `shared`, both checked.
template <bool FromShared>
void copy_bytes(const ExecutionContext& context, DeviceAddress global, std::uint64_t shared, std::uint32_t bytes) {
  const std::span in_shared(context.shared + shared, bytes);
  if (!FromShared) {
    read_global(context, global, in_shared);
  } else if (context.global != nullptr) {
    context.global->store(global, in_shared);
  } else {
    std::memcpy(context.memory->host() + global, in_shared.data(), bytes);
  }
}

/// cp.async.bulk, lane by lane. It takes the time of its accesses to global memory; the copies of several lanes count
/// as consecutive from the first address on.
template <bool FromShared>
void bulk_copy(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint32_t> size(context, instruction.source[2]);
  LaneMask copying = 0;
  for_each_lane(mask, [&](unsigned lane) { copying |= size[lane] != 0 ? lane_bit(lane) : 0; });
  if (copying != 0) resolve_addresses(instruction, context, copying, bulk_unit, FromShared);
  const std::array<DeviceAddress, warp_size> global = context.access.address;
  std::uint32_t rows = 0;
  for_each_lane(copying, [&](unsigned lane) {
    const std::uint32_t bytes = size[lane];
    const std::uint64_t shared = instruction.wide_source(1)
                                     ? Reader<std::uint64_t>(context, instruction.source[1])[lane]
                                     : Reader<std::uint32_t>(context, instruction.source[1])[lane];
    if (bytes % bulk_unit != 0)
      fail_access(instruction, context, lane, global[lane], fmt::format("a bulk copy of {} bytes", bytes));
    if (shared % bulk_unit != 0) fail_alignment(instruction, context, lane, shared, bulk_unit);
    const Buffer* const buffer = context.memory->find(global[lane]);
    if (buffer == nullptr || bytes > buffer->address + buffer->bytes - global[lane])
      fail_access(instruction, context, lane, global[lane],
                  FromShared ? "write outside every buffer" : "read outside every buffer");
    if (shared < context.shared_begin || shared > context.shared_bytes || bytes > context.shared_bytes - shared)
      fail_access(instruction, context, lane, shared, "access outside shared memory");
    copy_bytes<FromShared>(context, global[lane], shared, bytes);
    rows += (bytes + bulk_row - 1) / bulk_row;
  });
  context.access.space = Space::global;
  context.access.write = FromShared;
  if (copying == 0) {
    context.access.lanes = 0;
  } else {
    describe_rows(context.access, global[first_lane(copying)], size[first_lane(copying)], rows);
    context.changed_memory = true;
  }
  if (!instruction.destination[0].present()) return;
  alignas(64) std::uint32_t copied[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) copied[lane] = size[lane];
  write_lanes<std::uint32_t>(context, instruction.destination[0], copied, mask);
}

}  // namespace

Operation select_bulk_copy(const Instruction& instruction) {
  return instruction.variant == 1 ? &bulk_copy<true> : &bulk_copy<false>;
}

Operation select_memory(const Instruction& instruction) {
  switch (instruction.type) {
    case DataType::b8:
    case DataType::u8:
      return by_register<std::uint8_t>(instruction);
    case DataType::s8:
      return by_register<std::int8_t>(instruction);
    case DataType::b16:
    case DataType::u16:
    case DataType::f16:
      return by_register<std::uint16_t>(instruction);
    case DataType::s16:
      return by_register<std::int16_t>(instruction);
    case DataType::b32:
    case DataType::u32:
    case DataType::f32:
    case DataType::f16x2:
      return by_register<std::uint32_t>(instruction);
    case DataType::s32:
      return by_register<std::int32_t>(instruction);
    case DataType::b64:
    case DataType::u64:
    case DataType::s64:
    case DataType::f64:
      return by_width<std::uint64_t, std::uint64_t>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
