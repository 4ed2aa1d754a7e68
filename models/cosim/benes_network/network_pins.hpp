// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A Benes network at its pins: the model, and a partner that gets the inputs and the expected outputs of every clock.

#include <memory>
#include <utility>

#include "models/cosim/benes_network/network_pipeline.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` is called in each clock.
template <typename Partner>
class NetworkPins {
 public:
  /// `partner`: after reset, like the model.
  NetworkPins(NetworkPipeline model, std::unique_ptr<Partner> partner)
      : model_(std::move(model)), partner_(std::move(partner)) {}

  const NetworkPipeline& model() const { return model_; }
  Partner& partner() { return *partner_; }

  /// Runs a clock with these inputs. Returns the model's outputs.
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
