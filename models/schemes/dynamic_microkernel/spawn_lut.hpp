// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The spawn look-up table (Steffen and Zambreno, MICRO 2010, section IV-C, Fig. 5): for each micro-kernel, the warp
/// that its new threads form. Fully associative on the micro-kernel's address.

#include <optional>
#include <vector>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class SpawnLut : public sc_core::sc_module, private ControlTarget<SpawnLookup>, private ControlTarget<PartialWarp> {
 public:
  ControlTargetSocket<SpawnLookup> lookups;
  ControlTargetSocket<PartialWarp> partial_warps;
  ControlInitiatorSocket<SpawnLut, FormationRegion> regions;

  /// A line: two memory addresses and a counter.
  struct Line {
    static constexpr SpawnAddress none = ~SpawnAddress{0};

    kernel::Pc pc = kernel::no_pc;
    SpawnAddress first = none;   ///< the next entry of the warp that is being formed
    SpawnAddress second = none;  ///< the first entry of the next warp
    std::uint32_t count = 0;     ///< threads in the warp
    bool operator==(const Line&) const = default;
  };

  SpawnLut(sc_core::sc_module_name name, std::size_t lines);

  /// Empties the table.
  void begin();

  // For observers.
  const std::vector<Line>& lines() const { return lines_; }
  /// The partial warp that would leave next.
  std::optional<NewWarp> lowest_partial() const;
  bool has_partial() const { return partial_ != 0; }
  /// Threads in incomplete warps.
  std::uint32_t partial_threads() const;

 private:
  void b_transport(SpawnLookup& lookup, sc_core::sc_time& delay) override;
  void b_transport(PartialWarp& partial, sc_core::sc_time& delay) override;
  Line* find(kernel::Pc pc);
  /// The line with a partial warp that has the lowest address; null if there is none.
  const Line* lowest() const;

  std::vector<Line> lines_;
  std::size_t partial_ = 0;  // lines with threads
};

}  // namespace reconverge
