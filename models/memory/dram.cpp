#include "models/memory/dram.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

Dram::Dram(sc_core::sc_module_name name, const DramParameters& parameters, Clock clock)
    : sc_module(name),
      requests("requests"),
      parameters_(parameters),
      clock_(std::move(clock)),
      channel_free_(parameters.channels) {
  requests.register_nb_transport_fw(this, &Dram::transport);
}

tlm::tlm_sync_enum Dram::transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle now = clock_.now();
  const Cycle arrival = now + clock_.cycles(delay);
  const std::uint64_t bytes = payload.get_data_length();
  const std::uint64_t line = payload.get_address() / bytes;
  Cycle& free = channel_free_[(line ^ line >> 7U) % parameters_.channels];
  const Cycle transfer = (bytes + parameters_.channel_bytes - 1) / parameters_.channel_bytes;
  const Cycle start = std::max(arrival, free);
  free = start + transfer;
  statistics_.busy_cycles += transfer;
  if (payload.is_write()) {
    ++statistics_.writes;
  } else {
    ++statistics_.reads;
    delay = clock_.time(start + transfer + parameters_.latency - now);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

}  // namespace reconverge
