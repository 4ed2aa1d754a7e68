// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Spawn memory of an SM (Steffen and Zambreno, MICRO 2010, section IV-A): the states that threads pass to the threads
/// that they create, followed by the formation area.

#include <span>
#include <vector>

#include "models/protocols/divergence.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class SpawnMemory : public sc_core::sc_module, private ControlTarget<SpaceRequest> {
 public:
  ControlTargetSocket<SpaceRequest> accesses;

  explicit SpawnMemory(sc_core::sc_module_name name);

  /// Clears the memory. `device`: its address in device memory, or 0 if it is on chip. `conflicts`: each bank serves
  /// one word a cycle.
  void begin(std::uint64_t bytes, DeviceAddress device, bool conflicts);

  std::span<std::byte> bytes() { return bytes_; }
  /// The 32 bits at an address.
  std::uint32_t word(SpawnAddress address) const;
  /// Prefetches a state into the host's cache: a new thread will soon read it.
  void expect(SpawnAddress address, std::size_t bytes) const {
    const std::byte* const first = bytes_.data() + address;
    __builtin_prefetch(first);
    __builtin_prefetch(first + bytes - 1);
  }

 private:
  void b_transport(SpaceRequest& request, sc_core::sc_time& delay) override;

  std::vector<std::byte> bytes_;
  DeviceAddress device_ = 0;
  bool conflicts_ = true;
};

}  // namespace reconverge
