// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Control traffic inside an SM: separate payload types over ordinary TLM-2.0 sockets (b_transport; time is annotated
/// in cycles in the payload), so that a block can be replaced at its socket.

#include <tlm_utils/simple_initiator_socket.h>

#include <tlm>

namespace reconverge {

/// Protocol traits for TLM sockets that carry `Payload`.
template <typename Payload>
struct ControlProtocol {
  using tlm_payload_type = Payload;
  using tlm_phase_type = tlm::tlm_phase;
};

/// Any number of initiators bind to it.
template <typename Payload>
using ControlTargetSocket = tlm::tlm_target_socket<32, ControlProtocol<Payload>, 0>;

/// The same, but may have no initiator.
template <typename Payload>
using OptionalControlTargetSocket =
    tlm::tlm_target_socket<32, ControlProtocol<Payload>, 0, sc_core::SC_ZERO_OR_MORE_BOUND>;

template <typename Module, typename Payload>
using ControlInitiatorSocket = tlm_utils::simple_initiator_socket<Module, 32, ControlProtocol<Payload>>;

/// The base class of a block that is bound to a ControlTargetSocket: it overrides b_transport. The initiator's call
/// goes directly to the block's function.
template <typename Payload>
class ControlTarget : public tlm::tlm_fw_transport_if<ControlProtocol<Payload>> {
 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& /*payload*/, tlm::tlm_phase& /*phase*/,
                                     sc_core::sc_time& /*delay*/) final {
    SC_REPORT_ERROR("/reconverge/control", "control traffic goes by b_transport");
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(Payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) final { return false; }
  unsigned transport_dbg(Payload& /*payload*/) final { return 0; }
};

/// An initiator socket whose target is usually a `Block`, a final class with ControlTarget<Payload> as a public base. A
/// message to this block is a call of Block::serve, which the compiler can inline; any other target gets it by
/// b_transport.
template <typename Module, typename Payload, typename Block>
class DirectInitiatorSocket : public ControlInitiatorSocket<Module, Payload> {
 public:
  // Not inlined: GCC 12 would warn of a string in SystemC's constructor (its bug 105651).
  [[gnu::noinline]] explicit DirectInitiatorSocket(const char* name) : ControlInitiatorSocket<Module, Payload>(name) {}

  void send(Payload& payload) {
    if (block_ != nullptr) [[likely]]
      return block_->serve(payload);
    payload = sent_to_other(payload);
  }

 private:
  void end_of_elaboration() override {
    ControlInitiatorSocket<Module, Payload>::end_of_elaboration();
    block_ = dynamic_cast<Block*>(this->get_interface());
  }
  /// Works on a copy: a payload whose address stays here can be in registers.
  [[gnu::noinline, gnu::cold]] Payload sent_to_other(Payload payload) {
    sc_core::sc_time delay;
    (*this)->b_transport(payload, delay);
    return payload;
  }

  Block* block_ = nullptr;
};

}  // namespace reconverge
