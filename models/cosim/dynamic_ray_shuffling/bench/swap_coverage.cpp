// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_ray_shuffling/bench/swap_coverage.hpp"

#include <string>
#include <vector>

namespace reconverge {

namespace {

using Stage = ShuffleControl::Stage;

enum UnitBin : std::size_t {
  one_way,
  both_ways,
  same_special,
  new_special,
  one_row,
  several_rows,
  special_swaps,
  no_swap,
  no_swap_but_changes
};
constexpr std::array unit_names{"moves rays one way",
                                "moves rays both ways",
                                "goes on with its special row",
                                "takes a new special row",
                                "has one other row to choose",
                                "has several, of which the first is taken",
                                "finds its special row in another's swap",
                                "finds no swap",
                                "finds no swap, but rows have changed meanwhile"};
constexpr std::array units{"leaf unit", "fetch unit", "inner unit"};

enum ChoiceBin : std::size_t {
  collect_in_uniform,
  collect_in_empty,
  collect_in_mixed,
  begins_anew,
  waits_for_buffers,
  waits_for_update,
  denied_by_control,
  denied_by_report,
  update_denied_by_control,
  update_denied_by_report,
  sampled_row_taken,
  weighed_row_taken,
  first_row_taken,
  second_row_taken,
  lock_fails,
  warp_takes_row,
  warp_releases_row,
  swap_ends_meanwhile,
  release_ends_rest,
  swap_ends_rest
};
constexpr std::array choice_names{"a new special row has nothing else in it",
                                  "a new special row is empty",
                                  "a new special row has other rays, too",
                                  "a special row is given up for an empty one (departure 14)",
                                  "waits with its reads until the buffers take the last swap",
                                  "waits with its reads until the table shows the last swap",
                                  "is denied the read port by an rdctrl",
                                  "is denied the read port by a report",
                                  "an update is denied the read port by an rdctrl",
                                  "an update is denied the read port by a report",
                                  "a warp takes a row of the choice in the cycle of the sample",
                                  "a warp takes a row of the choice in the weighing",
                                  "a warp takes a row of the choice during the selection of the first",
                                  "a warp takes a row of the choice during the selection of the second",
                                  "the lock finds that a warp took a row of the choice",
                                  "a warp takes another row between sample and lock",
                                  "a warp releases a row between sample and lock",
                                  "a swap ends between sample and lock",
                                  "rests until a warp releases a row",
                                  "rests until a swap ends"};

enum SwapBin : std::size_t {
  buffers_full,
  waits_for_back,
  read_denied,
  write_denied,
  read_and_write,
  begins_idle,
  begins_at_end,
  end_waits
};
constexpr std::array swap_names{"waits to read, all buffers being full",
                                "waits to write for what comes back",
                                "is denied a read for eight cycles",
                                "is denied a write for eight cycles",
                                "reads and writes in one cycle",
                                "begins in buffers without a swap",
                                "begins in the cycle in which the last one ends",
                                "has all transfers, and waits until the table shows the next"};
constexpr unsigned long_denied = 8;

std::size_t unit_of(const RayShuffler& model) { return static_cast<std::size_t>(model.shuffle_control().unit()); }

std::size_t add_counts(CoverageBins& bins, const char* about) {
  std::vector<std::string> names;
  for (unsigned count = 1; count < warp_size; ++count) names.push_back(std::to_string(count));
  std::vector<const char*> texts;
  for (const std::string& name : names) texts.push_back(name.c_str());
  return bins.add(about, texts);
}

}  // namespace

SwapCoverage::SwapCoverage(CoverageBins& bins) : bins_(bins) {
  for (std::size_t unit = 0; unit < shuffle_units; ++unit) of_unit_.at(unit) = bins.add(units.at(unit), unit_names);
  choices_ = bins.add("choice", choice_names);
  swaps_ = bins.add("swap", swap_names);
  one_way_counts_ = add_counts(bins, "rays of a swap one way");
  both_ways_counts_ = add_counts(bins, "rays of a swap both ways");
}

void SwapCoverage::reset() {
  sample_ = {};
  read_denied_ = write_denied_ = 0;
}

void SwapCoverage::before(const RayShuffler& model, const RegisterGrants& grants) {
  stage_ = model.shuffle_control().stage();
  unit_ = unit_of(model);
  busy_ = model.swap().has_value();
  rests_ = model.shuffle_control().rests();
  bound_ = model.renaming().bound();
  if (stage_ == Stage::sample) sample(model);
  see_choice(model);
  see_table_port(model);
  if (busy_) see_transfers(model, grants);
}

void SwapCoverage::sample(const RayShuffler& model) {
  const ShuffleControl& control = model.shuffle_control();
  const RowSummary& table = model.table().summary();
  sample_.special = control.special_row(control.unit());
  sample_.uniform = table.uniform();
  sample_.empty = ~table.with_rays();
  sample_.bound = bound_;
  sample_.full = table.full();
  sample_.swapping = control.swapping();
  sample_.eligible = ~(sample_.bound | sample_.full | sample_.swapping) & table.with(state_of(control.unit()));
  if (control.unit() != ShuffleUnit::eject_inner) return;
  for (const ShuffleUnit other : {ShuffleUnit::collect_leaf, ShuffleUnit::collect_fetch}) {
    sample_.eligible = sample_.eligible.without(control.special_row(other));
  }
}

void SwapCoverage::see_choice(const RayShuffler& model) {
  const ShuffleControl& control = model.shuffle_control();
  if (stage_ == Stage::second_row && !control.choice().source) {
    bins_.hit(of_unit_[unit_] + (control.stale() ? no_swap_but_changes : no_swap));
  }
  if (stage_ == Stage::lock) see_lock(model);
  if (stage_ != Stage::read_first) return;
  if (control.offered() != nullptr) {
    bins_.hit(choices_ + waits_for_buffers);
  } else {
    bins_.hit_if(control.updates(), choices_ + waits_for_update);
  }
}

void SwapCoverage::see_lock(const RayShuffler& model) {
  const ShuffleControl& control = model.shuffle_control();
  const RowChoice& choice = control.choice();
  if (bound_.holds(*choice.source) || bound_.holds(*choice.destination)) return bins_.hit(choices_ + lock_fails);
  const bool ejects = control.unit() == ShuffleUnit::eject_inner;
  const std::size_t bins = of_unit_[unit_];
  const bool same = sample_.special == choice.special;
  bins_.hit(bins + (same ? same_special : new_special));
  const RowSet others = sample_.eligible.without(choice.source).without(choice.destination);
  bins_.hit(bins + (others.empty() ? one_row : several_rows));
  if (ejects || same) return;
  bins_.hit(choices_ + (sample_.empty.holds(*choice.special)     ? collect_in_empty
                        : sample_.uniform.holds(*choice.special) ? collect_in_uniform
                                                                 : collect_in_mixed));
  bins_.hit_if(sample_.special && !(sample_.bound | sample_.full).holds(*sample_.special), choices_ + begins_anew);
}

void SwapCoverage::see_table_port(const RayShuffler& model) {
  if (!model.shuffle_control().reads_table()) return;
  const bool updates = model.shuffle_control().updates();
  if (model.report_stage() == RayShuffler::ReportStage::read) {
    bins_.hit(choices_ + (updates ? update_denied_by_report : denied_by_report));
  } else if (model.control_stage() == RayShuffler::ControlStage::read) {
    bins_.hit(choices_ + (updates ? update_denied_by_control : denied_by_control));
  }
}

void SwapCoverage::see_transfers(const RayShuffler& model, const RegisterGrants& grants) {
  const auto& [read, write, busy, finished] = model.transfers();
  read_denied_ = read && !grants.read ? read_denied_ + 1 : 0;
  write_denied_ = write && !grants.write ? write_denied_ + 1 : 0;
  bins_.hit_if(read_denied_ == long_denied, swaps_ + read_denied);
  bins_.hit_if(write_denied_ == long_denied, swaps_ + write_denied);
  bins_.hit_if(grants.read && grants.write, swaps_ + read_and_write);
  // Words are read until there is no room, except for the last ones, which another register follows.
  bins_.hit_if(!read && write && write->ray_register == 0, swaps_ + buffers_full);
  bins_.hit_if(read && !write && model.swap()->both_ways && read->row == model.swap()->destination,
               swaps_ + waits_for_back);
  bins_.hit_if(finished && model.shuffle_control().updates(), swaps_ + end_waits);
}

void SwapCoverage::after(const RayShuffler& model, bool swap_ended) {
  see_changes(model, swap_ended);
  if (stage_ == Stage::sample && model.shuffle_control().stage() == Stage::weigh) see_sample();
  if (stage_ == Stage::match) see_match(*model.shuffle_control().offered(), unit_);
  const bool begins = model.swap() && (swap_ended || !busy_);
  if (begins) bins_.hit(swaps_ + (swap_ended ? begins_at_end : begins_idle));
}

void SwapCoverage::see_sample() {
  const auto special = sample_.special;
  const bool held = special && !(sample_.bound | sample_.full).holds(*special);
  bins_.hit_if(held && sample_.swapping.holds(*special), of_unit_[unit_] + special_swaps);
}

void SwapCoverage::see_match(const RaySwap& swap, std::size_t unit) {
  bins_.hit(of_unit_[unit] + (swap.both_ways ? both_ways : one_way));
  bins_.hit((swap.both_ways ? both_ways_counts_ : one_way_counts_) + count_lanes(swap.source_lanes) - 1);
}

void SwapCoverage::see_taken(const RayShuffler& model, const RowSet& taken) {
  if (taken.empty() || stage_ > Stage::second_row) return;
  if (stage_ == Stage::sample && model.shuffle_control().stage() != Stage::weigh) return;
  const RowChoice& choice = model.shuffle_control().choice();
  const bool meets = choice.source && (taken.holds(*choice.source) || taken.holds(*choice.destination));
  bins_.hit(choices_ + (meets ? sampled_row_taken + static_cast<std::size_t>(stage_) : warp_takes_row));
}

void SwapCoverage::see_changes(const RayShuffler& model, bool swap_ended) {
  const RowSet now = model.renaming().bound();
  const bool releases = !(bound_ & ~now).empty();
  const bool selects = stage_ == Stage::weigh || stage_ == Stage::first_row || stage_ == Stage::second_row;
  see_taken(model, now & ~bound_);
  bins_.hit_if(selects && releases, choices_ + warp_releases_row);
  bins_.hit_if(selects && swap_ended, choices_ + swap_ends_meanwhile);
  bins_.hit_if(rests_ && releases, choices_ + release_ends_rest);
  bins_.hit_if(rests_ && swap_ended, choices_ + swap_ends_rest);
}

}  // namespace reconverge
