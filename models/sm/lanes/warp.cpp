#include "models/sm/lanes/lanewise.hpp"

// Operations between the lanes of a warp: vote, shuffle, the mask of active lanes.

namespace reconverge::lanes {

namespace {

using kernel::Opcode;
using kernel::ShuffleMode;
using kernel::VoteMode;

template <VoteMode Mode>
void vote(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask yes = predicate(instruction, context, 0) & mask;
  if constexpr (Mode == VoteMode::ballot) {
    alignas(64) std::uint32_t result[warp_size];
    for (auto& lane : result) lane = yes;
    write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
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
    result[lane] = a[from & 0x1fU];
    if (inside) in_range |= lane_bit(lane);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
  write_predicate(context, instruction.destination[1], in_range, mask);
}

void active_mask(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  alignas(64) std::uint32_t result[warp_size];
  for (auto& lane : result) lane = context.active;
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

}  // namespace

Operation select_warp(const Instruction& instruction) {
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
    default:
      return nullptr;
  }
}

}  // namespace reconverge::lanes
