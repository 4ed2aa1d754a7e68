// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/execution/narrow_address.hpp"
#include "models/execution/operations/addressing.hpp"

// Moves, selection, packing of vectors, address-space conversion, kernel parameters.

namespace reconverge::operations {

namespace {

using kernel::DynamicRegister;
using kernel::Opcode;
using kernel::Space;

struct Copy {
  template <typename T>
  T operator()(T a) const {
    return a;
  }
};

template <DeviceAddress Window>
struct ToGeneric {
  template <typename T>
  T operator()(T a) const {
    return static_cast<T>(a + Window);
  }
};
template <DeviceAddress Window>
struct FromGeneric {
  template <typename T>
  T operator()(T a) const {
    return static_cast<T>(a - Window);
  }
};

void move_predicate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  write_predicate(context, instruction.destination[0], predicate(instruction, context, 0), mask);
}

template <typename T>
void select_by_predicate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask choice = predicate(instruction, context, 2);
  const Reader<T> a(context, instruction.source[0]);
  const Reader<T> b(context, instruction.source[1]);
  alignas(64) Stored<T> result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] = (choice >> lane & 1U) != 0 ? a[lane] : b[lane];
  write_lanes<T>(context, instruction.destination[0], result, mask);
}

/// slct: a where c >= 0 (NaN counts as negative), else b.
template <typename T, typename C, bool Flush = false>
void select_by_sign(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> a(context, instruction.source[0]);
  const Reader<T> b(context, instruction.source[1]);
  const Reader<C> c(context, instruction.source[2]);
  alignas(64) Stored<T> result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    C sign = c[lane];
    if constexpr (Flush) sign = flush(sign);
    result[lane] = sign >= C{0} ? a[lane] : b[lane];
  }
  write_lanes<T>(context, instruction.destination[0], result, mask);
}

template <typename T>
Operation select_slct(const Instruction& instruction) {
  if (instruction.source_type == DataType::s32) return &select_by_sign<T, std::int32_t>;
  if (instruction.source_type != DataType::f32) return nullptr;
  return instruction.flush_subnormals ? &select_by_sign<T, float, true> : &select_by_sign<T, float>;
}

/// Parts of `PartBytes` joined into one wide value, the first lowest.
template <typename Part, typename Whole>
void pack(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  alignas(64) Stored<Whole> result[warp_size] = {};
  for (unsigned part = 0; part < parts; ++part) {
    const Reader<Part> source(context, instruction.source[part]);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      result[lane] |=
          static_cast<Whole>(static_cast<Whole>(static_cast<Part>(source[lane])) << (8 * sizeof(Part) * part));
    }
  }
  write_lanes<Whole>(context, instruction.destination[0], result, mask);
}

template <typename Part, typename Whole>
void unpack(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  // All parts are read before any is written: a destination may be the source's register.
  alignas(64) Stored<Part> result[parts][warp_size];
  const Reader<Whole> source(context, instruction.source[0]);
  for (unsigned part = 0; part < parts; ++part) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      result[part][lane] = static_cast<Part>(source[lane] >> (8 * sizeof(Part) * part));
    }
  }
  for (unsigned part = 0; part < parts; ++part) {
    if (instruction.destination[part].present()) {
      write_lanes<Part>(context, instruction.destination[part], result[part], mask);
    }
  }
}

template <typename T>
void load_parameter(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  for (unsigned part = 0; part < instruction.vector_width; ++part) {
    T value;
    std::memcpy(&value, context.parameters + instruction.offset + part * sizeof(T), sizeof(T));
    if (!instruction.destination[part].present()) continue;
    alignas(64) Stored<T> result[warp_size];
    for (auto& lane : result) lane = to_row<T>(value);
    write_lanes<T>(context, instruction.destination[part], result, mask);
  }
}

Operation select_load_parameter(DataType type) {
  switch (type) {
    case DataType::b8:
    case DataType::u8:
      return &load_parameter<std::uint8_t>;
    case DataType::s8:
      return &load_parameter<std::int8_t>;
    case DataType::b16:
    case DataType::u16:
    case DataType::f16:
      return &load_parameter<std::uint16_t>;
    case DataType::s16:
      return &load_parameter<std::int16_t>;
    case DataType::b32:
    case DataType::u32:
    case DataType::s32:
    case DataType::f32:
    case DataType::f16x2:
      return &load_parameter<std::uint32_t>;
    case DataType::b64:
    case DataType::u64:
    case DataType::s64:
    case DataType::f64:
      return &load_parameter<std::uint64_t>;
    default:
      return nullptr;
  }
}

Operation select_pack(const Instruction& instruction) {
  const unsigned whole = kernel::bytes_of(instruction.type);
  if (whole == 4) return &pack<std::uint16_t, std::uint32_t>;
  if (whole == 8) {
    return instruction.vector_width == 4 ? &pack<std::uint16_t, std::uint64_t> : &pack<std::uint32_t, std::uint64_t>;
  }
  return nullptr;
}

Operation select_unpack(const Instruction& instruction) {
  const unsigned whole = kernel::bytes_of(instruction.type);
  if (whole == 4) return &unpack<std::uint16_t, std::uint32_t>;
  if (whole == 8) {
    return instruction.vector_width == 4 ? &unpack<std::uint16_t, std::uint64_t>
                                         : &unpack<std::uint32_t, std::uint64_t>;
  }
  return nullptr;
}

