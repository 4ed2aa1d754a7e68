// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A loosely timed memory channel: it answers within b_transport, with an annotated delay.

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <systemc>

class LtMemory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<LtMemory> socket;

  LtMemory(sc_core::sc_module_name name, sc_core::sc_time latency)
      : sc_module(name), socket("socket"), latency_(latency) {
    socket.register_b_transport(this, &LtMemory::b_transport);
  }

  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::map<std::uint64_t, std::uint8_t> bytes;  ///< that were written

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++(payload.is_write() ? writes : reads);
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      const std::uint64_t address = payload.get_address() + i;
      if (payload.is_write()) {
        bytes[address] = payload.get_data_ptr()[i];
      } else if (const auto known = bytes.find(address); known != bytes.end()) {
        payload.get_data_ptr()[i] = known->second;
      }
    }
    delay += latency_;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  sc_core::sc_time latency_;
};
