// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of the swaps of dynamic ray shuffling: their choice, their transfers, and what each waits for.

#include <array>
#include <optional>

#include "models/cosim/dynamic_ray_shuffling/bench/coverage_bins.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

class SwapCoverage {
 public:
  explicit SwapCoverage(CoverageBins& bins);

  /// Another block begins.
  void reset();
  /// Before the end of each cycle, and after it.
  void before(const RayShuffler& model, const RegisterGrants& grants);
  void after(const RayShuffler& model, bool swap_ended);

 private:
  /// The rows at the start of the cycle in which a choice samples them.
  struct Sample {
    std::optional<std::size_t> special;  // of the unit
    RowSet eligible;                     // rows with rays of its state that it may take them from
    RowSet uniform, empty, bound, full, swapping;
  };

  void sample(const RayShuffler& model);
  void see_choice(const RayShuffler& model);
  void see_sample();
  void see_lock(const RayShuffler& model);
  void see_table_port(const RayShuffler& model);
  void see_transfers(const RayShuffler& model, const RegisterGrants& grants);
  void see_taken(const RayShuffler& model, const RowSet& taken);
  void see_changes(const RayShuffler& model, bool swap_ended);
  void see_match(const RaySwap& swap, std::size_t unit);

  CoverageBins& bins_;
  // The first bins of groups of bins.
  std::array<std::size_t, shuffle_units> of_unit_;
  std::size_t choices_, swaps_, one_way_counts_, both_ways_counts_;

  // At the start of the cycle.
  ShuffleControl::Stage stage_ = ShuffleControl::Stage::sample;
  std::size_t unit_ = 0;
  bool busy_ = false;
  bool rests_ = false;
  RowSet bound_;
  Sample sample_;  // of the choice in progress

  unsigned read_denied_ = 0;  // consecutive cycles
  unsigned write_denied_ = 0;
};

}  // namespace reconverge
