#pragma once
/// Spawn memory of an SM (Steffen and Zambreno, MICRO 2010, section IV-A): the states that threads leave to those that
/// they create, and behind them the formation area.

#include <span>
#include <vector>

#include "models/dynamic_microkernel/messages.hpp"
#include "models/protocols/divergence.hpp"

namespace reconverge {

class SpawnMemory : public sc_core::sc_module, private ControlTarget<SpaceRequest> {
 public:
  ControlTargetSocket<SpaceRequest> accesses;

  explicit SpawnMemory(sc_core::sc_module_name name);

  /// Zeros. `device`: where it lies in device memory, or 0: on chip. `conflicts`: banks serve one word a cycle.
  void begin(std::uint64_t bytes, DeviceAddress device, bool conflicts);

  std::span<std::byte> bytes() { return bytes_; }
  /// The 32 bits at an address.
  std::uint32_t word(SpawnAddress address) const;
  /// Its threads will soon read what a thread left there: says so to the host.
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
