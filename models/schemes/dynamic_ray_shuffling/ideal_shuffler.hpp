// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Ideal shuffling (Lü et al., MICRO 2017, section 4.2, Fig. 8): the reference without a pipeline. Rdctrl is answered
/// in its cycle, all swaps that are possible happen at the end of a cycle, and no swap accesses the register file.

#include <optional>
#include <span>
#include <vector>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/protocols/ask.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_state_table.hpp"
#include "models/schemes/dynamic_ray_shuffling/row_choice.hpp"
#include "models/schemes/dynamic_ray_shuffling/warp_renaming.hpp"

namespace reconverge {

/// Has the functions of RayShuffler.
class IdealShuffler : public sc_core::sc_module {
 public:
  IdealShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                DynamicRayShufflingStatistics* statistics = nullptr);

  void begin(std::size_t warps, unsigned width = warp_size);

  std::size_t rows() const { return table_.rows(); }
  std::optional<std::size_t> row_of(std::size_t warp) { return ask(lookups_, WarpRow{warp}).row; }

  bool takes_control() const { return !answer_; }
  bool takes_report() const { return !reported_; }
  void control(std::size_t warp);
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);
  const std::optional<RayControl>& answer() const { return answer_; }
  std::optional<RegisterAccess> read() const { return std::nullopt; }
  std::optional<RegisterAccess> write() const { return std::nullopt; }
  std::span<const RaySwap> step(const RegisterGrants& grants);
  void step(const RegisterGrants& grants, RayRows& rows) {
    for (const RaySwap& swap : step(grants)) rows.exchange(swap);
  }
  bool idle() const { return quiet_; }
  bool has_answer();

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

  // For observers.
  const RayStateTable& table() const { return table_; }
  const WarpRenaming& renaming() const { return renaming_; }

 private:
  template <typename Message>
  using Socket = ControlInitiatorSocket<IdealShuffler, Message>;

  ChoiceRows look();
  /// The first row that a warp without a row may take.
  std::optional<std::size_t> first_bindable(const ChoiceRows& rows) const;
  RayControl answer_to(std::size_t warp);
  void shuffle_at_once();
  /// Applies the changes of this cycle's warps. Returns whether a warp lost its row.
  bool apply_warps();

  std::size_t backup_rows_;
  RayStateTable table_;
  WarpRenaming renaming_;
  Socket<RayReport> reports_;
  Socket<RaySwap> swaps_;
  Socket<RowRead> reads_;
  Socket<RowSummary> summaries_;
  Socket<Renaming> renamings_;
  Socket<WarpRow> lookups_;
  Socket<BoundRows> bound_rows_;

  SpecialRows special_;
  std::vector<RaySwap> completed_;
  bool quiet_ = true;      // no swap is possible before a warp changes something
  bool draining_ = false;  // no rays are left to fetch
  std::optional<RayControl> answer_;
  std::optional<Renaming> renamed_;  // both of this cycle
  std::optional<RayReport> reported_;

  DynamicRayShufflingStatistics own_statistics_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
