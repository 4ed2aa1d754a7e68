#include "models/stream/benes_network/benes_network.hpp"

#include "models/core/error.hpp"

namespace reconverge {

namespace {

RecordPacking packing_for(const BenesNetworkParameters& parameters) {
  return about_parameter("benes_network.ports", [&] { return RecordPacking(BenesRouting(parameters.ports)); });
}

std::unique_ptr<NetworkUnit> unit_for(const BenesNetworkParameters& parameters) {
  if (parameters.implementation == BenesNetworkImplementation::model) return nullptr;
  throw ParameterError("benes_network.implementation", "no RTL was built", "take `model`");
}

}  // namespace

BenesNetwork::BenesNetwork(sc_core::sc_module_name name, const BenesNetworkParameters& parameters)
    : sc_module(name),
      requests("requests"),
      packing_(packing_for(parameters)),
      latency_(packing_.routing().latency(static_cast<unsigned>(parameters.register_every))),
      unit_(unit_for(parameters)) {
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
