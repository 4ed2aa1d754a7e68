// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Counterparts of control sockets (models/protocols/control.hpp), for benches of single blocks.

#include <catch2/catch.hpp>
#include <functional>
#include <systemc>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/protocols/control.hpp"

namespace reconverge::tests {

/// Binds to an initiator socket: records each payload as it arrived, and fills in the response with `serve`.
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

/// Sends payloads to a target socket.
template <typename Payload>
class ControlSource : public sc_core::sc_module {
 public:
  ControlInitiatorSocket<ControlSource, Payload> socket;

  explicit ControlSource(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    begin_.notify(sc_core::SC_ZERO_TIME);
  }

  /// Returns the payload as the target answered it.
  Payload send(Payload payload) {
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    return payload;
  }

 private:
  sc_core::sc_event begin_;  // lets the first run, which may have no cycles, find something to do
};

/// Binds sockets to each other; to be called when all modules exist and the others are bound by hand.
inline void elaborate() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

}  // namespace reconverge::tests
