// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/spawn_memory.hpp"

#include <cstring>

namespace reconverge {

SpawnMemory::SpawnMemory(sc_core::sc_module_name name) : sc_module(name), accesses("accesses") {
  accesses.bind(static_cast<ControlTarget<SpaceRequest>&>(*this));
}

void SpawnMemory::begin(std::uint64_t bytes, DeviceAddress device, bool conflicts) {
  bytes_.assign(bytes, std::byte{0});
  device_ = device;
  conflicts_ = conflicts;
}

std::uint32_t SpawnMemory::word(SpawnAddress address) const {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes_.data() + address, sizeof(word));
  return word;
}

void SpawnMemory::b_transport(SpaceRequest& request, sc_core::sc_time& /*delay*/) {
  request.conflicts = conflicts_;
  request.device = device_;
}

}  // namespace reconverge
