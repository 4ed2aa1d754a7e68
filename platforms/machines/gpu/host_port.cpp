// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/host_port.hpp"

#include <cstring>

namespace reconverge {

HostPort::HostPort(sc_core::sc_module_name name, DeviceMemory& memory)
    : sc_module(name), socket("socket"), memory_(memory) {
  socket.register_b_transport(this, &HostPort::transport);
  socket.register_transport_dbg(this, &HostPort::debug);
  socket.register_get_direct_mem_ptr(this, &HostPort::grant);
}

std::byte* HostPort::find(const tlm::tlm_generic_payload& payload) {
  const DeviceAddress address = payload.get_address();
  const Buffer* const buffer = memory_.find(address);
  if (buffer == nullptr || payload.get_data_length() > buffer->address + buffer->bytes - address) return nullptr;
  return memory_.host() + address;
}

void HostPort::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& /*delay*/) {
  std::byte* const bytes = find(payload);
  const unsigned length = payload.get_data_length();
  if (bytes == nullptr) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.get_streaming_width() < length) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  auto* const data = reinterpret_cast<std::byte*>(payload.get_data_ptr());
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  for (unsigned i = 0; i < length; ++i) {
    if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
    if (payload.is_write()) {
      bytes[i] = data[i];
    } else if (payload.is_read()) {
      data[i] = bytes[i];
    }
  }
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned HostPort::debug(tlm::tlm_generic_payload& payload) {
  std::byte* const bytes = find(payload);
  if (bytes == nullptr) return 0;
  if (payload.is_write()) {
    std::memcpy(bytes, payload.get_data_ptr(), payload.get_data_length());
  } else if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), bytes, payload.get_data_length());
  }
  return payload.get_data_length();
}

bool HostPort::grant(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const Buffer* const buffer = memory_.find(payload.get_address());
  if (buffer == nullptr) return false;
  dmi.set_start_address(buffer->address);
  dmi.set_end_address(buffer->address + buffer->bytes - 1);
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(memory_.host() + buffer->address));
  dmi.allow_read_write();
  return true;
}

}  // namespace reconverge
