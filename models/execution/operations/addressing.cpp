// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/addressing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/execution/narrow_address.hpp"

namespace reconverge::operations {

using kernel::Space;

namespace {

std::string describe_access(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                            DeviceAddress address, std::string_view what) {
  const auto& program = *context.program;
  return fmt::format("{}: {} at address {:#x} in kernel '{}' ({}): {}", kernel::place_of(program, instruction), what,
                     address, program.name, thread_name(context, lane),
                     program.text[static_cast<std::size_t>(&instruction - program.instructions.data())]);
}

}  // namespace

void fail_access(const Instruction& instruction, const ExecutionContext& context, unsigned lane, DeviceAddress address,
                 std::string_view what) {
  throw ExecutionError(describe_access(instruction, context, lane, address, what), Fault::address);
}

void fail_alignment(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                    DeviceAddress address, unsigned bytes) {
  const std::string what = fmt::format("misaligned {}-byte access", bytes);
  throw ExecutionError(describe_access(instruction, context, lane, address, what), Fault::alignment);
}

namespace {

// Up to this many lanes, a loop over single lanes is faster than vectors over all lanes.
constexpr unsigned few_lanes = 8;

/// Calls `visit(lane)` at least for the lanes of `mask`; for all lanes if that is faster.
template <typename Visit>
[[gnu::always_inline]] inline void for_lanes(LaneMask mask, Visit visit) {
  if (count_lanes(mask) <= few_lanes) {
    for_each_lane(mask, visit);
  } else {
    for (unsigned lane = 0; lane < warp_size; ++lane) visit(lane);
  }
}

/// Lanes outside the mask get the address of a lane inside it, or keep their old value.
template <typename T>
void compute_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  auto& address = context.access.address;
  const Reader<T> base(context, instruction.source[0]);
  const auto offset = static_cast<T>(static_cast<std::int64_t>(instruction.offset));
  for_lanes(mask, [&](unsigned lane) { address[lane] = base[lane] + offset; });
  if (count_lanes(mask) <= few_lanes || mask == all_lanes) return;
  const DeviceAddress one = address[first_lane(mask)];
  for (unsigned lane = 0; lane < warp_size; ++lane) address[lane] = (mask & lane_bit(lane)) != 0 ? address[lane] : one;
}

/// Replaces 32-bit addresses by the corresponding 64-bit addresses.
void widen_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  if (instruction.space == Space::shared || instruction.space == Space::local) return;  // these need no conversion
  auto& address = context.access.address;
  for_lanes(mask, [&](unsigned lane) {
    address[lane] = widened(static_cast<std::uint32_t>(address[lane]), instruction.space);
  });
}

/// Bytes that may be accessed.
struct Window {
  DeviceAddress begin = 0;
  std::uint64_t size = 0;
};

/// The range of the space that the lanes may access; for global memory, the buffer that was used last.
Window window_in(const ExecutionContext& context) {
  switch (context.access.space) {
    case Space::shared:
      return {context.shared_begin, context.shared_bytes - context.shared_begin};
    case Space::local:
      return {0, context.local_bytes};
    case Space::spawn:
      return {0, context.spawn_bytes};
    case Space::param:
      return {0, context.program->parameter_bytes};
    default:
      return context.last_buffer == nullptr ? Window{}
                                            : Window{context.last_buffer->address, context.last_buffer->bytes};
  }
}

/// Errors in any of the addresses.
struct Faults {
  bool misaligned;
  bool outside;
};

