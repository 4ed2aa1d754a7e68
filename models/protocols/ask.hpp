#pragma once
/// A question over a control socket.

#include "models/protocols/control.hpp"

namespace reconverge {

/// Sends a payload over an initiator socket, within a cycle; returns it as the target has filled it.
template <typename Socket, typename Payload>
Payload ask(Socket& socket, Payload payload) {
  sc_core::sc_time delay;
  socket->b_transport(payload, delay);
  return payload;
}

}  // namespace reconverge
