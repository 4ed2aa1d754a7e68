#pragma once
/// The Benes network of a stream processor (Popa 2004, section 4.1.1): packs records as they are written to memory,
/// splits them to two banks in one clock, and puts them back in order as they are read.
///
///     requests <- groups of records, one a lane at most: in how many clocks, to which stripes

#include <memory>

#include "blocks/benes_network.hpp"
#include "models/protocols/control.hpp"
#include "models/stream/benes_network/network_unit.hpp"

namespace reconverge {

class BenesNetwork final : public sc_core::sc_module, private ControlTarget<NetworkRequest> {
 public:
  /// Throws ParameterError when `ports` is no power of two, or the RTL that is asked for was not built.
  BenesNetwork(sc_core::sc_module_name name, const BenesNetworkParameters& parameters);

  /// Groups one after the other. The answer comes at once; whoever asks lets the clocks pass.
  ControlTargetSocket<NetworkRequest> requests;

  const RecordPacking& packing() const { return packing_; }
  /// Clocks from a group's last clock to its records at their ports.
  unsigned latency() const { return latency_; }
  const BenesNetworkStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(NetworkRequest& request, sc_core::sc_time& delay) override;

  RecordPacking packing_;
  unsigned latency_;
  std::unique_ptr<NetworkUnit> unit_;  // in the model's place
  BenesNetworkStatistics statistics_;
};

}  // namespace reconverge
