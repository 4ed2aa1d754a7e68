// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "models/execution/operations/lanewise.hpp"
#include "models/execution/operations/members.hpp"

// Operations between the lanes of a warp. Among the lanes that execute an operation, lanes with the same member mask
// form a group, regardless of other lanes in the mask: if such lanes do not arrive, the program's behaviour is
// undefined.

namespace reconverge::operations {

namespace {

using kernel::Opcode;
using kernel::ShuffleMode;
using kernel::VoteMode;

/// destination[0] = value, for all lanes of `mask`.
void write_same(const Instruction& instruction, const ExecutionContext& context, std::uint32_t value, LaneMask mask) {
  alignas(64) std::uint32_t result[warp_size];
  for (auto& lane : result) lane = value;
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <VoteMode Mode>
void vote(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask yes = predicate(instruction, context, 0) & mask;
  if constexpr (Mode == VoteMode::ballot) {
    write_same(instruction, context, yes, mask);
  } else {
    bool holds = yes != 0;
    if constexpr (Mode == VoteMode::all) holds = yes == mask;
    if constexpr (Mode == VoteMode::uni) holds = yes == mask || yes == 0;
    write_predicate(context, instruction.destination[0], holds ? all_lanes : 0, mask);
  }
}

/// PTX shfl: source[1] is the lane or distance, source[2] packs the clamp (bits 0-4) and the segment mask (bits 8-12).
template <ShuffleMode Mode>
void shuffle(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint32_t> a(context, instruction.source[0]);
  const Reader<std::uint32_t> b(context, instruction.source[1]);
  const Reader<std::uint32_t> c(context, instruction.source[2]);
  alignas(64) std::uint32_t result[warp_size];
  LaneMask in_range = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t by = b[lane] & 0x1fU;
    const std::uint32_t clamp = c[lane] & 0x1fU;
    const std::uint32_t segment = c[lane] >> 8U & 0x1fU;
    const std::uint32_t last = (lane & segment) | (clamp & ~segment);
    const std::uint32_t first = lane & segment;
    std::uint32_t from = 0;
    bool inside = false;
    if constexpr (Mode == ShuffleMode::up) {
      from = lane - by;
      inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(last);
    } else if constexpr (Mode == ShuffleMode::down) {
      from = lane + by;
      inside = from <= last;
    } else if constexpr (Mode == ShuffleMode::bfly) {
      from = lane ^ by;
      inside = from <= last;
    } else {
      from = first | (by & ~segment);
      inside = from <= last;
    }
    if (!inside) from = lane;
    // PTX leaves the value of a lane that does not participate undefined. An NVIDIA H100 gives 0.
    result[lane] = (mask >> from & 1U) != 0 ? a[from] : 0;
    if (inside) in_range |= lane_bit(lane);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
  write_predicate(context, instruction.destination[1], in_range, mask);
}

/// match.any: the lanes whose value is the same.
template <typename T>
void match_any(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> a(context, instruction.source[0]);
  alignas(64) std::uint32_t result[warp_size] = {};
  for (LaneMask left = mask; left != 0;) {
    const T value = a[first_lane(left)];
    LaneMask same = 0;
    for_each_lane(left, [&](unsigned lane) { same |= a[lane] == value ? lane_bit(lane) : 0; });
    for_each_lane(same, [&](unsigned lane) { result[lane] = same; });
    left &= ~same;
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

/// match.all: all participating lanes if they have the same value, otherwise none.
template <typename T>
void match_all(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> a(context, instruction.source[0]);
  const T value = a[first_lane(mask)];
  bool same = true;
  for_each_lane(mask, [&](unsigned lane) { same = same && a[lane] == value; });
  write_same(instruction, context, same ? mask : 0, mask);
  write_predicate(context, instruction.destination[1], same ? all_lanes : 0, mask);
}

struct Sum {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};
struct Least {
  template <typename T>
  T operator()(T a, T b) const {
    return std::min(a, b);
  }
};
struct Greatest {
  template <typename T>
  T operator()(T a, T b) const {
    return std::max(a, b);
  }
};

/// redux: the values of all participating lanes, combined by F.
template <typename F, typename T>
void reduce(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> a(context, instruction.source[0]);
  const unsigned first = first_lane(mask);
  T result = a[first];
  for_each_lane(mask & ~lane_bit(first), [&](unsigned lane) { result = F{}(result, a[lane]); });
  write_same(instruction, context, static_cast<std::uint32_t>(result), mask);
}

/// elect: the lowest participating lane is the leader.
void elect(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const unsigned leader = first_lane(mask);
  if (instruction.destination[0].present()) write_same(instruction, context, leader, mask);
  write_predicate(context, instruction.destination[1], lane_bit(leader), mask);
}

void active_mask(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  write_same(instruction, context, context.active, mask);
}

template <typename T>
Operation reduction(kernel::AtomicOperation operation) {
  using kernel::AtomicOperation;
  switch (operation) {
    case AtomicOperation::add:
      return &reduce<Sum, T>;
    case AtomicOperation::min:
      return &reduce<Least, T>;
    case AtomicOperation::max:
      return &reduce<Greatest, T>;
    case AtomicOperation::and_:
      return &reduce<std::bit_and<>, T>;
    case AtomicOperation::or_:
      return &reduce<std::bit_or<>, T>;
    case AtomicOperation::xor_:
      return &reduce<std::bit_xor<>, T>;
    default:
      return nullptr;
  }
}

/// The operation for one group of lanes.
Operation select_together(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::vote:
      switch (static_cast<VoteMode>(instruction.variant)) {
        case VoteMode::any:
          return &vote<VoteMode::any>;
        case VoteMode::all:
          return &vote<VoteMode::all>;
        case VoteMode::uni:
          return &vote<VoteMode::uni>;
        case VoteMode::ballot:
          return &vote<VoteMode::ballot>;
      }
      return nullptr;
    case Opcode::shfl:
      switch (static_cast<ShuffleMode>(instruction.variant)) {
        case ShuffleMode::up:
          return &shuffle<ShuffleMode::up>;
        case ShuffleMode::down:
          return &shuffle<ShuffleMode::down>;
        case ShuffleMode::bfly:
          return &shuffle<ShuffleMode::bfly>;
        case ShuffleMode::idx:
          return &shuffle<ShuffleMode::idx>;
      }
      return nullptr;
    case Opcode::activemask:
      return &active_mask;
    case Opcode::match: {
      const bool wide = kernel::bytes_of(instruction.type) == 8;
      if (static_cast<kernel::MatchMode>(instruction.variant) == kernel::MatchMode::any) {
        return wide ? &match_any<std::uint64_t> : &match_any<std::uint32_t>;
      }
      return wide ? &match_all<std::uint64_t> : &match_all<std::uint32_t>;
    }
    case Opcode::redux:
      return instruction.type == DataType::s32 ? reduction<std::int32_t>(instruction.atomic)
                                               : reduction<std::uint32_t>(instruction.atomic);
    case Opcode::elect:
      return &elect;
    default:
      return nullptr;
  }
}

/// Lanes with different member masks, as in the tiles of a warp, form separate groups.
void by_members(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Operation operation = select_together(instruction);
  const Reader<std::uint32_t> members(context, member_operand(instruction));
  for (LaneMask left = mask; left != 0;) {
    const std::uint32_t named = members[first_lane(left)];
    LaneMask group = 0;
    for_each_lane(left, [&](unsigned lane) { group |= members[lane] == named ? lane_bit(lane) : 0; });
    operation(instruction, context, group);
    left &= ~group;
  }
}

}  // namespace

Operation select_warp(const Instruction& instruction) {
  const Operation operation = select_together(instruction);
  const Operand members = member_operand(instruction);
  const bool may_differ = members.present() && members.bank() != Bank::constant;
  return operation != nullptr && may_differ ? &by_members : operation;
}

}  // namespace reconverge::operations