Operation copy(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 1:
    case 2:
      return &lanewise<Copy, std::uint16_t, std::uint16_t>;
    case 4:
      return &lanewise<Copy, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<Copy, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

/// variant 1: from generic (.to).
template <typename T, DeviceAddress Window>
Operation convert_address(const Instruction& instruction) {
  return instruction.variant == 1 ? &lanewise<FromGeneric<Window>, T, T> : &lanewise<ToGeneric<Window>, T, T>;
}

Operation select_cvta(const Instruction& instruction) {
  const bool wide = kernel::bytes_of(instruction.type) == 8;
  switch (instruction.space) {
    case Space::shared:
      return wide ? convert_address<std::uint64_t, shared_window>(instruction)
                  : convert_address<std::uint32_t, narrow_shared_window>(instruction);
    case Space::local:
      return wide ? convert_address<std::uint64_t, local_window>(instruction)
                  : convert_address<std::uint32_t, narrow_local_window>(instruction);
    case Space::param:
      return wide ? convert_address<std::uint64_t, param_window>(instruction)
                  : convert_address<std::uint32_t, narrow_param_window>(instruction);
    case Space::global:
    case Space::constant:
      return wide ? &lanewise<Copy, std::uint64_t, std::uint64_t> : &lanewise<Copy, std::uint32_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

/// Constant variables lie among the global ones, and count as those.
void is_in_space(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const auto generic = [&](unsigned lane) -> DeviceAddress {
    if (instruction.wide_address) return Reader<std::uint64_t>(context, instruction.source[0])[lane];
    return widened(Reader<std::uint32_t>(context, instruction.source[0])[lane], Space::generic);
  };
  LaneMask inside = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (space_of(generic(lane)) == instruction.space) inside |= lane_bit(lane);
  }
  write_predicate(context, instruction.destination[0], inside, mask);
}

/// Shared memory of the block beyond `bytes` of it; threads that belong to no block have none.
std::uint32_t shared_beyond(const ExecutionContext& context, std::uint32_t bytes) {
  return context.shared_bytes - std::min(context.shared_bytes, bytes);
}

/// The clock counts cycles; the timer's nanosecond is one of them.
std::uint64_t dynamic_value(DynamicRegister which, const ExecutionContext& context, std::uint32_t lane) {
  const LaneMask own = lane_bit(lane);
  switch (which) {
    case DynamicRegister::clock:
    case DynamicRegister::clock64:
    case DynamicRegister::globaltimer:
    case DynamicRegister::globaltimer_lo:
      return context.clock;
    case DynamicRegister::clock_hi:
    case DynamicRegister::globaltimer_hi:
      return context.clock >> 32U;
    case DynamicRegister::lanemask_eq:
      return own;
    case DynamicRegister::lanemask_lt:
      return own - 1;
    case DynamicRegister::lanemask_le:
      return own | (own - 1);
    case DynamicRegister::lanemask_gt:
      return ~(own | (own - 1));
    case DynamicRegister::lanemask_ge:
      return ~(own - 1);
    case DynamicRegister::dynamic_smem_size:
      return shared_beyond(context, context.program->shared_bytes);
    case DynamicRegister::total_smem_size:
      return shared_beyond(context, context.program->reserved_shared_bytes);
    case DynamicRegister::aggr_smem_size:
      return context.shared_bytes;
  }
  return 0;
}

template <typename T>
void read_special(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  // Threads may move among lanes: each has its lane in a register.
  const Reader<std::uint32_t> lane_of(context,
                                      Operand(Bank::special, static_cast<unsigned>(kernel::SpecialRow::laneid)));
  const auto which = static_cast<DynamicRegister>(instruction.variant);
  alignas(64) T result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result[lane] = static_cast<T>(dynamic_value(which, context, lane_of[lane] % warp_size));
  }
  write_lanes<T>(context, instruction.destination[0], result, mask);
}

}  // namespace

Operation select_move(const Instruction& instruction) {
  const unsigned bytes = kernel::bytes_of(instruction.type);
  switch (instruction.opcode) {
    case Opcode::mov:
      return instruction.type == DataType::pred ? &move_predicate : copy(instruction.type);
    case Opcode::selp:
      if (bytes == 2) return &select_by_predicate<std::uint16_t>;
      if (bytes == 4) return &select_by_predicate<std::uint32_t>;
      return bytes == 8 ? &select_by_predicate<std::uint64_t> : nullptr;
    case Opcode::slct:
      if (bytes == 2) return select_slct<std::uint16_t>(instruction);
      if (bytes == 4) return select_slct<std::uint32_t>(instruction);
      return bytes == 8 ? select_slct<std::uint64_t>(instruction) : nullptr;
    case Opcode::pack:
      return select_pack(instruction);
    case Opcode::unpack:
      return select_unpack(instruction);
    case Opcode::cvta:
      return select_cvta(instruction);
    case Opcode::ld_param:
      return select_load_parameter(instruction.type);
    case Opcode::read_special:
      return bytes == 8 ? &read_special<std::uint64_t> : &read_special<std::uint32_t>;
    case Opcode::isspacep:
      return &is_in_space;
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
