// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Initiator for a target socket under test: sends a message and returns it with the answer.

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/protocols/ask.hpp"

namespace reconverge::tests {

template <typename Message>
class Asker : public sc_core::sc_module {
 public:
  /// `target`: a ControlTargetSocket or OptionalControlTargetSocket of the message.
  template <typename Target>
  Asker(sc_core::sc_module_name name, Target& target) : sc_module(name), socket_("socket") {
    socket_.bind(target);
  }

  Message operator()(const Message& message = {}) { return ask(socket_, message); }

 private:
  ControlInitiatorSocket<Asker, Message> socket_;
};

}  // namespace reconverge::tests
