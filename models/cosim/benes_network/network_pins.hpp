// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A Benes network at its pins: the model, and somebody who sees in every clock what goes into the network and what has
/// to come out of it.

#include <memory>
#include <utility>

#include "models/cosim/benes_network/network_pipeline.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` sees each clock.
template <typename Partner>
class NetworkPins {
 public:
  /// `partner`: after reset, as the model is.
  NetworkPins(NetworkPipeline model, std::unique_ptr<Partner> partner)
      : model_(std::move(model)), partner_(std::move(partner)) {}

  const NetworkPipeline& model() const { return model_; }
  Partner& partner() { return *partner_; }

  /// A clock with these inputs; what comes out of the model.
  NetworkOutputs clock(const NetworkInputs& inputs) {
    NetworkOutputs outputs = model_.look(inputs);
    partner_->cycle(inputs, outputs);
    model_.step(inputs);
    return outputs;
  }

 private:
  NetworkPipeline model_;
  std::unique_ptr<Partner> partner_;
};

}  // namespace reconverge
