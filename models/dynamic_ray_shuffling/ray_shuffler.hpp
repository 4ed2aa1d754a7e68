#pragma once
/// Dynamic ray shuffling as a whole, cycle by cycle (Lü et al., MICRO 2017, section 3): what the block does at its
/// pins. Its parts are modules, which it binds to each other and to itself.
///
/// Within a cycle at most one warp executes rdctrl and at most one reports states; what they get and what units begin
/// depends on how the cycle began, whatever their order. `step` ends the cycle.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/dynamic_ray_shuffling/ray_state_table.hpp"
#include "models/dynamic_ray_shuffling/shuffle_control.hpp"
#include "models/dynamic_ray_shuffling/swap_buffers.hpp"
#include "models/dynamic_ray_shuffling/warp_renaming.hpp"
#include "models/protocols/ask.hpp"

namespace reconverge {

class RayShuffler : public sc_core::sc_module {
 public:
  /// Counts in `statistics`, or for itself.
  RayShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
              DynamicRayShufflingStatistics* statistics = nullptr);

  /// Begins a launch; the cycles after it need an elaborated simulation. `warps`: that work at the same time; there are
  /// backup rows and two more. Every place but those of the two holds a ray that has to be fetched, and warp i begins
  /// with row i. `width`: lanes of a warp.
  void begin(std::size_t warps, unsigned width = warp_size);

  /// Rows beyond one for each warp.
  static std::size_t extra_rows(const DynamicRayShufflingParameters& parameters) {
    return parameters.backup_rows + empty_rows;
  }
  /// Registers, of all lanes of a row together, that these hold.
  static std::uint64_t extra_registers(const DynamicRayShufflingParameters& parameters) {
    return extra_rows(parameters) * parameters.ray_registers * warp_size;
  }

  std::size_t rows() const { return table_.rows(); }
  std::optional<std::size_t> row_of(std::size_t warp) { return ask(lookups_, WarpRow{warp}).row; }

  /// A warp at rdctrl. One that stalled has released its row.
  RayControl control(std::size_t warp);
  /// `lanes` of the warp report their states; it has a row.
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);

  /// What unit `i` wants of the register file in this cycle.
  std::optional<RegisterAccess> read(std::size_t unit) const { return units_[unit].wanted.read; }
  std::optional<RegisterAccess> write(std::size_t unit) const { return units_[unit].wanted.write; }
  /// Ends the cycle. The swaps that it completed: their rays are where they belong now.
  std::span<const RaySwap> step(const RegisterGrants& grants);
  /// The same, and moves what their registers hold.
  void step(const RegisterGrants& grants, RayRows& rows) {
    for (const RaySwap& swap : step(grants)) rows.exchange(swap);
  }

  /// Nothing changes until a warp comes.
  bool idle() const { return quiet_; }
  /// Whether a warp that has stalled would get an answer, as this cycle began.
  bool has_answer();

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

  // For who watches from outside.
  const RayStateTable& table() const { return table_; }
  const WarpRenaming& renaming() const { return renaming_; }
  /// What unit `i` is at.
  const std::optional<RaySwap>& swap(std::size_t unit) const { return units_[unit].swap; }
  /// The row that unit `i` collects in or gives away from.
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
    std::uint64_t cycles = 0;  // that it has taken
    RegisterTransfers wanted;  // in this cycle
  };
  /// The rows as the cycle began.
  struct Rows {
    RowSummary table;
    RowSet bound;

    bool rays_unbound() const { return !(table.with_rays() & ~bound).empty(); }
  };

  Rows look();
  /// The first row that a warp without one may take.
  std::optional<std::size_t> first_bindable(const Rows& rows) const;
  void shuffle_at_once();
  /// Starts the units that can; returns whether any is at work.
  bool start_units();
  /// The end of the cycle of a unit that began it with a swap.
  void end_cycle(Unit& unit, bool read_granted, bool write_granted);
  void complete(const RaySwap& swap);
  /// What the warps of this cycle change at its end. Returns whether a warp lost its row.
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
  bool quiet_ = true;                // no unit is at work, and none will be before a warp comes
  bool draining_ = false;            // there are no more rays to fetch
  std::optional<Renaming> renamed_;  // of this cycle, both
  std::optional<RayReport> reported_;

  DynamicRayShufflingStatistics own_statistics_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
