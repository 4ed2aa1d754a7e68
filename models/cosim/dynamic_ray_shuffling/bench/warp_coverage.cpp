// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/bench/warp_coverage.hpp"

#include <algorithm>
#include <array>

namespace reconverge {

namespace {

using ReportStage = RayShuffler::ReportStage;
using ControlStage = RayShuffler::ControlStage;

enum AnswerBin : std::size_t {
  stall_swapping,
  stall_at_rest,
  stall_unexpected,
  gives_up_row,
  keeps,
  fetch_row,
  inner_row,
  leaf_row,
  row_for_none,
  incomplete_at_end,
  incomplete_without_warps,
  exit_with_row,
  exit_without_row
};
constexpr std::array answer_names{"stall during a swap",
                                  "stall while no swap is possible",
                                  "stall of a warp without a row although the block expected another answer",
                                  "gives up a row and stalls",
                                  "keeps its row",
                                  "another row, of rays to fetch",
                                  "another row, of rays at inner nodes",
                                  "another row, of rays at leaves",
                                  "a row for a warp that had none",
                                  "a row with empty lanes when nothing is left to fetch",
                                  "a row with empty lanes when no warp has one",
                                  "exit from a row without rays",
                                  "exit without a row"};

enum ControlBin : std::size_t {
  waits_for_own_report,
  waits_for_other_report,
  waits_for_lock,
  waits_for_lock_of_offer,
  offer_is_locked,
  read_denied,
  at_once,
  with_report,
  control_ends_idleness
};
constexpr std::array control_names{"waits for a report of its warp",
                                   "waits for a report of another warp",
                                   "waits while a choice locks other rows",
                                   "waits while a choice locks the row that it was offered",
                                   "finds that a choice has locked the row that it was offered",
                                   "is denied the read port by a report",
                                   "comes in the first cycle after an answer",
                                   "comes with a report of another warp",
                                   "ends idleness"};

enum ReportBin : std::size_t {
  stays_uniform,
  becomes_mixed,
  some_end,
  all_end,
  some_lanes,
  same_row,
  during_swap,
  report_ends_idleness
};
constexpr std::array report_names{"the row stays uniform",
                                  "the row becomes mixed",
                                  "some rays end",
                                  "no ray is left in the row",
                                  "only some rays of the row",
                                  "the row of the last report, as soon as the block is ready",
                                  "during a swap",
                                  "ends idleness"};

/// In the order of ControlStage, from look_up on.
constexpr std::array stage_names{"looks up its row", "looks at its row", "decides", "reads states", "is answered"};

bool reads_for_report(const RayShuffler& model) { return model.report_stage() == ReportStage::read; }

}  // namespace

WarpCoverage::WarpCoverage(CoverageBins& bins)
    : bins_(bins),
      answers_(bins.add("rdctrl", answer_names)),
      controls_(bins.add("rdctrl", control_names)),
      reports_(bins.add("report", report_names)),
      stages_(bins.add("report, while an rdctrl of another warp", stage_names)) {}

void WarpCoverage::reset() {
  had_.reset();
  reported_.reset();
  rays_ended_ = took_control_ = took_report_ = false;
}

void WarpCoverage::before(const RayShuffler& model, std::optional<std::size_t> control,
                          const std::optional<Report>& report) {
  if (control) see_request(model, *control, report.has_value());
  see_stage(model);
  if (const auto answer = model.answer()) see_answer(model, *answer);
  if (report) see_report(model, *report);
  took_control_ = control || model.takes_control();
  took_report_ = report || model.takes_report();
}

void WarpCoverage::see_request(const RayShuffler& model, std::size_t warp, bool with_report_too) {
  had_ = model.renaming().row_of(warp);
  expected_ = !had_ && model.has_answer();
  bins_.hit_if(!took_control_, controls_ + at_once);
  bins_.hit_if(with_report_too, controls_ + with_report);
  bins_.hit_if(model.idle(), controls_ + control_ends_idleness);
}

void WarpCoverage::see_stage(const RayShuffler& model) {
  switch (model.control_stage()) {
    case ControlStage::look_up:
      if (model.report_stage() == ReportStage::none) break;
      bins_.hit(controls_ + (model.reported_row() == had_ ? waits_for_own_report : waits_for_other_report));
      break;
    case ControlStage::decide:
      see_decision(model);
      break;
    case ControlStage::read:
      bins_.hit_if(reads_for_report(model), controls_ + read_denied);
      break;
    default:
      break;
  }
}

void WarpCoverage::see_decision(const RayShuffler& model) {
  const ShuffleControl& control = model.shuffle_control();
  const auto offered = model.offered_row();
  if (control.stage() == ShuffleControl::Stage::lock) {
    const bool meets = offered && (offered == control.choice().source || offered == control.choice().destination);
    bins_.hit(controls_ + (meets ? waits_for_lock_of_offer : waits_for_lock));
  } else {
    bins_.hit_if(offered && control.swapping().holds(*offered), controls_ + offer_is_locked);
  }
}

void WarpCoverage::see_answer(const RayShuffler& model, const RayControl& control) {
  switch (control.answer) {
    case RayControl::Answer::stall:
      bins_.hit_if(model.swap().has_value(), answers_ + stall_swapping);
      bins_.hit_if(!model.swap() && model.shuffle_control().rests(), answers_ + stall_at_rest);
      bins_.hit_if(expected_, answers_ + stall_unexpected);
      bins_.hit_if(had_.has_value(), answers_ + gives_up_row);
      return;
    case RayControl::Answer::exit:
      bins_.hit(answers_ + (had_ ? exit_with_row : exit_without_row));
      return;
    case RayControl::Answer::row:
      if (had_ == control.row) return bins_.hit(answers_ + keeps);
      see_row(model, control.row);
      return;
  }
}

void WarpCoverage::see_row(const RayShuffler& model, std::size_t row) {
  const RowSummary& table = model.table().summary();
  bins_.hit_if(!had_, answers_ + row_for_none);
  bins_.hit_if(table.with(RayState::fetch).holds(row), answers_ + fetch_row);
  bins_.hit_if(table.with(RayState::inner).holds(row), answers_ + inner_row);
  bins_.hit_if(table.with(RayState::leaf).holds(row), answers_ + leaf_row);
  if (!table.full().holds(row)) bins_.hit(answers_ + (rays_ended_ ? incomplete_at_end : incomplete_without_warps));
}

void WarpCoverage::see_report(const RayShuffler& model, const Report& report) {
  const std::size_t row = *model.renaming().row_of(report.warp);
  see_states(model, report);
  bins_.hit_if(row == reported_ && !took_report_, reports_ + same_row);
  bins_.hit_if(model.swap().has_value(), reports_ + during_swap);
  bins_.hit_if(model.idle(), reports_ + report_ends_idleness);
  const ControlStage stage = model.control_stage();
  if (stage != ControlStage::none) bins_.hit(stages_ + static_cast<std::size_t>(stage) - 1);
  reported_ = row;
}

void WarpCoverage::see_states(const RayShuffler& model, const Report& report) {
  const std::size_t row = *model.renaming().row_of(report.warp);
  RayStates states = model.table()[row];
  states.replace(report.lanes, report.states);
  const LaneMask rays = model.table().rays(row);
  const LaneMask ended = report.states.lanes(RayState::none) & report.lanes;
  const LaneMask left = (states.high | states.low) & rays;
  bins_.hit_if((rays & ~report.lanes) != 0, reports_ + some_lanes);
  if (ended != 0) {
    rays_ended_ = true;
    bins_.hit(reports_ + (left == 0 ? all_end : some_end));
  }
  if (left == 0) return;
  const bool uniform = std::ranges::any_of(std::array{RayState::fetch, RayState::inner, RayState::leaf},
                                           [&](RayState state) { return (left & ~states.lanes(state)) == 0; });
  bins_.hit(reports_ + (uniform ? stays_uniform : becomes_mixed));
}

}  // namespace reconverge
