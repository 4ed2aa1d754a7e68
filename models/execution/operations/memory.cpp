#include "models/execution/operations/addressing.hpp"

// ld and st. M is the type in memory, R the type in the register: the two differ where PTX extends or truncates.

namespace reconverge::operations {

namespace {

using kernel::Opcode;
using kernel::Space;

/// Tells the host which rows a value of `width` parts is in, so that it has them when the addresses are known: lanes go
/// one after the other, and each would wait for the same lines.
template <unsigned Width>
void expect_rows(const ExecutionContext& context, const Operand* parts) {
  for (unsigned part = 0; part < Width; ++part) {
    if (!parts[part].present()) continue;
    const std::uint32_t* const words = row(context, parts[part]);
    __builtin_prefetch(words, 1);
    __builtin_prefetch(words + warp_size / 2, 1);
  }
}

// Each lane's own words only: that is quicker than whole rows unless all lanes load, and not slower by much then.

template <typename M, typename R, unsigned Width, bool Interleaved>
void read_memory(const Instruction& instruction, const ExecutionContext& context, LaneMask lanes) {
  // Where parts go that the instruction does not want.
  alignas(64) std::uint32_t nowhere[2 * warp_size];
  std::array<std::uint32_t*, Width> to;
  for (unsigned part = 0; part < Width; ++part) {
    const Operand destination = instruction.destination[part];
    to[part] = destination.present() ? row(context, destination) : nowhere;
  }
  std::byte* memory = origin(context);
  for_each_lane(lanes, [&](unsigned lane) {
    std::array<M, Width> value;
    transfer<false, Interleaved>(memory + context.access.address[lane], value);
    for (unsigned part = 0; part < Width; ++part) {
      // Extends by the sign of M: that is what ld.s8 is for.
      set_value<R>(to[part], lane, static_cast<R>(value[part]));  // NOLINT(bugprone-signed-char-misuse)
    }
  });
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
  // Lanes that write one place: the highest wins. PTX leaves it open; a fixed rule keeps runs equal.
  for_each_lane(lanes, [&](unsigned lane) {
    std::array<M, Width> value;
    for (unsigned part = 0; part < Width; ++part) value[part] = static_cast<M>(value_at<R>(from[part], lane));
    transfer<true, Interleaved>(memory + context.access.address[lane], value);
  });
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

}  // namespace

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
