// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/benes_network.hpp"

#include "models/core/error.hpp"
#include "models/stream/benes_network/twin.hpp"

namespace reconverge {

namespace {

RecordPacking packing_for(const BenesNetworkParameters& parameters) {
  return about_parameter("stream_processor.network.ports",
                         [&] { return RecordPacking(BenesRouting(parameters.ports)); });
}

/// Null if the model is used.
std::unique_ptr<NetworkUnit> unit_for(const RecordPacking& packing, const BenesNetworkParameters& parameters) {
  const auto register_every = static_cast<unsigned>(parameters.register_every);
  switch (parameters.implementation) {
    case BenesNetworkImplementation::rtl:
      return make_network_twin(packing, register_every, NetworkTwin::rtl);
    case BenesNetworkImplementation::lockstep:
      return make_network_twin(packing, register_every, NetworkTwin::lockstep);
    case BenesNetworkImplementation::model:
      break;
  }
  return nullptr;
}

}  // namespace

BenesNetwork::BenesNetwork(sc_core::sc_module_name name, const BenesNetworkParameters& parameters)
    : sc_module(name),
      requests("requests"),
      packing_(packing_for(parameters)),
      latency_(packing_.routing().latency(static_cast<unsigned>(parameters.register_every))),
      unit_(unit_for(packing_, parameters)) {
  requests.bind(*this);
}

void BenesNetwork::b_transport(NetworkRequest& request, sc_core::sc_time& /*delay*/) {
  RecordGroup& group = request.group;
  group.active &= packing_.routing().all_ports();
  if (request.kind == NetworkKind::pack) group.taken = group.active;
  if (unit_) {
    unit_->move(request);
  } else {
    answer(packing_, request);
  }
  ++statistics_.requests[static_cast<BenesNetworkRequests>(request.kind)];
  statistics_.records[static_cast<BenesNetworkRecords>(request.kind)] +=
      static_cast<unsigned>(std::popcount(group.active));
  statistics_.clocks += request.clocks;
  if (request.clocks > 1) ++statistics_.conflicts;
}

}  // namespace reconverge
