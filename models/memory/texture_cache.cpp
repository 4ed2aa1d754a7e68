// SPDX-License-Identifier: Apache-2.0
#include "models/memory/texture_cache.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace reconverge {

TextureCache::TextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm,
                           Clock clock)
    : FirstLevelCache(name),
      parameters_(parameters),
      clock_(std::move(clock)),
      tags_(parameters.capacity, parameters.line, parameters.ways, "texture_cache"),
      sm_(sm) {
  requests.bind(*this);
}

Cycle TextureCache::Port::take(Cycle from, std::uint64_t width) {
  if (from > cycle) {
    cycle = from;
    taken = 0;
  } else if (taken == width) {
    ++cycle;
    taken = 0;
  }
  ++taken;
  return cycle;
}

tlm::tlm_sync_enum TextureCache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle arrival = clock_.cycle_from(delay);
  const std::optional<Cycle> answer = serve(payload, arrival);
  if (!answer) {
    ++statistics_.mshr_stalls;
    held_ = &payload;
    held_since_ = arrival;
    return tlm::TLM_ACCEPTED;
  }
  if (*answer >= never) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  delay = clock_.time_until(*answer);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void TextureCache::tick(Cycle now) {
  if (held_ == nullptr) return;
  Payload& payload = *held_;
  const std::optional<Cycle> known = serve(payload, std::max(now, held_since_));
  if (!known) return;
  held_ = nullptr;
  if (*known < never) return answer(payload, *known);
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = clock_.time_until(notes_of(payload).arrival);
  requests->nb_transport_bw(payload, phase, delay);
}

Cycle TextureCache::fetch(DeviceAddress line, std::uint32_t ticket, Cycle start) {
  const SectorMask sectors = all_sectors(parameters_.line);
  statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(sectors));
  auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, line, static_cast<unsigned>(parameters_.line));
  notes.sectors = sectors;
  notes.sm = sm_;
  notes.texture = true;
  notes.ticket = ticket;
  ++outstanding_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_until(start);
  if (next_level->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) return never;
  end_fetch(payload);
  return clock_.cycle_from(delay);
}

void TextureCache::end_fetch(Payload& payload) {
  --outstanding_;
  payload.release();
}

void TextureCache::answer(Payload& payload, Cycle cycle) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_until(cycle);
  requests->nb_transport_bw(payload, phase, delay);
}

}  // namespace reconverge
