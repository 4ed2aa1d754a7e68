// SPDX-License-Identifier: Apache-2.0
#include "testbenches/dynamic_ray_shuffling/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge {

namespace {

enum AnswerBin : std::size_t {
  stall_at_work,
  stall_idle,
  gives_up_row,
  keeps,
  fetch_row,
  inner_row,
  leaf_row,
  row_for_none,
  incomplete_at_end,
  incomplete_alone,
  exit_with_row,
  exit_without_row
};
constexpr std::array answer_names{"stall while a unit is at work",
                                  "stall while no unit is",
                                  "gives up a row and stalls",
                                  "keeps its row",
                                  "another row, of rays to fetch",
                                  "another row, of rays at inner nodes",
                                  "another row, of rays at leaves",
                                  "a row for a warp that had none",
                                  "a row with empty places when nothing is left to fetch",
                                  "a row with empty places when no warp has one",
                                  "exit from a row without rays",
                                  "exit without a row"};

enum ReportBin : std::size_t { stays_uniform, becomes_mixed, some_end, all_end, with_control, all_at_work };
constexpr std::array report_names{"the row stays uniform",     "the row becomes mixed", "some rays end",
                                  "no ray is left in the row", "during an rdctrl",      "while all units are at work"};

enum UnitBin : std::size_t {
  one_way,
  both_ways,
  same_special,
  new_special,
  one_choice,
  tie,
  buffers_full,
  waits_for_back,
  read_denied,
  write_denied,
  read_and_write,
  special_elsewhere
};
constexpr std::array unit_names{"moves rays one way",
                                "moves rays both ways",
                                "goes on with its special row",
                                "takes a new special row",
                                "has one other row to choose",
                                "has several, of which the first is taken",
                                "waits to read, all buffers being full",
                                "waits to write for what comes back",
                                "is denied a read for eight cycles",
                                "is denied a write for eight cycles",
                                "reads and writes in one cycle",
                                "finds its special row in another's swap"};
constexpr std::array units{"leaf unit", "fetch unit", "inner unit"};
constexpr unsigned long_denied = 8;

enum TogetherBin : std::size_t {
  two_begin,
  three_begin,
  two_end,
  three_end,
  three_at_work,
  collect_in_uniform,
  collect_in_empty,
  collect_in_mixed,
  begins_anew
};
constexpr std::array together_names{"two begin in one cycle",
                                    "three begin in one cycle",
                                    "two end in one cycle",
                                    "three end in one cycle",
                                    "three are at work",
                                    "a new special row has nothing else in it",
                                    "a new special row is empty",
                                    "a new special row has other rays, too",
                                    "a special row is given up for an empty one (departure 14)"};

bool busy(const RayShuffler& model, std::size_t unit) { return model.swap(unit).has_value(); }

RayState state_of(std::size_t unit) {
  constexpr std::array states{RayState::leaf, RayState::fetch, RayState::inner};
  return states.at(unit);
}

}  // namespace

RayCoverage::RayCoverage() {
  const auto add_all = [&](const auto& names, const std::string& about) {
    const std::size_t first = bins_.size();
    for (const char* name : names) bins_.push_back({fmt::format("{}: {}", about, name)});
    return first;
  };
  answers_ = add_all(answer_names, "rdctrl");
  reports_ = add_all(report_names, "report");
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) of_unit_[unit] = add_all(unit_names, units.at(unit));
  together_ = add_all(together_names, "units");
  counts_ = bins_.size();
  for (const char* way : {"one way", "both ways"}) {
    for (unsigned count = 1; count < warp_size; ++count) bins_.push_back({fmt::format("swap of {} {}", count, way)});
  }
}

void RayCoverage::reset() {
  units_ = {};
  rays_ended_ = false;
}

void RayCoverage::hit(const std::string& bin) {
  const auto found = std::ranges::find(bins_, bin, &Bin::name);
  if (found == bins_.end()) {
    bins_.push_back({bin, 1});
  } else {
    ++found->count;
  }
}

void RayCoverage::before(const RayShuffler& model, const std::optional<Control>& control,
                         const std::optional<Report>& report, const RegisterGrants& grants) {
  unsigned at_work = 0;
  RowSet swapping;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    const auto swap = model.swap(unit);
    if (!swap) continue;
    ++at_work;
    swapping.put(swap->source, true);
    swapping.put(swap->destination, true);
  }
  const RowSummary& table = model.table().summary();
  bound_ = model.renaming().bound();
  full_ = table.full();
  uniform_ = table.uniform();
  empty_ = ~table.with_rays();
  loose_ = ~(bound_ | swapping | full_);
  if (at_work == shuffle_units) hit(together_ + three_at_work);
  if (control) see_control(model, *control, at_work != 0);
  if (report) see_report(model, *report);
  if (report && control) hit(reports_ + with_control);
  if (report && at_work == shuffle_units) hit(reports_ + all_at_work);
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    Unit& one = units_[unit];
    one.busy = busy(model, unit);
    one.special = model.special_row(unit);
    one.choices = loose_ & table.with(state_of(unit));
    if (one.busy) see_unit(model, unit, grants);
    if (!one.busy && one.special && swapping.holds(*one.special)) hit(of_unit_[unit] + special_elsewhere);
  }
}

