#include "models/sm/lanes/addressing.hpp"

// ld and st. M is the type in memory, R the type in the register: the two differ where PTX extends or truncates.

namespace reconverge::lanes {

namespace {

using kernel::Opcode;
using kernel::Space;

template <typename M, typename R, unsigned Width>
void load(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(M) * Width, false);
    mask &= ~lanes;
    const bool interleaved = context.access.space == Space::local;
    // Every element is read before any register is written: the address may be one of the destinations.
    alignas(64) Stored<R> result[Width][warp_size];
    const auto read_lane = [&](unsigned lane) {
      std::array<M, Width> value;
      transfer<false>(place(context, lane), value.data(), sizeof(value), interleaved);
      for (unsigned part = 0; part < Width; ++part) {
        if constexpr (sizeof(M) < sizeof(R)) {
          // Extends by the sign of M: that is what ld.s8 is for.
          result[part][lane] = static_cast<R>(value[part]);  // NOLINT(bugprone-signed-char-misuse)
        } else {
          result[part][lane] = to_row<M>(value[part]);
        }
      }
    };
    if (lanes == all_lanes) {
      for (unsigned lane = 0; lane < warp_size; ++lane) read_lane(lane);
    } else {
      for_each_lane(lanes, read_lane);
    }
    for (unsigned part = 0; part < Width; ++part) {
      if (instruction.destination[part].present()) {
        write_lanes<R>(context, instruction.destination[part], result[part], lanes);
      }
    }
  }
}

template <typename M, typename R, unsigned Width>
void store(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(M) * Width, true);
    mask &= ~lanes;
    const bool interleaved = context.access.space == Space::local;
    // Lanes that write one place: the highest wins. PTX leaves it open; a fixed rule keeps runs equal.
    for_each_lane(lanes, [&](unsigned lane) {
      std::array<M, Width> value;
      for (unsigned part = 0; part < Width; ++part) {
        value[part] = static_cast<M>(Reader<R>(context, instruction.source[1 + part])[lane]);
      }
      transfer<true>(place(context, lane), value.data(), sizeof(value), interleaved);
    });
    context.changed_memory |= !interleaved;
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

}  // namespace reconverge::lanes
