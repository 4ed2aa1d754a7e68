// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/execution/narrow_address.hpp"
#include "models/execution/operations/print_format.hpp"

// Host functions for a kernel, lane by lane from the lowest: printf, assert, malloc and free. The host serves SMs in
// order.

namespace reconverge::operations {

namespace {

using kernel::HostFunction;

constexpr std::size_t longest_message = 4096;

/// An operand of the width that the call gave it.
std::uint64_t value_of(const Instruction& instruction, const ExecutionContext& context, unsigned index, unsigned lane) {
  const Operand operand = instruction.source[index];
  if (instruction.wide_source(index)) return Reader<std::uint64_t>(context, operand)[lane];
  return Reader<std::uint32_t>(context, operand)[lane];
}

/// destination[0] = result(lane), one lane after the other.
template <typename Result>
void for_lanes_in_order(const Instruction& instruction, ExecutionContext& context, LaneMask mask, Result result) {
  alignas(64) std::uint64_t results[warp_size] = {};
  for_each_lane(mask, [&](unsigned lane) { results[lane] = result(lane); });
  if (!instruction.destination[0].present()) return;
  if (instruction.wide_destination(0)) {
    return write_lanes<std::uint64_t>(context, instruction.destination[0], results, mask);
  }
  alignas(64) std::uint32_t words[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) words[lane] = static_cast<std::uint32_t>(results[lane]);
  write_lanes<std::uint32_t>(context, instruction.destination[0], words, mask);
}

void print(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  context.order_accesses();
  const unsigned address_bytes = instruction.wide_source(0) ? 8 : 4;
  for_lanes_in_order(instruction, context, mask, [&](unsigned lane) -> std::uint64_t {
    const DeviceAddress format = value_of(instruction, context, 0, lane);
    if (format == 0) return ~std::uint64_t{0};
    const Printed printed = format_text(LaneMemory(instruction, context, lane), format,
                                        value_of(instruction, context, 1, lane), address_bytes);
    if (context.print != nullptr && *context.print) (*context.print)(printed.text);
    return printed.arguments;
  });
}

void fail_assertion(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const unsigned lane = first_lane(mask);
  const LaneMemory memory(instruction, context, lane);
  const auto text = [&](unsigned index) {
    const DeviceAddress address = value_of(instruction, context, index, lane);
    return address == 0 ? std::string() : memory.text(address, longest_message);
  };
  throw ExecutionError(
      fmt::format("{}: assertion '{}' failed ({}:{}, in '{}') in kernel '{}' ({})",
                  kernel::place_of(*context.program, instruction), text(0), text(1),
                  value_of(instruction, context, 2, lane), text(3), context.program->name, thread_name(context, lane)),
      Fault::assertion);
}

void allocate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  context.order_accesses();
  const bool wide = instruction.wide_destination(0);
  for_lanes_in_order(instruction, context, mask, [&](unsigned lane) -> std::uint64_t {
    const std::uint64_t bytes = value_of(instruction, context, 0, lane);
    DeviceHeap& heap = context.memory->heap();
    const DeviceAddress address = heap.allocate(bytes);
    if (wide || address == 0) return address;
    const auto narrow = narrowed(address, bytes);
    // A part that no pointer reaches counts as not allocated.
    if (!narrow) heap.release(address);
    return narrow.value_or(0);
  });
}

void release(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  context.order_accesses();
  for_each_lane(mask, [&](unsigned lane) {
    DeviceAddress address = value_of(instruction, context, 0, lane);
    if (!instruction.wide_source(0)) address = widened(static_cast<std::uint32_t>(address), kernel::Space::generic);
    if (address == 0 || context.memory->heap().release(address)) return;
    throw ExecutionError(fmt::format("{}: free of {:#x}, which malloc did not give, in kernel '{}' ({})",
                                     kernel::place_of(*context.program, instruction), address, context.program->name,
                                     thread_name(context, lane)));
  });
}

}  // namespace

Operation select_host(const Instruction& instruction) {
  switch (static_cast<HostFunction>(instruction.variant)) {
    case HostFunction::print:
      return &print;
    case HostFunction::assert_fail:
      return &fail_assertion;
    case HostFunction::allocate:
      return &allocate;
    default:
      return &release;
  }
}

}  // namespace reconverge::operations
