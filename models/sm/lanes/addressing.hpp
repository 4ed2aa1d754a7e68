#pragma once
/// From the address operand of a memory instruction to checked places in memory, a lane each.

#include "models/sm/lanes/lanewise.hpp"

namespace reconverge::lanes {

/// Puts the address of every lane of `mask` into `context.access` and checks alignment and bounds for `bytes` a lane.
/// Lanes outside the mask get the address of one inside it, so that loops may run over all lanes.
/// Generic addresses are resolved: on return `context.access.space` is where the lanes of the returned mask
/// access; the caller repeats with the rest. Throws ExecutionError naming kernel, PTX line, block, warp, lane, address.
LaneMask resolve_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes,
                           bool write);

/// The lanes of `mask` that access the same space as the first of them: all of them, unless addresses are generic.
LaneMask lanes_of_one_space(const Instruction& instruction, const ExecutionContext& context, LaneMask mask);

/// Throws ExecutionError naming kernel, PTX line, block, warp, lane, address.
[[noreturn]] void fail_access(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                              DeviceAddress address, std::string_view what);

/// The state space that a generic address lies in. Constant variables are among the global ones.
inline kernel::Space space_of(DeviceAddress generic) {
  if (generic - shared_window < window_bytes) return kernel::Space::shared;
  if (generic - local_window < window_bytes) return kernel::Space::local;
  if (generic - param_window < window_bytes) return kernel::Space::param;
  return kernel::Space::global;
}

/// What is added to an address in `space` to make it generic.
constexpr DeviceAddress window_of(kernel::Space space) {
  switch (space) {
    case kernel::Space::shared:
      return shared_window;
    case kernel::Space::local:
      return local_window;
    case kernel::Space::param:
      return param_window;
    default:
      return 0;
  }
}

/// Host pointer to what lane `lane` accesses. In local memory, to its first word only: see `word_stride`.
inline std::byte* place(const ExecutionContext& context, unsigned lane) {
  const DeviceAddress address = context.access.address[lane];
  switch (context.access.space) {
    case kernel::Space::shared:
      return context.shared + address;
    case kernel::Space::local:
      return context.local + (address - context.local_address);
    case kernel::Space::param:
      return const_cast<std::byte*>(context.parameters) + address;  // resolve_addresses lets nobody write here
    default:
      return context.memory->host() + address;
  }
}

/// Copies `bytes` between a lane's memory and `value`. Local memory is interleaved by lane in words of 4 bytes,
/// so that a warp's accesses to one stack slot lie side by side.
template <bool Write, typename Value>
void transfer(std::byte* memory, Value* value, std::size_t bytes, bool interleaved) {
  auto* data = reinterpret_cast<std::byte*>(value);
  const std::size_t part = interleaved && bytes > 4 ? 4 : bytes;
  for (std::size_t done = 0; done < bytes; done += part) {
    std::byte* here = memory + (interleaved ? done / 4 * row_bytes : done);
    if constexpr (Write) {
      std::memcpy(here, data + done, part);
    } else {
      std::memcpy(data + done, here, part);
    }
  }
}

}  // namespace reconverge::lanes
