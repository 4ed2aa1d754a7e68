#include "models/sm/lanes/addressing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge::lanes {

using kernel::Space;

void fail_access(const Instruction& instruction, const ExecutionContext& context, unsigned lane, DeviceAddress address,
                 std::string_view what) {
  const auto& program = *context.program;
  throw ExecutionError(fmt::format("{}: {} at address {:#x} in kernel '{}' (block {}, warp {}, lane {}): {}",
                                   kernel::place_of(program, instruction), what, address, program.name,
                                   context.position.block, context.position.warp, lane,
                                   program.text[static_cast<std::size_t>(&instruction - program.instructions.data())]));
}

namespace {

/// The smallest and largest address over all lanes, and the bits that any has.
struct Extent {
  std::int64_t lowest;
  std::int64_t highest;
  std::uint64_t bits;
};

Extent extent_of(const std::array<DeviceAddress, warp_size>& address) {
  // Addresses stay below 2^63, so signed comparison is right, and AVX2 has only that.
  Extent extent{static_cast<std::int64_t>(address[0]), static_cast<std::int64_t>(address[0]), 0};
  for (const DeviceAddress each : address) {
    extent.lowest = std::min(extent.lowest, static_cast<std::int64_t>(each));
    extent.highest = std::max(extent.highest, static_cast<std::int64_t>(each));
    extent.bits |= each;
  }
  return extent;
}

void compute_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  auto& address = context.access.address;
  if (instruction.wide_address) {
    const Reader<std::uint64_t> base(context, instruction.source[0]);
    const auto offset = static_cast<std::uint64_t>(static_cast<std::int64_t>(instruction.offset));
    for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = base[lane] + offset;
  } else {
    const Reader<std::uint32_t> base(context, instruction.source[0]);
    const auto offset = static_cast<std::uint32_t>(instruction.offset);
    for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = base[lane] + offset;
  }
  if (mask != all_lanes) {
    const DeviceAddress one = address[first_lane(mask)];
    for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = (mask >> lane & 1U) != 0 ? address[lane] : one;
  }
}

/// Rewrites generic addresses of the first lane's space; returns the lanes that share it.
LaneMask resolve_generic(ExecutionContext& context, LaneMask mask) {
  auto& access = context.access;
  const DeviceAddress one = access.address[first_lane(mask)];
  const Space space = space_of(one);
  LaneMask same = 0;
  for_each_lane(mask, [&](unsigned lane) {
    if (space_of(access.address[lane]) == space) same |= lane_bit(lane);
  });
  const DeviceAddress window = window_of(space);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    access.address[lane] = ((same >> lane & 1U) != 0 ? access.address[lane] : one) - window;
  }
  access.space = space;
  return same;
}

void check_global(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes,
                  const Extent& extent) {
  const auto lowest = static_cast<DeviceAddress>(extent.lowest);
  const auto highest = static_cast<DeviceAddress>(extent.highest);
  if (context.last_buffer != nullptr && context.last_buffer->contains(lowest, highest, bytes)) return;
  for_each_lane(mask, [&](unsigned lane) {
    const DeviceAddress address = context.access.address[lane];
    const Buffer* buffer = context.memory->find(address);
    if (buffer == nullptr || !buffer->contains(address, address, bytes)) {
      fail_access(instruction, context, lane, address,
                  context.access.write ? "write outside every buffer" : "read outside every buffer");
    }
    context.last_buffer = buffer;
  });
}

void check_window(const Instruction& instruction, const ExecutionContext& context, LaneMask mask, unsigned bytes,
                  const Extent& extent, std::uint64_t size, std::string_view what) {
  if (extent.lowest >= 0 && static_cast<std::uint64_t>(extent.highest) + bytes <= size) return;
  for_each_lane(mask, [&](unsigned lane) {
    const DeviceAddress address = context.access.address[lane];
    if (address + bytes > size || address + bytes < address) fail_access(instruction, context, lane, address, what);
  });
}

/// From a thread's own local address to the interleaved place of its word in the memory of the SM.
void interleave_local(ExecutionContext& context) {
  const Reader<std::uint32_t> home(context,
                                   Operand(Bank::special, static_cast<unsigned>(kernel::SpecialRow::local_home)));
  auto& address = context.access.address;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    address[lane] = context.local_address + home[lane] + address[lane] / 4 * row_bytes + address[lane] % 4;
  }
}

}  // namespace

LaneMask resolve_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes,
                           bool write) {
  auto& access = context.access;
  compute_addresses(instruction, context, mask);
  access.space = instruction.space;
  access.write = write;
  access.bytes = bytes;
  access.repeats = 1;
  if (access.space == Space::generic) mask = resolve_generic(context, mask);
  access.lanes = mask;

  const Extent extent = extent_of(access.address);
  if ((extent.bits & (bytes - 1)) != 0) {
    for_each_lane(mask, [&](unsigned lane) {
      const DeviceAddress address = access.address[lane];
      if ((address & (bytes - 1)) != 0)
        fail_access(instruction, context, lane, address, fmt::format("misaligned {}-byte access", bytes));
    });
  }
  switch (access.space) {
    case Space::shared:
      check_window(instruction, context, mask, bytes, extent, context.shared_bytes, "access outside shared memory");
      break;
    case Space::local:
      check_window(instruction, context, mask, bytes, extent, context.local_bytes,
                   "access outside local memory (stack overflow?)");
      interleave_local(context);
      access.repeats = bytes > 4 ? bytes / 4 : 1;
      access.bytes = std::min(bytes, 4U);
      break;
    case Space::param:
      if (write) {
        fail_access(instruction, context, first_lane(mask), access.address[first_lane(mask)],
                    "write to the parameters of the kernel");
      }
      check_window(instruction, context, mask, bytes, extent, context.program->parameter_bytes,
                   "read beyond the parameters of the kernel");
      break;
    default:
      check_global(instruction, context, mask, bytes, extent);
      break;
  }
  return mask;
}

LaneMask lanes_of_one_space(const Instruction& instruction, const ExecutionContext& context, LaneMask mask) {
  if (instruction.space != Space::generic || mask == 0) return mask;
  const auto space = [&](unsigned lane) {
    const auto offset = static_cast<DeviceAddress>(static_cast<std::int64_t>(instruction.offset));
    if (!instruction.wide_address) {
      const auto narrow = static_cast<std::uint32_t>(offset);
      return space_of(Reader<std::uint32_t>(context, instruction.source[0])[lane] + narrow);
    }
    return space_of(Reader<std::uint64_t>(context, instruction.source[0])[lane] + offset);
  };
  const Space wanted = space(first_lane(mask));
  LaneMask same = 0;
  for_each_lane(mask, [&](unsigned lane) {
    if (space(lane) == wanted) same |= lane_bit(lane);
  });
  return same;
}

}  // namespace reconverge::lanes
