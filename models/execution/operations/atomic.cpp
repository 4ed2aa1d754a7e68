// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "models/execution/operations/addressing.hpp"
#include "models/execution/operations/half.hpp"

// atom and red: read, combine, write, one lane after another, lowest first. A vector is a sequence of atomic
// operations.

namespace reconverge::operations {

namespace {

using kernel::AtomicOperation;
using kernel::Space;

/// f16x2 and bf16x2.
template <typename H>
struct HalfPair {
  H low;
  H high;
};
template <typename H>
H sum_of(H a, H b) {
  return narrow<H>(odd_sum(widen(a), widen(b)));
}

struct AtomicAdd {
  template <typename H>
  HalfPair<H> operator()(HalfPair<H> old, HalfPair<H> b, HalfPair<H> /*c*/) const {
    return {sum_of(old.low, b.low), sum_of(old.high, b.high)};
  }
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    if constexpr (is_half<T>)
      return sum_of(old, b);
    else if constexpr (std::is_floating_point_v<T>)
      return canonical(old + b);
    else
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(b));
  }
};
struct AtomicMin {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return std::min(old, b);
  }
};
struct AtomicMax {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return std::max(old, b);
  }
};
struct AtomicAnd {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return old & b;
  }
};
struct AtomicOr {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return old | b;
  }
};
struct AtomicXor {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return old ^ b;
  }
};
struct AtomicInc {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return old >= b ? T{0} : old + 1;
  }
};
struct AtomicDec {
  template <typename T>
  T operator()(T old, T b, T /*c*/) const {
    return old == 0 || old > b ? b : old - 1;
  }
};
struct AtomicExch {
  template <typename T>
  T operator()(T /*old*/, T b, T /*c*/) const {
    return b;
  }
};
struct AtomicCas {
  template <typename T>
  T operator()(T old, T b, T c) const {
    return old == b ? c : old;
  }
};

/// The value that F leaves in memory. PTX ISA, atom: add.f32 flushes subnormal operands and results, except in shared
/// memory.
template <typename F, typename T>
T combined(Space space, T old, T b, T c) {
  if constexpr (std::is_same_v<F, AtomicAdd> && std::is_same_v<T, float>) {
    if (space != Space::shared) return flush(F{}(flush(old), flush(b), c));
  }
  return F{}(old, b, c);
}

/// Between the memory of lane `lane` and a value; `view`: of the memory, unless it is accessed itself.
template <bool Write, typename M, std::size_t Parts>
void transfer_lane(const ExecutionContext& context, MemoryView* view, unsigned lane, std::array<M, Parts>& value) {
  const bool interleaved = context.access.space == Space::local;
  if (Write && view != nullptr) {
    view->store(context.access.address[lane], std::as_bytes(std::span(value)));
    return;
  }
  transfer<Write>(place(context, lane), value, interleaved);
  if (view != nullptr) view->update(context.access.address[lane], std::as_writable_bytes(std::span(value)));
}

/// The view of the memory that an atomic accesses, in order with accesses of other SMs; nullptr: there is none.
MemoryView* ordered_view(const ExecutionContext& context) {
  MemoryView* const view = view_of(context);
  if (view != nullptr) view->order();
  return view;
}

template <typename F, typename T, unsigned Width = 1>
void atomic(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const bool has_c = instruction.source[2].present() && Width == 1;
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(T) * Width, true);
    mask &= ~lanes;
    MemoryView* const view = ordered_view(context);
    alignas(64) Stored<T> result[Width][warp_size];
    for_each_lane(lanes, [&](unsigned lane) {
      std::array<T, Width> values;
      transfer_lane<false>(context, view, lane, values);
      const std::array<T, Width> before = values;
      for (unsigned part = 0; part < Width; ++part) {
        const Reader<T> b(context, instruction.source[1 + part]);
        const Reader<T> c(context, instruction.source[has_c ? 2 : 1]);
        result[part][lane] = to_row<T>(values[part]);
        values[part] = combined<F>(context.access.space, values[part], from_row<T>(b[lane]), from_row<T>(c[lane]));
      }
      transfer_lane<true>(context, view, lane, values);
      // The bits are what others see: zeros of two signs differ, a NaN is itself.
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
      context.changed_memory |= std::memcmp(before.data(), values.data(), sizeof(values)) != 0;
    });
    for (unsigned part = 0; part < Width; ++part) {
      if (instruction.destination[part].present()) {
        write_lanes<T>(context, instruction.destination[part], result[part], lanes);
      }
    }
  }
}

