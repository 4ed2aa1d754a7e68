// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts the address operand of a memory instruction to checked locations in memory, one for each lane.

#include <cstring>
#include <span>

#include "models/execution/operations/lanewise.hpp"

namespace reconverge::operations {

/// Writes the address of every lane of `mask` to `context.access` and checks alignment and bounds for `bytes` per lane.
/// Lanes outside the mask get the address of a lane inside it, so that loops may run over all lanes. Generic addresses
/// are resolved: on return, `context.access.space` is the space of the lanes in the returned mask; the caller repeats
/// the call with the other lanes. Throws ExecutionError with kernel, PTX line, block, warp, lane and address.
LaneMask resolve_addresses(const Instruction& instruction, ExecutionContext& context, LaneMask mask, unsigned bytes,
                           bool write);

/// The lanes of `mask` that access the same space as the first of them: all of them, unless addresses are generic.
LaneMask lanes_of_one_space(const Instruction& instruction, const ExecutionContext& context, LaneMask mask);

/// Throws ExecutionError naming kernel, PTX line, block, warp, lane, address.
[[noreturn]] void fail_access(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                              DeviceAddress address, std::string_view what);
/// The same for an address that is not a multiple of the access's size.
[[noreturn]] void fail_alignment(const Instruction& instruction, const ExecutionContext& context, unsigned lane,
                                 DeviceAddress address, unsigned bytes);

/// The state space of a generic address. Constant variables are among the global ones.
inline kernel::Space space_of(DeviceAddress generic) {
  if (generic - shared_window < window_bytes) return kernel::Space::shared;
  if (generic - local_window < window_bytes) return kernel::Space::local;
  if (generic - param_window < window_bytes) return kernel::Space::param;
  return kernel::Space::global;
}

/// The offset between an address in `space` and the generic address.
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

/// Host pointer to the origin of the addresses of `context.access`.
inline std::byte* origin(const ExecutionContext& context) {
  switch (context.access.space) {
    case kernel::Space::shared:
      return context.shared;
    case kernel::Space::local:
      return context.local - context.local_address;
    case kernel::Space::spawn:
      return context.spawn;
    case kernel::Space::param:
      return const_cast<std::byte*>(context.parameters);  // resolve_addresses allows no writes here
    default:
      return context.memory->host();
  }
}

/// Host pointer to the memory that lane `lane` accesses. In local memory, only to its first word: see `transfer`. In
/// global memory, the SM may see different contents: see `view_of`.
inline std::byte* place(const ExecutionContext& context, unsigned lane) {
  return origin(context) + context.access.address[lane];
}

/// The SM's view of global memory, if `context.access` is there and the SM has a view of it; otherwise nullptr.
inline MemoryView* view_of(const ExecutionContext& context) {
  switch (context.access.space) {
    case kernel::Space::shared:
    case kernel::Space::local:
    case kernel::Space::spawn:
    case kernel::Space::param:
      return nullptr;
    default:
      return context.global;
  }
}

/// The same for loads: nullptr too if the view equals memory.
inline const MemoryView* differing_view_of(const ExecutionContext& context) {
  const MemoryView* const view = view_of(context);
  return view != nullptr && view->differs() ? view : nullptr;
}

/// Reads global memory at a checked address, as the SM sees it.
inline void read_global(const ExecutionContext& context, DeviceAddress address, std::span<std::byte> bytes) {
  std::memcpy(bytes.data(), context.memory->host() + address, bytes.size());
  if (context.global != nullptr && context.global->differs()) context.global->update(address, bytes);
}

/// Copies the parts of a value between a lane's memory and `value`. Local memory is interleaved by lane in words of 4
/// bytes, so that a warp's accesses to one stack slot are adjacent.
template <bool Write, bool Interleaved, typename M, std::size_t Parts>
[[gnu::always_inline]] inline void transfer(std::byte* memory, std::array<M, Parts>& value) {
  constexpr std::size_t piece = Interleaved && sizeof(M) > 4 ? 4 : sizeof(M);
  auto* data = reinterpret_cast<std::byte*>(value.data());
  for (std::size_t done = 0; done < sizeof(value); done += piece) {
    std::byte* here = memory + (Interleaved ? done / 4 * row_bytes + done % 4 : done);
    if constexpr (Write) {
      std::memcpy(here, data + done, piece);
    } else {
      std::memcpy(data + done, here, piece);
    }
  }
}

template <bool Write, typename M, std::size_t Parts>
void transfer(std::byte* memory, std::array<M, Parts>& value, bool interleaved) {
  interleaved ? transfer<Write, true>(memory, value) : transfer<Write, false>(memory, value);
}

}  // namespace reconverge::operations
