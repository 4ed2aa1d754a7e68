// SPDX-License-Identifier: Apache-2.0
#include "models/memory/miss_ordered_texture_cache.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

MissOrderedTextureCache::MissOrderedTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters,
                                                 std::uint32_t sm, Clock clock)
    : TextureCache(name, parameters, sm, std::move(clock)) {
  next_level.bind(*this);
}

void MissOrderedTextureCache::invalidate() {
  tags_.clear();
  while (!fills_.empty()) coming_.remove(fills_.pop().line);
}

void MissOrderedTextureCache::let_in(Cycle now) {
  while (!leaving_.empty() && leaving_.front() <= now) leaving_.pop();
  while (!fills_.empty() && fills_.front().cycle <= now) {
    const DeviceAddress line = fills_.pop().line;
    coming_.remove(line);
    if (tags_.find(line, line) != SectorTags::none) continue;
    const std::uint32_t index = tags_.victim(line);
    tags_.replace(index, line);
    tags_.touch(index);
  }
}

std::optional<Cycle> MissOrderedTextureCache::serve(Payload& payload, Cycle arrival) {
  let_in(arrival);
  const DeviceAddress line = payload.get_address();
  const std::uint32_t known = tags_.find(line, line);
  const bool found = known != SectorTags::none;
  if (!found && waiting_.size() + leaving_.size() >= parameters_.mshrs) return std::nullopt;
  const Cycle start = entry_.take(arrival, parameters_.banks);
  statistics_.bank_conflict_cycles += start - arrival;
  notes_of(payload).arrival = start;
  if (!found) return miss(payload, start);
  tags_.touch(known);
  ++statistics_.hits;
  notes_of(payload).outcome = CacheOutcome::hit;
  return start + parameters_.hit_latency;
}

std::optional<Cycle> MissOrderedTextureCache::miss(Payload& payload, Cycle start) {
  const DeviceAddress line = payload.get_address();
  const std::optional<Cycle> coming = find_coming(line);
  waiting_.push({&payload, line, coming.value_or(never)});
  if (!coming || *coming >= never) coming_.add(line);
  notes_of(payload).outcome = coming ? CacheOutcome::merge : CacheOutcome::miss;
  serving_ = &payload;
  if (coming) {
    ++statistics_.merges;
  } else {
    ++statistics_.misses;
    const auto number = static_cast<std::uint32_t>(first_ + waiting_.size() - 1);
    const Cycle filled = fetch(line, number, start);
    if (filled < never) fill(number, filled);
  }
  const std::optional<Cycle> answer = answer_in_order();
  serving_ = nullptr;
  return answer ? *answer : never;
}

std::optional<Cycle> MissOrderedTextureCache::find_coming(DeviceAddress line) {
  if (coming_.most(line) == 0) return std::nullopt;
  for (std::size_t i = fills_.size(); i != 0; --i) {
    if (fills_[i - 1].line == line) return fills_[i - 1].cycle;
  }
  for (std::size_t i = waiting_.size(); i != 0; --i) {
    if (waiting_[i - 1].line == line && waiting_[i - 1].ready >= never) return never;
  }
  return std::nullopt;
}

tlm::tlm_sync_enum MissOrderedTextureCache::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                            sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  fill(notes_of(payload).ticket, clock_.cycle_from(delay));
  end_fetch(payload);
  answer_in_order();
  tell_room();
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void MissOrderedTextureCache::fill(std::uint32_t number, Cycle cycle) {
  const DeviceAddress line = waiting_[number - first_].line;
  for (std::size_t i = number - first_; i < waiting_.size(); ++i) {
    Miss& one = waiting_[i];
    if (one.line != line || one.ready < never) continue;
    one.ready = cycle;
    coming_.remove(line);
    if (coming_.most(line) == 0) break;
  }
  coming_.add(line);
  fills_.insert({cycle, line}, [](const Fill& a, const Fill& b) { return a.cycle > b.cycle; });
}

std::optional<Cycle> MissOrderedTextureCache::answer_in_order() {
  std::optional<Cycle> served;
  while (!waiting_.empty() && waiting_.front().ready < never) {
    const Miss one = waiting_.pop();
    ++first_;
    if (!waiting_.empty()) prefetch(*waiting_.front().request);
    const Cycle left = exit_.take(one.ready, parameters_.banks);
    leaving_.push(left);
    if (one.request == serving_) {
      served = left + parameters_.hit_latency;
    } else {
      answer(*one.request, left + parameters_.hit_latency);
    }
  }
  return served;
}

}  // namespace reconverge
