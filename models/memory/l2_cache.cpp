#include "models/memory/l2_cache.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

L2Cache::L2Cache(sc_core::sc_module_name name, const L2CacheParameters& parameters, Clock clock)
    : sc_module(name),
      requests("requests"),
      memory("memory"),
      parameters_(parameters),
      clock_(std::move(clock)),
      tags_(parameters.capacity, parameters.line, parameters.ways, "l2_cache"),
      slice_free_(parameters.slices) {
  requests.register_nb_transport_fw(this, &L2Cache::transport);
}

tlm::tlm_sync_enum L2Cache::transport(int /*sm*/, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
  const Cycle now = clock_.now();
  const Cycle arrival = now + clock_.cycles(delay);
  const DeviceAddress line = payload.get_address() / parameters_.line * parameters_.line;
  const std::uint64_t number = line / parameters_.line;
  Cycle& free = slice_free_[(number ^ number >> 9U) % parameters_.slices];
  const Cycle start = std::max(arrival, free);
  const Cycle transfer = (payload.get_data_length() + parameters_.slice_bytes - 1) / parameters_.slice_bytes;
  free = start + transfer;
  statistics_.busy_cycles += transfer;

  const bool atomic = payload.get_extension<MemoryExtension>()->atomic;
  const bool write = payload.is_write();
  if (atomic) {
    ++statistics_.atomics;
  } else if (write) {
    ++statistics_.writes;
  }
  // A plain write needs no old data: what it leaves unwritten in the line merges when memory answers.
  const Cycle there = access(line, now, start, write || atomic, !write || atomic);
  if (!write || atomic) delay = clock_.time(std::max(there, start + transfer) + parameters_.latency - now);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

Cycle L2Cache::access(DeviceAddress line, Cycle now, Cycle start, bool write, bool fetch) {
  if (TagArray::Line* found = tags_.find(line)) {
    found->modified = found->modified || write;
    if (!write) {
      if (found->filled > start) {
        ++statistics_.merges;
      } else {
        ++statistics_.hits;
      }
    }
    return found->filled;
  }
  if (!write) ++statistics_.misses;
  const auto [place, victim] = tags_.replace(line);
  const auto bytes = static_cast<unsigned>(parameters_.line);
  if (!victim.empty() && victim.modified) {
    ++statistics_.write_backs;
    auto& payload = payloads_.acquire(tlm::TLM_WRITE_COMMAND, victim.address, bytes);
    send_early_completed(memory, payload, clock_, now, start);
    payload.release();
  }
  Cycle filled = start;
  if (fetch) {
    auto& payload = payloads_.acquire(tlm::TLM_READ_COMMAND, line, bytes);
    filled = send_early_completed(memory, payload, clock_, now, start);
    payload.release();
  }
  place->filled = filled;
  place->modified = write;
  return filled;
}

}  // namespace reconverge
