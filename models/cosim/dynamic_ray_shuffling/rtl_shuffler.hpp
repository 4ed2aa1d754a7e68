// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic ray shuffling where its model stands: it alone decides, and the words of swapped rays pass its
/// buffers. What it counts is seen at its pins.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

class RtlShuffler {
 public:
  /// As RayShuffler.
  RtlShuffler(const char* name, const DynamicRayShufflingParameters& parameters,
              DynamicRayShufflingStatistics* statistics);

  /// Throws ParameterError when there is no such RTL.
  void begin(std::size_t warps);

  std::size_t rows() const { return rows_; }
  std::optional<std::size_t> row_of(std::size_t warp) const { return row_of_[warp]; }

  RayControl control(std::size_t warp);
  void report(std::size_t warp, LaneMask lanes, const RayStates& states);
  std::optional<RegisterAccess> read(std::size_t unit) const { return outputs_->read[unit]; }
  std::optional<RegisterAccess> write(std::size_t unit) const { return outputs_->write[unit]; }
  void step(const RegisterGrants& grants, RayRows& rows);
  bool idle() const { return outputs_->idle; }
  bool has_answer() const { return outputs_->has_answer; }

 private:
  /// What the pins of a unit have shown of its swap.
  struct Swap {
    std::uint64_t cycles = 0;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    bool both_ways = false;
  };

  void move_words(std::size_t unit, RayRows& rows);
  void count(std::size_t unit);

  DynamicRayShufflingParameters parameters_;
  std::size_t rows_ = 0;
  std::unique_ptr<RayRtl> rtl_;
  twin::Probe probe_;
  const PinOutputs* outputs_ = nullptr;
  PinInputs inputs_;
  std::vector<std::optional<std::size_t>> row_of_;  // as the block has told the warps
  std::array<Swap, shuffle_units> swaps_;
  DynamicRayShufflingStatistics& statistics_;
};

}  // namespace reconverge
