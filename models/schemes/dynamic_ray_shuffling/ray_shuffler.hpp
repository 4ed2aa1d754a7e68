// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The whole dynamic ray shuffling block, cycle by cycle (Lü et al., MICRO 2017, section 3): its behaviour at its pins.
/// Its parts are modules, which it binds to each other and to itself.
///
/// In a cycle, at most one warp executes rdctrl and at most one reports states. The answers, and the swaps that units
/// begin, depend only on the state at the start of the cycle, not on the order of the calls. `step` ends the cycle.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/protocols/ask.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_state_table.hpp"
#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"
#include "models/schemes/dynamic_ray_shuffling/swap_buffers.hpp"
#include "models/schemes/dynamic_ray_shuffling/warp_renaming.hpp"

namespace reconverge {

class RayShuffler : public sc_core::sc_module {
 public:
  /// Counts in `statistics`, or in its own copy if null.
  RayShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
              DynamicRayShufflingStatistics* statistics = nullptr);

  /// Begins a launch; the cycles after it need an elaborated simulation. `warps`: the number of warps that run at the
  /// same time; the backup rows and two empty rows come on top. Every lane of all rows except these two holds a ray to
  /// be fetched, and warp i begins with row i. `width`: lanes of a warp.
  void begin(std::size_t warps, unsigned width = warp_size);

  /// Rows in addition to one for each warp.
  static std::size_t extra_rows(const DynamicRayShufflingParameters& parameters) {
    return parameters.backup_rows + empty_rows;
  }
  /// Registers that these rows take, each counted for all lanes of a row.
  static std::uint64_t extra_registers(const DynamicRayShufflingParameters& parameters) {
    return extra_rows(parameters) * parameters.ray_registers * warp_size;
  }

  std::size_t rows() const { return table_.rows(); }
  std::optional<std::size_t> row_of(std::size_t warp) { return ask(lookups_, WarpRow{warp}).row; }

  /// A warp executes rdctrl. A warp that stalled has released its row.
  RayControl control(std::size_t warp);
  /// `lanes` of the warp report their states. The warp must have a row.
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);

  /// The register file accesses that unit `i` requests in this cycle.
  std::optional<RegisterAccess> read(std::size_t unit) const { return units_[unit].wanted.read; }
  std::optional<RegisterAccess> write(std::size_t unit) const { return units_[unit].wanted.write; }
  /// Ends the cycle. Returns the swaps that it completed; their rays are now in place.
  std::span<const RaySwap> step(const RegisterGrants& grants);
  /// The same, and also moves the contents of their registers.
  void step(const RegisterGrants& grants, RayRows& rows) {
    for (const RaySwap& swap : step(grants)) rows.exchange(swap);
  }

  /// Whether nothing changes until a warp executes rdctrl or reports.
  bool idle() const { return quiet_; }
  /// Whether a stalled warp would get an answer, by the state at the start of this cycle.
  bool has_answer();

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

  // For observers.
  const RayStateTable& table() const { return table_; }
  const WarpRenaming& renaming() const { return renaming_; }
  /// The current swap of unit `i`.
  const std::optional<RaySwap>& swap(std::size_t unit) const { return units_[unit].swap; }
  /// The row in which unit `i` collects rays, or from which it ejects them.
  std::optional<std::size_t> special_row(std::size_t unit) const {
    return control_.special_row(static_cast<ShuffleUnit>(unit));
  }

 private:
  template <typename Message>
  using Socket = ControlInitiatorSocket<RayShuffler, Message>;

  /// An entry of the swapping-request table, with its swap buffers.
  struct Unit {
    Unit(const char* name, const DynamicRayShufflingParameters& parameters);
    void begin();

    SwapBuffers buffers;
    Socket<RaySwap> swaps;
    Socket<RegisterTransfers> transfers;
    Socket<TransferGrants> grants;

    std::optional<RaySwap> swap;
    std::uint64_t cycles = 0;  // cycles that the swap has taken
    RegisterTransfers wanted;  // accesses requested in this cycle
  };
  /// The rows at the start of the cycle.
  struct Rows {
    RowSummary table;
    RowSet bound;

    bool rays_unbound() const { return !(table.with_rays() & ~bound).empty(); }
  };

  Rows look();
  /// The first row that a warp without a row may take.
  std::optional<std::size_t> first_bindable(const Rows& rows) const;
  void shuffle_at_once();
  /// Starts the units that can start; returns whether any unit is active.
  bool start_units();
  /// Ends the cycle of a unit that began it with a swap.
  void end_cycle(Unit& unit, bool read_granted, bool write_granted);
  void complete(const RaySwap& swap);
  /// Applies the changes of this cycle's warps. Returns whether a warp lost its row.
  bool apply_warps();

  bool ideal_;
  std::size_t backup_rows_;
  RayStateTable table_;
  WarpRenaming renaming_;
  ShuffleControl control_;
  std::array<Unit, shuffle_units> units_;
  Socket<RayReport> reports_;
  Socket<RaySwap> swaps_;
  Socket<RowRead> reads_;
  Socket<RowSummary> summaries_;
  Socket<Renaming> renamings_;
  Socket<WarpRow> lookups_;
  Socket<BoundRows> bound_rows_;
  Socket<SwapChoice> choices_;

  RowSet swapping_;  // rows that units work on
  std::vector<RaySwap> completed_;
  bool quiet_ = true;                // no unit is active, and none will be before a warp changes something
  bool draining_ = false;            // no rays are left to fetch
  std::optional<Renaming> renamed_;  // both of this cycle
  std::optional<RayReport> reported_;

  DynamicRayShufflingStatistics own_statistics_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
