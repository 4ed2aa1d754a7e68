#include "models/protocols/memory.hpp"

namespace reconverge {

tlm::tlm_extension_base* MemoryExtension::clone() const { return std::make_unique<MemoryExtension>(*this).release(); }

void MemoryExtension::copy_from(const tlm_extension_base& other) {
  const auto& extension = static_cast<const MemoryExtension&>(other);
  local = extension.local;
  atomic = extension.atomic;
  sectors = extension.sectors;
  sm = extension.sm;
  ticket = extension.ticket;
  port = extension.port;
  arrival = extension.arrival;
  latest = extension.latest;
  awaited = extension.awaited;
}

tlm::tlm_generic_payload& PayloadPool::acquire(tlm::tlm_command command, DeviceAddress address, unsigned bytes) {
  if (idle_.empty()) {
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    // The payload owns its extension and keeps it from one loan to the next.
    all_.back()->set_extension(std::make_unique<MemoryExtension>().release());
    idle_.push_back(all_.back().get());
  }
  tlm::tlm_generic_payload& payload = *idle_.back();
  idle_.pop_back();
  payload.acquire();
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_length(bytes);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const MemoryExtension fresh;
  payload.get_extension<MemoryExtension>()->copy_from(fresh);
  return payload;
}

}  // namespace reconverge
