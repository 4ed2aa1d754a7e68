// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The whole dynamic ray shuffling block, cycle by cycle (Lü et al., MICRO 2017, section 3): its behaviour at its pins.
/// Its parts are modules, which it binds to each other and to itself. rtl/dynamic_ray_shuffling/README.md describes the
/// pipeline.
///
/// The block has one rdctrl and one report at a time. All outputs of a cycle depend only on the state at its start;
/// `step` ends the cycle.

#include <optional>
#include <span>
#include <vector>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "models/core/cycle_count.hpp"
#include "models/protocols/ask.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_state_table.hpp"
#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"
#include "models/schemes/dynamic_ray_shuffling/swap_buffers.hpp"
#include "models/schemes/dynamic_ray_shuffling/warp_renaming.hpp"

namespace reconverge {

class RayShuffler : public sc_core::sc_module {
 public:
  /// The stages of a report, and of an rdctrl; each takes a cycle, but may wait.
  enum class ReportStage : std::uint8_t { none, look_up, read, write };
  enum class ControlStage : std::uint8_t { none, look_up, look, decide, read, answer };

  /// The latencies of the RTL, which are the least.
  static constexpr Cycle least_control_latency = 5;
  static constexpr Cycle least_report_latency = 4;

  /// Counts in `statistics`, or in its own copy if null.
  RayShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
              DynamicRayShufflingStatistics* statistics = nullptr);

  /// Begins a launch; the cycles after it need an elaborated simulation. `warps`: the number of warps that run at the
  /// same time; the backup rows and two empty rows come on top. Every lane of all rows except these two holds a ray to
  /// be fetched, and warp i begins with row i. `width`: lanes of a warp. In the first cycles, one for each row, the
  /// block writes its tables and takes no requests.
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

  bool takes_control() const { return started() && control_stage_ == ControlStage::none && !asked_; }
  bool takes_report() const { return started() && report_stage_ == ReportStage::none && !reporting_; }
  /// A warp executes rdctrl, if the block takes it. A warp whose last answer was a stall has no row.
  void control(std::size_t warp);
  /// `lanes` of the warp report their states, if the block takes it. The warp must have a row.
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);
  /// The answer to the rdctrl in progress, in the cycle in which it comes.
  std::optional<RayControl> answer() const;

  /// The register file accesses that the block requests in this cycle.
  std::optional<RegisterAccess> read() const { return transfers_.read; }
  std::optional<RegisterAccess> write() const { return transfers_.write; }
  /// Ends the cycle. Returns the swaps that it completed; their rays are now in place.
  std::span<const RaySwap> step(const RegisterGrants& grants);
  /// The same, and also moves the contents of their registers.
  void step(const RegisterGrants& grants, RayRows& rows) {
    for (const RaySwap& swap : step(grants)) rows.exchange(swap);
  }

  /// Whether nothing changes until a warp executes rdctrl or reports.
  bool idle() const { return quiet_cycles_ == settled; }
  /// Whether a warp without a row that asks in this cycle can expect an answer other than a stall.
  bool has_answer() const { return started() && (next_row_ || !rays_unbound_); }

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

  // For observers.
  const RayStateTable& table() const { return table_; }
  const WarpRenaming& renaming() const { return renaming_; }
  const ShuffleControl& shuffle_control() const { return control_; }
  /// The swap in the buffers.
  const std::optional<RaySwap>& swap() const { return swap_; }
  const RegisterTransfers& transfers() const { return transfers_; }
  ReportStage report_stage() const { return report_stage_; }
  ControlStage control_stage() const { return control_stage_; }
  /// The row of the report that was accepted in this cycle or is in progress.
  std::optional<std::size_t> reported_row() const { return reporting_ ? std::optional(reporting_->row) : std::nullopt; }
  /// The warp whose rdctrl was accepted in this cycle or is in progress.
  std::optional<std::size_t> asked() const { return asked_; }
  /// The row that it looked at, in its decision.
  std::optional<std::size_t> offered_row() const { return offered_row_; }

 private:
  template <typename Message>
  using Socket = ControlInitiatorSocket<RayShuffler, Message>;

  static constexpr unsigned settled = 2;  // quiet cycles after which no register changes

  bool started() const { return starting_ == 0; }
  // Each ends the cycle of a part of the block. What others see changes only at the end of `step`.
  std::optional<Renaming> step_control(const ChoiceRows& rows, bool locks, bool reads);
  std::optional<Renaming> decide(const ChoiceRows& rows);
  void count_answer();
  void step_report();
  void step_choice(const ChoiceState& choice, const RegisterGrants& grants, bool read, bool released);
  void count_swap();
  void step_next_row(const ChoiceRows& rows, bool choice_rests);

  std::size_t backup_rows_;
  unsigned table_reads_;
  Cycle control_extra_;  // cycles more than the RTL needs
  Cycle report_extra_;
  RayStateTable table_;
  WarpRenaming renaming_;
  ShuffleControl control_;
  SwapBuffers buffers_;
  Socket<RayReport> reports_;
  Socket<RowRead> reads_;
  Socket<RowSummary> summaries_;
  Socket<Renaming> renamings_;
  Socket<WarpRow> lookups_;
  Socket<BoundRows> bound_rows_;
  Socket<ChoiceState> choice_states_;
  Socket<ChoiceCycle> choice_cycles_;
  Socket<RaySwap> swaps_;
  Socket<RegisterTransfers> register_transfers_;
  Socket<TransferGrants> grants_;

  std::size_t starting_ = 0;  // cycles until the tables are written

  // Reports.
  std::optional<RayReport> reporting_;  // accepted in this cycle or in progress
  ReportStage report_stage_ = ReportStage::none;
  Cycle report_wait_ = 0;                    // cycles before the look-up
  std::optional<RayReport> report_written_;  // in the write register of the table
  std::optional<RayReport> update_written_;
  bool draining_ = false;  // no rays are left to fetch

  // rdctrl.
  std::optional<std::size_t> asked_;  // warp
  ControlStage control_stage_ = ControlStage::none;
  Cycle control_wait_ = 0;  // cycles before the look-up
  std::optional<std::size_t> own_row_;
  bool own_full_ = false;
  bool own_rays_ = false;
  std::optional<std::size_t> offered_row_;  // the next row, when the rdctrl looked
  RayControl answer_;

  // The next row for a warp without one.
  RowSet candidates_;
  std::optional<std::size_t> next_row_;
  bool rays_unbound_ = true;  // some rays are in rows of no warp

  std::optional<RaySwap> swap_;
  RegisterTransfers transfers_;
  std::vector<RaySwap> completed_;
  unsigned quiet_cycles_ = 0;

  DynamicRayShufflingStatistics own_statistics_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
