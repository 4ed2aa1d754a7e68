// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic ray shuffling in place of its model: the RTL makes all decisions, and the words of swapped rays
/// pass through its buffers. The statistics are counted at its pins.

#include <memory>
#include <optional>
#include <vector>

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

/// Has the functions of RayShuffler.
class RtlShuffler {
 public:
  RtlShuffler(const char* name, const DynamicRayShufflingParameters& parameters,
              DynamicRayShufflingStatistics* statistics);

  /// Throws ParameterError if no such RTL was built.
  void begin(std::size_t warps);

  std::size_t rows() const { return rows_; }
  std::optional<std::size_t> row_of(std::size_t warp) const { return row_of_[warp]; }

  bool takes_control() const { return outputs_->control_ready && !inputs_.control_valid; }
  bool takes_report() const { return outputs_->report_ready && !inputs_.report_valid; }
  void control(std::size_t warp);
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);
  std::optional<RayControl> answer() const;
  std::optional<RegisterAccess> read() const { return outputs_->read; }
  std::optional<RegisterAccess> write() const { return outputs_->write; }
  void step(const RegisterGrants& grants, RayRows& rows);
  bool idle() const { return outputs_->idle; }
  bool has_answer() const { return outputs_->has_answer; }

 private:
  /// The current swap, as observed at the pins.
  struct Swap {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    bool both_ways = false;
  };

  void take_answer();
  void move_words(RayRows& rows);
  void count_swap();

  DynamicRayShufflingParameters parameters_;
  std::size_t rows_ = 0;
  std::unique_ptr<RayRtl> rtl_;
  twin::Probe probe_;
  const PinOutputs* outputs_ = nullptr;
  PinInputs inputs_;
  std::vector<std::optional<std::size_t>> row_of_;  // by warp, from the block's answers
  std::size_t asked_ = 0;                           // warp of the last rdctrl
  Swap swap_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