Faults faults_of(const ExecutionContext& context, LaneMask mask, unsigned bytes) {
  const auto& address = context.access.address;
  const Window window = window_in(context);
  // Sizes are below 2^63, so an address outside is negative here; AVX2 has no unsigned comparison.
  const std::uint64_t last = window.size - bytes;
  std::uint64_t low_bits = 0;
  std::uint64_t sign = last;
  for_lanes(mask, [&](unsigned lane) {
    const std::uint64_t place = address[lane] - window.begin;
    low_bits |= address[lane];
    sign |= place | (last - place);
  });
  return {(low_bits & (bytes - 1)) != 0, sign >> 63U != 0};
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

void check_global(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes) {
  for_each_lane(mask, [&](unsigned lane) {
    const DeviceAddress address = context.access.address[lane];
    const Buffer* const last = context.last_buffer;
    if (last != nullptr && last->contains(address, address, bytes)) return;
    const Buffer* buffer = context.memory->find(address);
    if (buffer == nullptr || !buffer->contains(address, address, bytes)) {
      fail_access(instruction, context, lane, address,
                  context.access.write ? "write outside every buffer" : "read outside every buffer");
    }
    context.last_buffer = buffer;
  });
}

void check_window(const Instruction& instruction, const ExecutionContext& context, LaneMask mask, unsigned bytes,
                  std::string_view what) {
  const Window window = window_in(context);
  for_each_lane(mask, [&](unsigned lane) {
    const DeviceAddress address = context.access.address[lane];
    const std::uint64_t place = address - window.begin;
    if (address < window.begin || place > window.size || window.size - place < bytes)
      fail_access(instruction, context, lane, address, what);
  });
}

/// Some lane is not within the window: reports the first one that is in no buffer.
void check_each(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes) {
  switch (context.access.space) {
    case Space::shared:
      return check_window(instruction, context, mask, bytes, "access outside shared memory");
    case Space::local:
      return check_window(instruction, context, mask, bytes, "access outside local memory (stack overflow?)");
    case Space::spawn:
      return check_window(instruction, context, mask, bytes, "access outside spawn memory");
    case Space::param:
      return check_window(instruction, context, mask, bytes, "read beyond the parameters of the kernel");
    default:
      return check_global(instruction, context, mask, bytes);
  }
}

/// Converts a thread's local address to the interleaved place of its word in the memory of the SM.
void interleave_local(ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint32_t> home(context,
                                   Operand(Bank::special, static_cast<unsigned>(kernel::SpecialRow::local_home)));
  auto& address = context.access.address;
  const DeviceAddress begin = context.local_address;
  for_lanes(mask, [&](unsigned lane) {
    address[lane] = begin + home[lane] + address[lane] / 4 * row_bytes + address[lane] % 4;
  });
}

}  // namespace

LaneMask resolve_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes,
                           bool write) {
  auto& access = context.access;
  if (instruction.wide_address) {
    compute_addresses<std::uint64_t>(instruction, context, mask);
  } else {
    compute_addresses<std::uint32_t>(instruction, context, mask);
    widen_addresses(instruction, context, mask);
  }
  access.space = instruction.space;
  access.write = write;
  access.bytes = bytes;
  access.repeats = 1;
  if (access.space == Space::generic) mask = resolve_generic(context, mask);
  access.lanes = mask;

  const Faults faults = faults_of(context, mask, bytes);
  if (faults.misaligned) {
    for_each_lane(mask, [&](unsigned lane) {
      const DeviceAddress address = access.address[lane];
      if ((address & (bytes - 1)) != 0) fail_alignment(instruction, context, lane, address, bytes);
    });
  }
  if (write && access.space == Space::param) {
    fail_access(instruction, context, first_lane(mask), access.address[first_lane(mask)],
                "write to the parameters of the kernel");
  }
  if (faults.outside) check_each(instruction, context, mask, bytes);
  if (access.space == Space::local) {
    interleave_local(context, mask);
    access.repeats = bytes > 4 ? bytes / 4 : 1;
    access.bytes = std::min(bytes, 4U);
  }
  return mask;
}

LaneMask lanes_of_one_space(const Instruction& instruction, const ExecutionContext& context, LaneMask mask) {
  // The addresses of matrices are those of some lanes, and all in one space.
  const bool of_matrices =
      instruction.opcode == kernel::Opcode::ldmatrix || instruction.opcode == kernel::Opcode::stmatrix;
  if (instruction.space != Space::generic || mask == 0 || of_matrices) return mask;
  const auto space = [&](unsigned lane) {
    const auto offset = static_cast<DeviceAddress>(static_cast<std::int64_t>(instruction.offset));
    if (!instruction.wide_address) {
      const auto narrow = static_cast<std::uint32_t>(offset);
      const std::uint32_t address = Reader<std::uint32_t>(context, instruction.source[0])[lane] + narrow;
      return space_of(widened(address, Space::generic));
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

}  // namespace reconverge::operations
