// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/twin.hpp"

#include <utility>

#include "models/cosim/benes_network/network_pins.hpp"
#include "models/cosim/benes_network/network_ports.hpp"
#include "models/cosim/twin/compared.hpp"
#include "models/cosim/twin/probe.hpp"

namespace reconverge {

namespace {

/// Runs requests clock by clock, one after another, and observes where records arrive. Each record is the number of the
/// lane or port that it comes from.
class ClockedNetwork : public NetworkUnit {
 public:
  explicit ClockedNetwork(unsigned latency) : latency_(latency) {
    for (unsigned from = 0; from < most_network_ports; ++from) inputs_.data[from] = from;
  }

  void move(NetworkRequest& request) final {
    inputs_.valid = true;
    inputs_.mode = static_cast<NetworkMode>(request.kind);
    inputs_.group = request.group;
    request.clocks = 0;
    for (bool ready = false; !ready; ++request.clocks) {
      const NetworkOutputs outputs = clock(inputs_);
      ready = outputs.ready;
      request.next_first = outputs.next_first;
      request.next_second = outputs.next_second;
      see(outputs, request);
    }
    inputs_.valid = false;
    for (unsigned left = latency_; left > 0; --left) see(clock(inputs_), request);
  }

 private:
  /// Runs a clock with these inputs.
  virtual NetworkOutputs clock(const NetworkInputs& inputs) = 0;

  static void see(const NetworkOutputs& outputs, NetworkRequest& request) {
    if (!request.wants_ports) return;
    for (PortMask left = outputs.valid; left != 0; left &= left - 1) {
      const auto to = static_cast<unsigned>(std::countr_zero(left));
      const bool unpacks = request.kind == NetworkKind::unpack;
      const unsigned lane = unpacks ? to : outputs.data[to];
      request.ports.at(lane) = static_cast<std::uint8_t>(unpacks ? outputs.data[to] : to);
    }
  }

  unsigned latency_;
  NetworkInputs inputs_;
};

class RtlNetwork final : public ClockedNetwork {
 public:
  RtlNetwork(unsigned latency, std::unique_ptr<NetworkRtl> rtl) : ClockedNetwork(latency), rtl_(std::move(rtl)) {
    probe_.watch(*rtl_);
  }

 private:
  NetworkOutputs clock(const NetworkInputs& inputs) override {
    NetworkOutputs outputs = rtl_->settle(inputs);
    rtl_->clock();
    return outputs;
  }

  std::unique_ptr<NetworkRtl> rtl_;
  twin::Probe probe_;
};

class ComparedNetwork final : public ClockedNetwork {
 public:
  ComparedNetwork(unsigned latency, NetworkPipeline model, std::unique_ptr<NetworkRtl> rtl)
      : ClockedNetwork(latency), pins_(std::move(model), std::make_unique<Compared>(std::move(rtl))) {
    probe_.watch(pins_.partner());
  }

 private:
  using Compared = twin::Compared<NetworkPorts>;

  NetworkOutputs clock(const NetworkInputs& inputs) override { return pins_.clock(inputs); }

  NetworkPins<Compared> pins_;
  twin::Probe probe_;
};

}  // namespace

std::unique_ptr<NetworkUnit> make_network_twin(const RecordPacking& packing, unsigned register_every,
                                               NetworkTwin twin) {
  const unsigned latency = packing.routing().latency(register_every);
  auto rtl = twin::make_rtl<NetworkPorts>({packing.routing().ports(), register_every});
  if (twin == NetworkTwin::rtl) return std::make_unique<RtlNetwork>(latency, std::move(rtl));
  return std::make_unique<ComparedNetwork>(latency, NetworkPipeline(packing, register_every), std::move(rtl));
}

}  // namespace reconverge
