// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stand-ins for the other ends of control sockets (models/protocols/control.hpp), for benches of single blocks.

#include <catch2/catch.hpp>
#include <functional>
#include <systemc>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/protocols/control.hpp"

namespace reconverge::tests {

/// Target for an initiator socket: records each payload as it arrives, and fills in the response with `serve`.
template <typename Payload>
class ControlStandIn : public sc_core::sc_module, private ControlTarget<Payload> {
 public:
  ControlTargetSocket<Payload> socket;
  std::function<void(Payload&)> serve = [](Payload& /*payload*/) {};
  std::vector<Payload> seen;

  explicit ControlStandIn(sc_core::sc_module_name name) : sc_module(name), socket("socket") { socket.bind(*this); }

 private:
  void b_transport(Payload& payload, sc_core::sc_time& /*delay*/) override {
    seen.push_back(payload);
    serve(payload);
  }
};

/// Initiator for a target socket: sends payloads.
template <typename Payload>
class ControlSource : public sc_core::sc_module {
 public:
  ControlInitiatorSocket<ControlSource, Payload> socket;

  explicit ControlSource(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    begin_.notify(sc_core::SC_ZERO_TIME);
  }

  /// Returns the payload with the target's answer.
  Payload send(Payload payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload;
  }

 private:
  sc_core::sc_event begin_;  // gives the first run an event, because it may have no cycles
};

/// Binds sockets to each other. Call it when all modules exist and the other sockets are bound.
inline void elaborate() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

}  // namespace reconverge::tests
