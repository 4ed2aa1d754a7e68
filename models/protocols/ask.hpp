// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Requests over control sockets, which are answered within the cycle.

#include "models/protocols/control.hpp"

namespace reconverge {

/// Sends a payload over an initiator socket; the target fills it.
template <typename Socket, typename Payload>
void send(Socket& socket, Payload& payload) {
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
}

/// The same for a small payload; returns it as the target has filled it.
template <typename Socket, typename Payload>
Payload ask(Socket& socket, Payload payload) {
  send(socket, payload);
  return payload;
}

}  // namespace reconverge
