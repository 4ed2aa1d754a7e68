// SPDX-License-Identifier: Apache-2.0
#include "models/protocols/memory.hpp"

namespace reconverge {

tlm::tlm_extension_base* MemoryExtension::clone() const { return std::make_unique<MemoryExtension>(*this).release(); }

void MemoryExtension::copy_from(const tlm_extension_base& other) { *this = static_cast<const MemoryExtension&>(other); }

PayloadPool::Loan PayloadPool::acquire(tlm::tlm_command command, DeviceAddress address, unsigned bytes) {
  if (idle_.empty()) idle_.push_back(all_.emplace_back(std::make_unique<MemoryPayload>(*this)).get());
  MemoryPayload& payload = *idle_.back();
  idle_.pop_back();
  if (!idle_.empty()) prefetch(*idle_.back());
  payload.acquire();
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_length(bytes);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.notes = MemoryExtension{};
  payload.notes.owner = this;
  return {payload, payload.notes};
}

}  // namespace reconverge