/// cas of two words of 64 bits as one value.
void compare_and_swap_pairs(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  using Pair = std::array<std::uint64_t, 2>;
  const auto pair = [&](unsigned first, unsigned lane) {
    return Pair{Reader<std::uint64_t>(context, instruction.source[first])[lane],
                Reader<std::uint64_t>(context, instruction.source[first + 1])[lane]};
  };
  while (mask != 0) {
    const LaneMask lanes = resolve_addresses(instruction, context, mask, sizeof(Pair), true);
    mask &= ~lanes;
    MemoryView* const view = ordered_view(context);
    alignas(64) std::uint64_t result[2][warp_size];
    for_each_lane(lanes, [&](unsigned lane) {
      Pair value;
      transfer_lane<false>(context, view, lane, value);
      result[0][lane] = value[0];
      result[1][lane] = value[1];
      if (value != pair(1, lane)) return;
      Pair next = pair(3, lane);
      transfer_lane<true>(context, view, lane, next);
      context.changed_memory |= next != value;
    });
    for (unsigned part = 0; part < 2; ++part) {
      if (!instruction.destination[part].present()) continue;
      write_lanes<std::uint64_t>(context, instruction.destination[part], result[part], lanes);
    }
  }
}

template <typename T>
Operation by_integer_operation(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::add:
      return &atomic<AtomicAdd, T>;
    case AtomicOperation::min:
      return &atomic<AtomicMin, T>;
    case AtomicOperation::max:
      return &atomic<AtomicMax, T>;
    case AtomicOperation::and_:
      return &atomic<AtomicAnd, T>;
    case AtomicOperation::or_:
      return &atomic<AtomicOr, T>;
    case AtomicOperation::xor_:
      return &atomic<AtomicXor, T>;
    case AtomicOperation::inc:
      return &atomic<AtomicInc, T>;
    case AtomicOperation::dec:
      return &atomic<AtomicDec, T>;
    case AtomicOperation::exch:
      return &atomic<AtomicExch, T>;
    case AtomicOperation::cas:
      return &atomic<AtomicCas, T>;
    default:
      return nullptr;
  }
}

template <typename T>
Operation by_float_operation(AtomicOperation operation) {
  return operation == AtomicOperation::add ? &atomic<AtomicAdd, T> : nullptr;
}

}  // namespace

Operation select_atomic(const Instruction& instruction) {
  switch (instruction.type) {
    case DataType::b32:
    case DataType::u32:
      return by_integer_operation<std::uint32_t>(instruction.atomic);
    case DataType::s32:
      return by_integer_operation<std::int32_t>(instruction.atomic);
    case DataType::b64:
      if (instruction.vector_width == 2) {
        return instruction.atomic == AtomicOperation::cas ? &compare_and_swap_pairs
                                                          : &atomic<AtomicExch, std::uint64_t, 2>;
      }
      return by_integer_operation<std::uint64_t>(instruction.atomic);
    case DataType::u64:
      return by_integer_operation<std::uint64_t>(instruction.atomic);
    case DataType::s64:
      return by_integer_operation<std::int64_t>(instruction.atomic);
    case DataType::b16:
      return &atomic<AtomicCas, std::uint16_t>;
    case DataType::f32:
      if (instruction.vector_width == 4) return &atomic<AtomicAdd, float, 4>;
      if (instruction.vector_width == 2) return &atomic<AtomicAdd, float, 2>;
      return by_float_operation<float>(instruction.atomic);
    case DataType::f16:
      return by_float_operation<Half>(instruction.atomic);
    case DataType::bf16:
      return by_float_operation<Bfloat>(instruction.atomic);
    case DataType::f16x2:
      return by_float_operation<HalfPair<Half>>(instruction.atomic);
    case DataType::bf16x2:
      return by_float_operation<HalfPair<Bfloat>>(instruction.atomic);
    case DataType::f64:
      return by_float_operation<double>(instruction.atomic);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
