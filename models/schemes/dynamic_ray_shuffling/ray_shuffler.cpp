// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

RayShuffler::RayShuffler(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                         DynamicRayShufflingStatistics* statistics)
    : sc_module(name),
      backup_rows_(parameters.backup_rows),
      table_reads_(static_cast<unsigned>(parameters.table_reads)),
      control_extra_(parameters.control_latency - least_control_latency),
      report_extra_(parameters.report_latency - least_report_latency),
      table_("ray_state_table"),
      renaming_("warp_renaming"),
      control_("shuffle_control", parameters.choice_latency),
      buffers_("swap_buffers", parameters.swap_buffers, parameters.ray_registers),
      reports_("reports"),
      reads_("reads"),
      summaries_("summaries"),
      renamings_("renamings"),
      lookups_("lookups"),
      bound_rows_("bound_rows"),
      choice_states_("choice_states"),
      choice_cycles_("choice_cycles"),
      swaps_("swaps"),
      register_transfers_("register_transfers"),
      grants_("grants"),
      statistics_(statistics != nullptr ? *statistics : own_statistics_) {
  reports_.bind(table_.reports);
  reads_.bind(table_.reads);
  summaries_.bind(table_.summaries);
  renamings_.bind(renaming_.renamings);
  lookups_.bind(renaming_.lookups);
  bound_rows_.bind(renaming_.bound_rows);
  choice_states_.bind(control_.states);
  choice_cycles_.bind(control_.cycles);
  swaps_.bind(buffers_.swaps);
  register_transfers_.bind(buffers_.transfers);
  grants_.bind(buffers_.grants);
  control_.summaries.bind(table_.summaries);
  control_.reads.bind(table_.reads);
  control_.bound_rows.bind(renaming_.bound_rows);
}

void RayShuffler::begin(std::size_t warps, unsigned width) {
  table_.begin(warps + backup_rows_ + empty_rows, warps + backup_rows_, width);
  renaming_.begin(warps);
  control_.begin(width);
  buffers_.begin();
  starting_ = rows() + 1;
  reporting_.reset();
  report_stage_ = ReportStage::none;
  report_written_.reset();
  update_written_.reset();
  draining_ = false;
  asked_.reset();
  control_stage_ = ControlStage::none;
  candidates_ = {};
  next_row_.reset();
  rays_unbound_ = true;
  swap_.reset();
  transfers_ = {};
  quiet_cycles_ = 0;
}

void RayShuffler::report(std::size_t warp, LaneMask lanes, const RayStates& states) {
  reporting_ = {*row_of(warp), lanes, states};
}

void RayShuffler::control(std::size_t warp) {
  ++statistics_.control_reads;
  asked_ = warp;
}

std::optional<RayControl> RayShuffler::answer() const {
  if (control_stage_ != ControlStage::answer) return std::nullopt;
  return answer_;
}

std::span<const RaySwap> RayShuffler::step(const RegisterGrants& grants) {
  completed_.clear();
  if (!started()) {
    --starting_;
    return completed_;
  }
  const ChoiceState choice = ask(choice_states_, ChoiceState());
  RowSummary table;
  send(summaries_, table);
  const RowSet bound = ask(bound_rows_, BoundRows()).rows;
  const bool quiet = choice.rests && !transfers_.busy && !reporting_ && !report_written_ && !update_written_ && !asked_;
  // The read ports of the table serve reports first, then rdctrl, then the choice.
  unsigned ports = table_reads_;
  const auto granted = [&](bool reads) { return reads && ports != 0 && ports-- != 0; };
  granted(report_stage_ == ReportStage::read);
  const bool control_reads = granted(control_stage_ == ControlStage::read);
  const bool choice_reads = granted(choice.reads);
  const auto report_written = std::exchange(report_written_, std::nullopt);
  const auto update_written = std::exchange(update_written_, std::nullopt);

  const std::optional<Renaming> renamed = step_control({table, bound, choice.swapping}, choice.locks, control_reads);
  const bool released = renamed && own_row_;
  step_choice(choice, grants, choice_reads, released);
  step_next_row({table, bound, choice.swapping}, choice.rests);
  step_report();
  // Tables and bindings change together at the end of the cycle.
  if (renamed) ask(renamings_, *renamed);
  if (report_written) ask(reports_, *report_written);
  if (update_written) ask(reports_, *update_written);
  quiet_cycles_ = quiet ? std::min(quiet_cycles_ + 1, settled) : 0;
  const bool transferred = transfers_.busy && !transfers_.finished;
  send(register_transfers_, transfers_);
  // A swap counts when its transfers are done, which its accesses to registers show.
  if (transferred && transfers_.finished) count_swap();
  return completed_;
}

