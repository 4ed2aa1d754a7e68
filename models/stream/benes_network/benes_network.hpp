// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The Benes network of a stream processor (Popa 2004, section 4.1.1): packs records as they are written to memory,
/// splits them into two banks in one clock, and restores their order as they are read.
///
///     requests <- groups of records, at most one per lane; answers with the number of clocks and the stripes

#include <memory>

#include "blocks/benes_network.hpp"
#include "models/protocols/control.hpp"
#include "models/stream/benes_network/network_unit.hpp"

namespace reconverge {

class BenesNetwork final : public sc_core::sc_module, private ControlTarget<NetworkRequest> {
 public:
  /// Throws ParameterError if `ports` is not a power of two, or if RTL is requested that was not built.
  BenesNetwork(sc_core::sc_module_name name, const BenesNetworkParameters& parameters);

  /// Groups, one after another. The answer is immediate; the initiator accounts for the clocks.
  ControlTargetSocket<NetworkRequest> requests;

  const RecordPacking& packing() const { return packing_; }
  /// Clocks from a group's last clock to its records at their ports.
  unsigned latency() const { return latency_; }
  const BenesNetworkStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(NetworkRequest& request, sc_core::sc_time& delay) override;

  RecordPacking packing_;
  unsigned latency_;
  std::unique_ptr<NetworkUnit> unit_;  // replaces the model
  BenesNetworkStatistics statistics_;
};

}  // namespace reconverge
