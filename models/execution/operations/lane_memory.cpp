// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/lane_memory.hpp"

#include "models/execution/narrow_address.hpp"
#include "models/execution/operations/addressing.hpp"

namespace reconverge::operations {

using kernel::Space;

std::byte LaneMemory::byte(DeviceAddress address) const {
  if (!instruction_.wide_source(0)) address = widened(static_cast<std::uint32_t>(address), Space::generic);
  const Space space = space_of(address);
  const DeviceAddress at = address - window_of(space);
  switch (space) {
    case Space::shared:
      if (at >= context_.shared_begin && at < context_.shared_bytes) return context_.shared[at];
      break;
    case Space::local:
      if (at < context_.local_bytes) {
        const Reader<std::uint32_t> home(context_,
                                         Operand(Bank::special, static_cast<unsigned>(kernel::SpecialRow::local_home)));
        return context_.local[home[lane_] + at / 4 * row_bytes + at % 4];
      }
      break;
    case Space::param:
      if (at < context_.program->parameter_bytes) return context_.parameters[at];
      break;
    default:
      if (context_.memory->find(at) != nullptr) {
        std::byte value;
        read_global(context_, at, {&value, 1});
        return value;
      }
      break;
  }
  fail_access(instruction_, context_, lane_, address, "read outside every buffer");
}

std::uint64_t LaneMemory::value(DeviceAddress address, unsigned bytes) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::to_integer<std::uint64_t>(byte(address + i)) << 8 * i;
  return value;
}

std::string LaneMemory::text(DeviceAddress address, std::size_t limit) const {
  std::string text;
  while (text.size() < limit) {
    const char next = std::to_integer<char>(byte(address + text.size()));
    if (next == 0) break;
    text += next;
  }
  return text;
}

}  // namespace reconverge::operations