std::optional<Renaming> RayShuffler::step_control(const ChoiceRows& rows, bool locks, bool reads) {
  switch (control_stage_) {
    case ControlStage::none:
      if (!asked_) break;
      control_stage_ = ControlStage::look_up;
      control_wait_ = control_extra_;
      break;
    case ControlStage::look_up:
      // The warp's own report may be in progress.
      if (control_wait_ != 0 || report_stage_ != ReportStage::none) {
        if (control_wait_ != 0) --control_wait_;
        break;
      }
      own_row_ = row_of(*asked_);
      control_stage_ = ControlStage::look;
      break;
    case ControlStage::look:
      own_full_ = own_row_ && rows.table.full().holds(*own_row_);
      own_rays_ = own_row_ && rows.table.with_rays().holds(*own_row_);
      offered_row_ = next_row_;
      control_stage_ = ControlStage::decide;
      break;
    case ControlStage::decide:
      if (!locks) return decide(rows);
      break;
    case ControlStage::read:
      if (!reads) break;
      answer_.states = ask(reads_, RowRead{answer_.row}).states;
      control_stage_ = ControlStage::answer;
      break;
    case ControlStage::answer:
      count_answer();
      asked_.reset();
      control_stage_ = ControlStage::none;
      break;
  }
  return std::nullopt;
}

std::optional<Renaming> RayShuffler::decide(const ChoiceRows& rows) {
  if (own_full_) {
    answer_ = {RayControl::Answer::row, *own_row_, {}};
    control_stage_ = ControlStage::read;
    return std::nullopt;
  }
  std::optional<std::size_t> row;
  if (!own_rays_ && !rays_unbound_) {
    answer_ = {RayControl::Answer::exit, 0, {}};
    control_stage_ = ControlStage::answer;
  } else if (offered_row_ && !rows.bound.holds(*offered_row_) && !rows.swapping.holds(*offered_row_)) {
    row = offered_row_;
    answer_ = {RayControl::Answer::row, *row, {}};
    control_stage_ = ControlStage::read;
  } else {
    answer_ = {};
    control_stage_ = ControlStage::answer;
  }
  return Renaming{*asked_, row};
}

void RayShuffler::count_answer() {
  switch (answer_.answer) {
    case RayControl::Answer::stall:
      ++statistics_.stalls;
      break;
    case RayControl::Answer::exit:
      ++statistics_.exits;
      break;
    case RayControl::Answer::row:
      ++(own_row_ == answer_.row ? statistics_.kept_rows : statistics_.renamings);
      break;
  }
}

void RayShuffler::step_report() {
  switch (report_stage_) {
    case ReportStage::none:
      if (!reporting_) break;
      report_stage_ = ReportStage::look_up;
      report_wait_ = report_extra_;
      break;
    case ReportStage::look_up:
      if (report_wait_ != 0) {
        --report_wait_;
        break;
      }
      report_stage_ = ReportStage::read;
      break;
    case ReportStage::read:
      report_stage_ = ReportStage::write;
      break;
    case ReportStage::write:
      draining_ = draining_ || (reporting_->states.lanes(RayState::none) & reporting_->lanes) != 0;
      report_written_ = std::exchange(reporting_, std::nullopt);
      report_stage_ = ReportStage::none;
      break;
  }
}

void RayShuffler::step_choice(const ChoiceState& choice, const RegisterGrants& grants, bool read, bool released) {
  // The rows of a swap stay locked until the table shows it.
  const bool ends = transfers_.finished && !choice.updates;
  ChoiceCycle cycle{read, choice.offered && (!transfers_.busy || ends), released};
  if (ends) {
    completed_.push_back(*swap_);
    cycle.ended = std::exchange(swap_, std::nullopt);
  } else if (swap_ && !transfers_.finished) {
    ++statistics_.swap_cycles;
    statistics_.register_reads += grants.read ? 1 : 0;
    statistics_.register_writes += grants.write ? 1 : 0;
  }
  if (transfers_.busy) ask(grants_, TransferGrants{grants.read, grants.write, ends});
  if (cycle.taken) {
    swap_ = choice.offered;
    send(swaps_, *swap_);
  }
  send(choice_cycles_, cycle);
  update_written_ = cycle.write;
}

void RayShuffler::count_swap() {
  ++statistics_.swaps;
  statistics_.rays_moved += count_lanes(swap_->source_lanes) * (swap_->both_ways ? 2U : 1U);
}

void RayShuffler::step_next_row(const ChoiceRows& rows, bool choice_rests) {
  next_row_ = candidates_.first();
  const RowSet free = ~(rows.bound | rows.swapping);
  candidates_ = free & rows.table.full();
  // A row with empty lanes is given only if no swap is about to fill lanes. While there are rays to fetch, or warps
  // that will return rays, more swaps will come.
  if (candidates_.empty() && rows.swapping.empty() && (draining_ || (choice_rests && rows.bound.empty()))) {
    candidates_ = free & rows.table.uniform();
  }
  rays_unbound_ = !(rows.table.with_rays() & ~rows.bound).empty();
}

}  // namespace reconverge
