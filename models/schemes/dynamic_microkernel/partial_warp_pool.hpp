// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The partial warp pool (Steffen and Zambreno, MICRO 2010, section IV-A.2): the formation area of spawn memory, where
/// new threads wait until their warp is complete. The area is allocated in regions with the entries of one warp; a
/// register holds the next free region.

#include <boost/dynamic_bitset.hpp>
#include <optional>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class PartialWarpPool : public sc_core::sc_module, private ControlTarget<FormationRegion> {
 public:
  ControlTargetSocket<FormationRegion> regions;

  /// Number of entries of the formation area by the paper's formula: twice the number of threads that can be active, so
  /// that no new thread gets an entry that is still being read.
  static constexpr std::uint64_t entries(std::uint64_t threads, std::uint64_t spawn_locations) {
    return spawn_locations == 0 ? 0 : 2 * (threads + (spawn_locations - 1) * warp_size);
  }

  explicit PartialWarpPool(sc_core::sc_module_name name);

  /// Begins a launch whose area starts at `first` and has `entries` entries, a multiple of warp_size.
  void begin(SpawnAddress first, std::uint64_t entries);

  // For observers.
  std::size_t taken() const;
  std::size_t parts() const { return free_.size(); }
  std::size_t next() const { return next_; }

 private:
  using Parts = boost::dynamic_bitset<>;
  static constexpr SpawnAddress region_bytes = warp_size * formation_entry_bytes;

  void b_transport(FormationRegion& region, sc_core::sc_time& delay) override;
  /// The first free region at or after `from`, with wrap-around.
  std::optional<std::size_t> find(std::size_t from) const;
  SpawnAddress address_of(std::size_t part) const { return first_ + static_cast<SpawnAddress>(part) * region_bytes; }

  SpawnAddress first_ = 0;
  Parts free_;
  std::size_t next_ = 0;  // the register: the region at which the search starts
};

}  // namespace reconverge
