// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The model of a Benes network, clock by clock at its pins.

#include <deque>

#include "models/cosim/benes_network/network_values.hpp"

namespace reconverge {

class NetworkPipeline {
 public:
  NetworkPipeline(const RecordPacking& packing, unsigned register_every)
      : packing_(packing), leaving_(packing.routing().latency(register_every)) {}

  const RecordPacking& packing() const { return packing_; }
  /// Whether this is the second clock of a request.
  bool second() const { return second_; }
  /// The records of a request; if it packs, all of them go to bank 0.
  static RecordGroup group_of(const NetworkInputs& inputs);

  /// The outputs of this clock. A request without `ready` must be repeated in the next clock.
  NetworkOutputs look(const NetworkInputs& inputs) const;
  /// Ends the clock.
  void step(const NetworkInputs& inputs);

 private:
  /// Records at their destinations, or none.
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
  std::deque<Records> leaving_;  // one entry a register, the next to leave first
};

}  // namespace reconverge
