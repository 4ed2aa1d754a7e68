// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Access of initiators outside a GPU, such as a CPU or a DMA engine, to the device's memory.

#include <tlm_utils/simple_target_socket.h>

#include <systemc>

#include "models/execution/device_memory.hpp"

namespace reconverge {

/// Addresses are device addresses. An access takes no time; it is one with the effect of instructions, which read and
/// write memory when they issue. Data, byte enables and DMI work; an access outside all buffers gets an address error,
/// and one whose streaming width is less than its length a burst error.
class HostPort : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket_optional<HostPort> socket;

  /// `memory` must outlive it.
  HostPort(sc_core::sc_module_name name, DeviceMemory& memory);

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(tlm::tlm_generic_payload& payload);
  bool grant(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  /// The bytes of an access; null: they are not in one buffer.
  std::byte* find(const tlm::tlm_generic_payload& payload);

  DeviceMemory& memory_;
};

}  // namespace reconverge
