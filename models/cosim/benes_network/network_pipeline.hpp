// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The model of a Benes network that gives the values of its pins in each clock.

#include <deque>

#include "models/cosim/benes_network/network_values.hpp"

namespace reconverge {

class NetworkPipeline {
 public:
  NetworkPipeline(const RecordPacking& packing, unsigned register_every)
      : packing_(packing), leaving_(packing.routing().latency(register_every)) {}

  const RecordPacking& packing() const { return packing_; }
  /// Whether the current clock is the second of a request.
  bool second() const { return second_; }
  /// The records of a request. Packing sends all of them to bank 0.
  static RecordGroup group_of(const NetworkInputs& inputs);

  /// The outputs of this clock. A request that is not `ready` must be repeated in the next clock.
  NetworkOutputs look(const NetworkInputs& inputs) const;
  /// Ends the clock.
  void step(const NetworkInputs& inputs);

 private:
  /// Records at their destinations.
  struct Records {
    PortMask valid = 0;
    PortMask bank = 0;
    NetworkData data = {};
  };

  bool is_ready(const NetworkInputs& inputs) const;
  /// The records of a request that enter in this clock.
  RecordGroup entering(const NetworkInputs& inputs) const;
  Records arrivals(const NetworkInputs& inputs) const;

  RecordPacking packing_;
  bool second_ = false;
  std::deque<Records> leaving_;  // one element for each register, the next to leave first
};

}  // namespace reconverge
