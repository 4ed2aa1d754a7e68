#include "models/memory/in_order_texture_cache.hpp"

#include <algorithm>
#include <bit>

namespace reconverge {

InOrderTextureCache::InOrderTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters,
                                         std::uint32_t sm, Clock clock)
    : FirstLevelCache(name),
      parameters_(parameters),
      sm_(sm),
      clock_(clock),
      tags_(parameters.capacity, parameters.line, parameters.ways, "texture_cache") {
  requests.bind(*this);
  next_level.bind(*this);
}

void InOrderTextureCache::invalidate() { tags_.clear(); }

Cycle InOrderTextureCache::Port::take(Cycle from, std::uint64_t width) {
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

Cycle InOrderTextureCache::next_event() const {
  return held_ == nullptr || leaving_.empty() ? never : std::max(held_since_, leaving_.front().cycle);
}

bool InOrderTextureCache::room_for(Cycle now, bool miss) {
  while (!leaving_.empty() && leaving_.front().cycle <= now) misses_ -= leaving_.pop().miss ? 1 : 0;
  return waiting_.size() + leaving_.size() < parameters_.fragments && (!miss || misses_ < parameters_.mshrs);
}

tlm::tlm_sync_enum InOrderTextureCache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
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

void InOrderTextureCache::tick(Cycle now) {
  if (held_ == nullptr) return;
  Payload& payload = *held_;
  const std::optional<Cycle> answer = serve(payload, std::max(now, held_since_));
  if (!answer) return;
  held_ = nullptr;
  const bool known = *answer < never;
  tlm::tlm_phase phase = known ? tlm::BEGIN_RESP : tlm::END_REQ;
  if (known) payload.set_response_status(tlm::TLM_OK_RESPONSE);
  sc_core::sc_time delay = clock_.time_until(known ? *answer : notes_of(payload).arrival);
  requests->nb_transport_bw(payload, phase, delay);
}

std::optional<Cycle> InOrderTextureCache::serve(Payload& payload, Cycle arrival) {
  const DeviceAddress line = payload.get_address();
  const std::uint32_t known = tags_.find(line, line);
  const bool miss = known == SectorTags::none;
  if (!room_for(arrival, miss)) return std::nullopt;
  const Cycle start = entry_.take(arrival, parameters_.banks);
  statistics_.bank_conflict_cycles += start - arrival;
  notes_of(payload).arrival = start;
  serving_ = &payload;
  // The next level may answer while it is asked.
  waiting_.push({&payload, start, miss ? never : start, miss});
  if (miss) {
    ++statistics_.misses;
    ++misses_;
    const std::uint32_t index = tags_.victim(line);
    tags_.replace(index, line);
    tags_.touch(index);
    const auto number = static_cast<std::uint32_t>(first_ + waiting_.size() - 1);
    const Cycle filled = fetch(line, start);
    if (filled < never) waiting_[number - first_].ready = filled;
  } else {
    tags_.touch(known);
    ++statistics_.hits;
  }
  const std::optional<Cycle> answer = leave();
  serving_ = nullptr;
  return answer ? *answer : never;
}

Cycle InOrderTextureCache::fetch(DeviceAddress line, Cycle start) {
  const SectorMask sectors = all_sectors(parameters_.line);
  statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(sectors));
  auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, line, static_cast<unsigned>(parameters_.line));
  notes.sectors = sectors;
  notes.sm = sm_;
  notes.texture = true;
  notes.ticket = static_cast<std::uint32_t>(first_ + waiting_.size() - 1);
  ++outstanding_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  // The request leaves in the cycle behind that of the lookup.
  sc_core::sc_time delay = clock_.time_until(start + 1);
  if (next_level->nb_transport_fw(payload, phase, delay) != tlm::TLM_COMPLETED) return never;
  --outstanding_;
  payload.release();
  return clock_.cycle_from(delay);
}

tlm::tlm_sync_enum InOrderTextureCache::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  --outstanding_;
  waiting_[notes_of(payload).ticket - first_].ready = clock_.cycle_from(delay);
  payload.release();
  leave();
  if (held_ != nullptr && next_event() < never) room.notify(clock_.time_until(next_event()));
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

std::optional<Cycle> InOrderTextureCache::leave() {
  std::optional<Cycle> served;
  while (!waiting_.empty() && waiting_.front().ready < never) {
    const Fragment fragment = waiting_.pop();
    ++first_;
    const Cycle left = exit_.take(std::max(fragment.ready, fragment.entered + 1), parameters_.banks);
    leaving_.push({left, fragment.miss});
    const Cycle answered = left + parameters_.hit_latency - 1;
    if (fragment.request == serving_) {
      served = answered;
      continue;
    }
    fragment.request->set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.time_until(answered);
    requests->nb_transport_bw(*fragment.request, phase, delay);
  }
  return served;
}

}  // namespace reconverge
