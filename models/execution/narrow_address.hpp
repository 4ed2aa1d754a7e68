// SPDX-License-Identifier: Apache-2.0
#pragma once
/// 32-bit addresses in registers, for modules with `.address_size 32` and for old PTX.
///
/// They form a generic space of 4 GiB: windows for parameters, shared and local memory, and device memory above. The
/// same number means the same place in every module and on every machine. There is nothing below the first window, so
/// null and pointers to functions are not addresses of data.

#include <cstdint>
#include <optional>

#include "models/execution/device_memory.hpp"
#include "models/kernel/opcode.hpp"

namespace reconverge {

inline constexpr DeviceAddress narrow_param_window = 0x0800'0000;
inline constexpr DeviceAddress narrow_shared_window = 0x1000'0000;
inline constexpr DeviceAddress narrow_local_window = 0x5000'0000;
inline constexpr DeviceAddress narrow_arena_base = 0x9000'0000;
inline constexpr DeviceAddress narrow_end = 0x1'0000'0000;

/// The 64-bit address for `narrow` in an access to `space`. A number without an address is returned unchanged; no
/// buffer contains it.
constexpr DeviceAddress widened(std::uint32_t narrow, kernel::Space space) {
  const bool generic = space == kernel::Space::generic;
  if (!generic && space != kernel::Space::global && space != kernel::Space::constant) return narrow;
  if (narrow >= narrow_arena_base) return arena_base + (narrow - narrow_arena_base);
  if (!generic || narrow < narrow_param_window) return narrow;
  if (narrow < narrow_shared_window) return param_window + (narrow - narrow_param_window);
  if (narrow < narrow_local_window) return shared_window + (narrow - narrow_shared_window);
  return local_window + (narrow - narrow_local_window);
}

/// The 32-bit address of the `bytes` at `address` in device memory. Nothing if they are beyond its first 1792 MiB.
constexpr std::optional<std::uint32_t> narrowed(DeviceAddress address, std::uint64_t bytes) {
  constexpr std::uint64_t reach = narrow_end - narrow_arena_base;
  const DeviceAddress place = address - arena_base;
  if (address < arena_base || place >= reach || bytes > reach - place) return std::nullopt;
  return static_cast<std::uint32_t>(narrow_arena_base + place);
}

}  // namespace reconverge
