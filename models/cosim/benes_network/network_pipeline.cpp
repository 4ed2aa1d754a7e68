// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/network_pipeline.hpp"

namespace reconverge {

RecordGroup NetworkPipeline::group_of(const NetworkInputs& inputs) {
  RecordGroup group = inputs.group;
  if (inputs.mode == NetworkMode::pack) group.taken = group.active;
  return group;
}

bool NetworkPipeline::is_ready(const NetworkInputs& inputs) const {
  return second_ || !inputs.valid || inputs.mode == NetworkMode::permute || packing_.at_once(group_of(inputs));
}

RecordGroup NetworkPipeline::entering(const NetworkInputs& inputs) const {
  const RecordGroup group = group_of(inputs);
  if (second_) return of_second(group);
  return is_ready(inputs) ? group : of_first(group);
}

NetworkPipeline::Records NetworkPipeline::arrivals(const NetworkInputs& inputs) const {
  Records records;
  if (!inputs.valid) return records;
  const RecordGroup group = entering(inputs);
  PortMap ports = packing_.ports_of(group);
  if (inputs.mode == NetworkMode::permute) {
    PortMap lanes{};
    for (unsigned lane = 0; lane < packing_.routing().ports(); ++lane) lanes[lane] = static_cast<std::uint8_t>(lane);
    packing_.routing().apply(inputs.crossed, lanes);
    for (unsigned port = 0; port < packing_.routing().ports(); ++port) {
      ports[lanes[port]] = static_cast<std::uint8_t>(port);
    }
  }
  for (PortMask left = group.active; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const bool unpacks = inputs.mode == NetworkMode::unpack;
    const unsigned from = unpacks ? ports[lane] : lane;
    const unsigned to = unpacks ? lane : ports[lane];
    records.valid |= PortMask{1} << to;
    records.bank |= (group.to_second() >> lane & 1U) << to;
    records.data[to] = inputs.data[from];
  }
  return records;
}

NetworkOutputs NetworkPipeline::look(const NetworkInputs& inputs) const {
  NetworkOutputs outputs;
  outputs.ready = is_ready(inputs);
  outputs.asked = inputs.valid;
  outputs.mode = inputs.mode;
  outputs.next_first = packing_.next_first(group_of(inputs));
  outputs.next_second = packing_.next_second(group_of(inputs));
  if (inputs.valid && inputs.mode == NetworkMode::unpack) {
    const RecordGroup group = entering(inputs);
    const PortMap ports = packing_.ports_of(group);
    for (PortMask left = group.active; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      outputs.read |= PortMask{1} << ports[lane];
      outputs.read_bank |= (group.to_second() >> lane & 1U) << ports[lane];
    }
  }
  const Records records = leaving_.empty() ? arrivals(inputs) : leaving_.front();
  outputs.valid = records.valid;
  outputs.bank = records.bank;
  outputs.data = records.data;
  return outputs;
}

void NetworkPipeline::step(const NetworkInputs& inputs) {
  if (!leaving_.empty()) {
    leaving_.push_back(arrivals(inputs));
    leaving_.pop_front();
  }
  second_ = !is_ready(inputs);
}

}  // namespace reconverge