void RayCoverage::see_control(const RayShuffler& model, const Control& control, bool at_work) {
  const auto had = model.renaming().row_of(control.warp);
  const auto answer = control.control.answer;
  if (answer == RayControl::Answer::stall) {
    hit(answers_ + (at_work ? stall_at_work : stall_idle));
    if (had) hit(answers_ + gives_up_row);
    return;
  }
  if (answer == RayControl::Answer::exit) return hit(answers_ + (had ? exit_with_row : exit_without_row));
  const std::size_t row = control.control.row;
  if (had == row) return hit(answers_ + keeps);
  const RowSummary& table = model.table().summary();
  if (!had) hit(answers_ + row_for_none);
  if (table.with(RayState::fetch).holds(row)) hit(answers_ + fetch_row);
  if (table.with(RayState::inner).holds(row)) hit(answers_ + inner_row);
  if (table.with(RayState::leaf).holds(row)) hit(answers_ + leaf_row);
  if (!table.full().holds(row)) hit(answers_ + (rays_ended_ ? incomplete_at_end : incomplete_alone));
}

void RayCoverage::see_report(const RayShuffler& model, const Report& report) {
  const std::size_t row = *model.renaming().row_of(report.warp);
  RayStates states = model.table()[row];
  states.replace(report.lanes, report.states);
  const LaneMask ended = report.states.lanes(RayState::none) & report.lanes;
  const LaneMask left = (states.high | states.low) & model.table().rays(row);
  if (ended != 0) {
    rays_ended_ = true;
    hit(reports_ + (left == 0 ? all_end : some_end));
  }
  if (left == 0) return;
  const bool uniform = std::ranges::any_of(std::array{RayState::fetch, RayState::inner, RayState::leaf},
                                           [&](RayState state) { return (left & ~states.lanes(state)) == 0; });
  hit(reports_ + (uniform ? stays_uniform : becomes_mixed));
}

void RayCoverage::see_unit(const RayShuffler& model, std::size_t unit, const RegisterGrants& grants) {
  const std::size_t bins = of_unit_[unit];
  Unit& one = units_[unit];
  const bool reads = model.read(unit).has_value();
  const bool writes = model.write(unit).has_value();
  one.read_denied = reads && !grants.read[unit] ? one.read_denied + 1 : 0;
  one.write_denied = writes && !grants.write[unit] ? one.write_denied + 1 : 0;
  if (one.read_denied == long_denied) hit(bins + read_denied);
  if (one.write_denied == long_denied) hit(bins + write_denied);
  if (grants.read[unit] && grants.write[unit]) hit(bins + read_and_write);
  // Words are read until there is no room, except for the last ones, which another register follows.
  if (!reads && writes && model.write(unit)->ray_register == 0) hit(bins + buffers_full);
  if (reads && !writes && model.swap(unit)->both_ways && model.read(unit)->row == model.swap(unit)->destination) {
    hit(bins + waits_for_back);
  }
}

void RayCoverage::after(const RayShuffler& model, std::size_t swaps_ended) {
  if (swaps_ended == 2) hit(together_ + two_end);
  if (swaps_ended == 3) hit(together_ + three_end);
  unsigned begun = 0;
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) {
    if (units_[unit].busy || !busy(model, unit)) continue;
    ++begun;
    see_start(model, unit);
  }
  if (begun == 2) hit(together_ + two_begin);
  if (begun == 3) hit(together_ + three_begin);
}

void RayCoverage::see_start(const RayShuffler& model, std::size_t unit) {
  const std::size_t bins = of_unit_[unit];
  const RaySwap swap = *model.swap(unit);
  const Unit& one = units_[unit];
  const std::size_t special = *model.special_row(unit);
  hit(bins + (swap.both_ways ? both_ways : one_way));
  hit(counts_ + (swap.both_ways ? warp_size - 1 : 0) + count_lanes(swap.source_lanes) - 1);
  hit(bins + (one.special == special ? same_special : new_special));
  const bool ejects = unit == static_cast<std::size_t>(ShuffleUnit::eject_inner);
  const RowSet others = one.choices.without(special).without(ejects ? swap.destination : swap.source);
  hit(bins + (others.empty() ? one_choice : tie));
  if (ejects || one.special == special) return;
  hit(together_ + (empty_.holds(special)     ? collect_in_empty
                   : uniform_.holds(special) ? collect_in_uniform
                                             : collect_in_mixed));
  if (one.special && !(bound_ | full_).holds(*one.special)) hit(together_ + begins_anew);
}

std::string RayCoverage::text() const {
  std::string text;
  for (const Bin& bin : bins_) text += fmt::format("{:>12} {}\n", bin.count, bin.name);
  return text;
}

std::vector<std::string> RayCoverage::empty_bins() const {
  std::vector<std::string> names;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) names.push_back(bin.name);
  }
  return names;
}

}  // namespace reconverge
