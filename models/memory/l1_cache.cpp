#include "models/memory/l1_cache.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

L1Cache::L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, Clock clock)
    : sc_module(name),
      requests("requests"),
      next_level("next_level"),
      parameters_(parameters),
      clock_(std::move(clock)),
      tags_(parameters.capacity, parameters.line, parameters.ways, "l1_cache") {
  requests.register_nb_transport_fw(this, &L1Cache::transport);
}

void L1Cache::invalidate() { tags_.clear(); }

tlm::tlm_sync_enum L1Cache::transport(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
  const Cycle now = clock_.now();
  const Cycle arrival = now + clock_.cycles(delay);
  const DeviceAddress line = payload.get_address();
  auto* extension = payload.get_extension<MemoryExtension>();
  extension->accepted = arrival;
  Cycle answer = arrival;
  if (extension->atomic) {
    answer = atomic(line, now, arrival);
  } else if (payload.is_write()) {
    write(line, now, arrival, extension->local);
  } else {
    answer = read(line, now, arrival, extension->accepted);
  }
  delay = clock_.time(answer - now);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

Cycle L1Cache::read(DeviceAddress line, Cycle now, Cycle arrival, Cycle& accepted) {
  const Cycle hit = arrival + parameters_.hit_latency;
  if (const TagArray::Line* found = tags_.find(line)) {
    if (found->filled > arrival) {
      ++statistics_.merges;
    } else {
      ++statistics_.hits;
    }
    return std::max(hit, found->filled + parameters_.hit_latency);
  }
  ++statistics_.misses;
  const Cycle start = wait_for_mshr(arrival);
  accepted = start;
  const auto [place, victim] = tags_.replace(line);
  evict(victim, now, start);
  place->filled = send(tlm::TLM_READ_COMMAND, line, now, start);
  outstanding_.push(place->filled);
  return place->filled + parameters_.hit_latency;
}

void L1Cache::write(DeviceAddress line, Cycle now, Cycle arrival, bool local) {
  ++statistics_.writes;
  TagArray::Line* found = tags_.find(line);
  if (!local) {
    send(tlm::TLM_WRITE_COMMAND, line, now, arrival);
    return;
  }
  // Local memory is private: a line is allocated without a fetch and written back when it is evicted.
  if (found == nullptr) {
    const auto [place, victim] = tags_.replace(line);
    evict(victim, now, arrival);
    place->filled = arrival;
    found = place;
  }
  found->modified = true;
}

Cycle L1Cache::atomic(DeviceAddress line, Cycle now, Cycle arrival) {
  ++statistics_.writes;
  return send(tlm::TLM_WRITE_COMMAND, line, now, arrival, true) + parameters_.hit_latency;
}

void L1Cache::evict(const TagArray::Line& victim, Cycle now, Cycle arrival) {
  if (victim.empty() || !victim.modified) return;
  ++statistics_.write_backs;
  send(tlm::TLM_WRITE_COMMAND, victim.address, now, arrival);
}

Cycle L1Cache::send(tlm::tlm_command command, DeviceAddress line, Cycle now, Cycle arrival, bool is_atomic) {
  auto& payload = payloads_.acquire(command, line, static_cast<unsigned>(parameters_.line));
  payload.get_extension<MemoryExtension>()->atomic = is_atomic;
  const Cycle answer = send_early_completed(next_level, payload, clock_, now, arrival);
  payload.release();
  return answer;
}

Cycle L1Cache::wait_for_mshr(Cycle arrival) {
  while (!outstanding_.empty() && outstanding_.top() <= arrival) outstanding_.pop();
  if (outstanding_.size() < parameters_.mshrs) return arrival;
  const Cycle start = outstanding_.top();
  outstanding_.pop();
  statistics_.mshr_wait_cycles += start - arrival;
  return start;
}

}  // namespace reconverge
