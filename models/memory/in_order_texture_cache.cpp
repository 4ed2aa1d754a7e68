// SPDX-License-Identifier: Apache-2.0
#include "models/memory/in_order_texture_cache.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

InOrderTextureCache::InOrderTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters,
                                         std::uint32_t sm, Clock clock)
    : TextureCache(name, parameters, sm, std::move(clock)) {
  next_level.bind(*this);
}

void InOrderTextureCache::invalidate() { tags_.clear(); }

bool InOrderTextureCache::room_for(Cycle now, bool miss) {
  while (!leaving_.empty() && leaving_.front().cycle <= now) misses_ -= leaving_.pop().miss ? 1 : 0;
  return waiting_.size() + leaving_.size() < parameters_.fragments && (!miss || misses_ < parameters_.mshrs);
}

std::optional<Cycle> InOrderTextureCache::serve(Payload& payload, Cycle arrival) {
  const DeviceAddress line = payload.get_address();
  const std::uint32_t known = tags_.find(line, line);
  const bool miss = known == SectorTags::none;
  if (!room_for(arrival, miss)) return std::nullopt;
  const Cycle start = entry_.take(arrival, parameters_.banks);
  statistics_.bank_conflict_cycles += start - arrival;
  notes_of(payload).arrival = start;
  notes_of(payload).outcome = miss ? CacheOutcome::miss : CacheOutcome::hit;
  serving_ = &payload;
  // The next level may answer within the call.
  waiting_.push({&payload, start, miss ? never : start, miss});
  if (miss) {
    ++statistics_.misses;
    ++misses_;
    const std::uint32_t index = tags_.victim(line);
    tags_.replace(index, line);
    tags_.touch(index);
    const auto number = static_cast<std::uint32_t>(first_ + waiting_.size() - 1);
    // The request is sent in the cycle after the lookup.
    const Cycle filled = fetch(line, number, start + 1);
    if (filled < never) waiting_[number - first_].ready = filled;
  } else {
    tags_.touch(known);
    ++statistics_.hits;
  }
  const std::optional<Cycle> answer = leave();
  serving_ = nullptr;
  return answer ? *answer : never;
}

tlm::tlm_sync_enum InOrderTextureCache::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  waiting_[notes_of(payload).ticket - first_].ready = clock_.cycle_from(delay);
  end_fetch(payload);
  leave();
  tell_room();
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
    } else {
      answer(*fragment.request, answered);
    }
  }
  return served;
}

}  // namespace reconverge
