// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/shuffle_control.hpp"

#include <bit>

#include "models/protocols/ask.hpp"

namespace reconverge {

ShuffleControl::ShuffleControl(sc_core::sc_module_name name, Cycle latency)
    : sc_module(name),
      states("states"),
      cycles("cycles"),
      summaries("summaries"),
      reads("reads"),
      bound_rows("bound_rows"),
      extra_(latency - least_latency) {
  states.bind(*this);
  cycles.bind(*this);
}

void ShuffleControl::begin(unsigned width) {
  pack_steps_ = static_cast<Cycle>(std::bit_width(width - 1)) + extra_;
  special_ = {};
  swapping_ = {};
  stage_ = Stage::sample;
  unit_ = 0;
  failed_ = 0;
  stale_ = false;
  chosen_.reset();
  offered_ = false;
  update_ = Update::none;
}

bool ShuffleControl::rests() const {
  return stage_ == Stage::sample && failed_ == shuffle_units && !offered_ && update_ == Update::none;
}

bool ShuffleControl::reads_table() const {
  return update_ == Update::read_destination || update_ == Update::read_source || stage_ == Stage::read_second ||
         (stage_ == Stage::read_first && may_read_first());
}

void ShuffleControl::b_transport(ChoiceState& state, sc_core::sc_time& /*delay*/) {
  state.swapping = swapping_;
  state.locks = stage_ == Stage::lock;
  state.reads = reads_table();
  state.offered.reset();
  if (offered_) state.offered = chosen_;
  state.rests = rests();
  state.updates = update_ != Update::none;
}

void ShuffleControl::b_transport(ChoiceCycle& cycle, sc_core::sc_time& /*delay*/) {
  // What this cycle decides depends on the state at its start.
  const bool changed = cycle.released || cycle.ended.has_value();
  update(cycle);
  choose(cycle.read);
  if (cycle.taken) offered_ = false;
  if (cycle.ended) {
    swapping_.put(cycle.ended->source, false);
    swapping_.put(cycle.ended->destination, false);
  }
  if (changed) {
    failed_ = 0;
    stale_ = true;
  }
}

void ShuffleControl::choose(bool read) {
  switch (stage_) {
    case Stage::sample:
      if (failed_ != shuffle_units) sample();
      break;
    case Stage::second_row:
      if (choice_.source) {
        stage_ = Stage::lock;
      } else {
        special_[unit_] = choice_.special;
        end_without_swap(stale_);
      }
      break;
    case Stage::lock:
      lock();
      break;
    case Stage::read_first:
      if (read && may_read_first()) stage_ = Stage::take_first;
      break;
    case Stage::read_second:
      if (read) stage_ = Stage::take_second;
      break;
    case Stage::take_second:
      step_ = 0;
      stage_ = Stage::pack;
      break;
    case Stage::pack:
      if (++step_ == pack_steps_) stage_ = Stage::match;
      break;
    case Stage::match: {
      const RowRead destination = ask(reads, RowRead{*choice_.destination});
      moved_ = state_of(static_cast<ShuffleUnit>(unit_));
      chosen_ = swap_of(ask(reads, RowRead{*choice_.source}), destination, moved_);
      back_ = moved_back(*chosen_, destination.states);
      offered_ = true;
      update_ = Update::read_destination;
      stage_ = Stage::sample;
      unit_ = (unit_ + 1) % shuffle_units;
      break;
    }
    case Stage::weigh:
    case Stage::first_row:
    case Stage::take_first:
      stage_ = static_cast<Stage>(static_cast<unsigned>(stage_) + 1);
      break;
  }
}

void ShuffleControl::sample() {
  ChoiceRows rows;
  send(summaries, rows.table);
  rows.bound = ask(bound_rows, BoundRows()).rows;
  rows.swapping = swapping_;
  choice_ = choose_rows(static_cast<ShuffleUnit>(unit_), rows, special_);
  stale_ = false;
  stage_ = Stage::weigh;
}

void ShuffleControl::end_without_swap(bool stale) {
  failed_ = stale ? 0 : failed_ + 1;
  unit_ = (unit_ + 1) % shuffle_units;
  stage_ = Stage::sample;
}

void ShuffleControl::lock() {
  const RowSet bound = ask(bound_rows, BoundRows()).rows;
  // A warp can take a uniform row between the sample and here.
  if (bound.holds(*choice_.source) || bound.holds(*choice_.destination)) return end_without_swap(true);
  special_[unit_] = choice_.special;
  swapping_.put(*choice_.source, true);
  swapping_.put(*choice_.destination, true);
  failed_ = 0;
  stage_ = Stage::read_first;
}

void ShuffleControl::update(ChoiceCycle& cycle) {
  switch (update_) {
    case Update::none:
      break;
    case Update::read_destination:
    case Update::read_source:
      if (!cycle.read) break;
      update_ = static_cast<Update>(static_cast<unsigned>(update_) + 1);
      break;
    case Update::write_destination:
      cycle.write = {chosen_->destination, chosen_->destination_lanes, uniform_row(moved_)};
      update_ = Update::read_source;
      break;
    case Update::write_source:
      cycle.write = {chosen_->source, chosen_->source_lanes, back_};
      update_ = Update::none;
      break;
  }
}

}  // namespace reconverge
