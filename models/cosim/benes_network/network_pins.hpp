// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs the model of a Benes network and passes its inputs and expected outputs to a partner in every clock.

#include <memory>
#include <utility>

#include "models/cosim/benes_network/network_pipeline.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` is called in each clock.
template <typename Partner>
class NetworkPins {
 public:
  /// `model` and `partner` must both be in the state after reset.
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
