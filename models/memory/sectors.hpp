// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The sectors of 32 bytes that a request touches.

#include <bit>
#include <tlm>

#include "models/memory/sector_tags.hpp"
#include "models/protocols/memory.hpp"

namespace reconverge {

inline unsigned bytes_of(SectorMask sectors) { return static_cast<unsigned>(std::popcount(sectors)) * sector_bytes; }

/// Counted from the address of the request; a request that names no sectors means the bytes after its address.
inline SectorMask sectors_of(const tlm::tlm_generic_payload& payload, const MemoryExtension& extension) {
  if (extension.sectors != 0) return extension.sectors;
  const unsigned count = (payload.get_data_length() + sector_bytes - 1) / sector_bytes;
  return static_cast<SectorMask>((1U << count) - 1U);
}

}  // namespace reconverge
