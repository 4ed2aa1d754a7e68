// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/network_unit.hpp"

namespace reconverge {

void answer(const RecordPacking& packing, NetworkRequest& request) {
  const RecordGroup& group = request.group;
  request.clocks = packing.at_once(group) ? 1 : 2;
  request.next_first = packing.next_first(group);
  request.next_second = packing.next_second(group);
  if (request.wants_ports) request.ports = packing.ports_of(group);
}

}  // namespace reconverge
