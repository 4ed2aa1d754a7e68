// SPDX-License-Identifier: Apache-2.0
#include "models/memory/l1_cache.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "models/memory/sectors.hpp"

namespace reconverge {

namespace {

/// These replace the miss register in fills that have none: an acknowledged write, and the answer to a forwarded
/// request.
constexpr std::uint32_t acknowledged_write = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t passed_request = acknowledged_write - 1;

}  // namespace

L1Cache::L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, std::uint32_t sm, Clock clock,
                 bool textures)
    : FirstLevelCache(name),
      parameters_(parameters),
      sm_(sm),
      clock_(std::move(clock)),
      textures_(textures),
      line_shift_(static_cast<unsigned>(std::countr_zero(parameters.line))),
      tags_(parameters.capacity, parameters.line, parameters.ways, "l1_cache"),
      misses_(parameters.mshrs),
      bank_free_(parameters.banks) {
  requests.bind(*this);
  next_level.bind(*this);
}

void L1Cache::invalidate() { tags_.clear(); }

void L1Cache::resize(std::uint64_t capacity) {
  if (capacity == parameters_.capacity) return;
  let_in(never);  // misses of earlier launches refer to the old tags
  parameters_.capacity = capacity;
  tags_ = SectorTags(capacity, parameters_.line, parameters_.ways, "l1_cache");
}

tlm::tlm_sync_enum L1Cache::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle arrival = clock_.cycle_from(delay);
  const Outcome outcome = serve(request_of(payload), arrival);
  if (!outcome) {
    ++statistics_.mshr_stalls;
    held_ = &payload;
    held_since_ = arrival;
    return tlm::TLM_ACCEPTED;
  }
  if (*outcome >= never) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  delay = clock_.time_until(*outcome);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void L1Cache::tick(Cycle now) {
  if (held_ == nullptr) return;
  Payload& payload = *held_;
  const Request request = request_of(payload);
  const Outcome outcome = serve(request, std::max(now, held_since_));
  if (!outcome) return;
  held_ = nullptr;
  if (*outcome < never) {
    answer(payload, *outcome);
    return;
  }
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = clock_.time_until(request.notes.arrival);
  requests->nb_transport_bw(payload, phase, delay);
}

L1Cache::Outcome L1Cache::serve(const Request& request, Cycle arrival) {
  let_in(arrival);
  serving_ = &request.payload;
  request.notes.awaited = 0;
  Outcome outcome;
  if (!cached()) {
    outcome = pass(request, arrival);
  } else if (request.notes.atomic) {
    outcome = atomic(request, arrival);
  } else if (request.payload.is_write()) {
    outcome = write(request, arrival);
  } else if (request.notes.bypass) {
    outcome = bypass(request, arrival);
  } else {
    outcome = read(request, arrival);
  }
  serving_ = nullptr;
  return outcome;
}

L1Cache::Outcome L1Cache::read(const Request& request, Cycle arrival) {
  const SectorMask wanted = request.notes.sectors;
  std::uint32_t index = find(request.line);
  const bool found = index != SectorTags::none;
  const auto missing = static_cast<SectorMask>(found ? wanted & ~tags_.line(index).valid : wanted);
  if (missing == 0) {
    ++statistics_.hits;
    request.notes.outcome = CacheOutcome::hit;
    return begin(request, arrival) + parameters_.hit_latency;
  }
  // Waits for sectors that are being fetched, and fetches the others. Nothing changes unless there is room for all of
  // it.
  SectorMask coming = 0;
  bool room_to_wait = true;
  const auto each_coming = [&](auto&& visit) {
    if (!found) return;
    misses_.for_each_of(tags_.line(index).miss, [&](MissTable::Miss& miss) {
      if ((miss.sectors & missing) != 0) visit(miss);
    });
  };
  each_coming([&](const MissTable::Miss& miss) {
    coming |= miss.sectors;
    room_to_wait = room_to_wait && (miss.filled < never || miss.waiting.size() < parameters_.merges);
  });
  const auto needed = static_cast<SectorMask>(missing & ~coming);
  if (!room_to_wait || (needed != 0 && misses_.full())) return std::nullopt;
  if (!found && (index = make_room(request.line, arrival)) == SectorTags::none) return std::nullopt;

  const Cycle start = begin(request, arrival);
  each_coming([&](MissTable::Miss& miss) {
    if (miss.filled < never) {
      request.notes.latest = std::max(request.notes.latest, miss.filled);
    } else {
      miss.waiting.push_back(&request.payload);
      ++request.notes.awaited;
    }
  });
  if (needed == 0) {
    ++statistics_.merges;
    request.notes.outcome = CacheOutcome::merge;
  } else {
    ++statistics_.misses;
    request.notes.outcome = CacheOutcome::miss;
    if (found) ++statistics_.sector_misses;
    fetch(request, needed, start, index);
  }
  return request.notes.awaited == 0 ? request.notes.latest + parameters_.hit_latency : never;
}

L1Cache::Outcome L1Cache::write(const Request& request, Cycle arrival) {
  const SectorMask sectors = request.notes.sectors;
  if (request.notes.local) return write_local(request, arrival);
  if (writes_ >= parameters_.pending_writes) return std::nullopt;
  ++statistics_.writes;
  request.notes.outcome = CacheOutcome::write;
  if (parameters_.write_policy == L1CacheWritePolicy::write_evict) drop(request.line, sectors);
  const Cycle start = begin(request, arrival);
  send_write(request.line, sectors, start);
  return start;
}

L1Cache::Outcome L1Cache::write_local(const Request& request, Cycle arrival) {
  const SectorMask sectors = request.notes.sectors;
  const bool allocates = parameters_.local_write_miss == L1CacheLocalWriteMiss::write_allocate;
  std::uint32_t index = tags_.find(request.line, request.line);
  const bool hit = index != SectorTags::none && (allocates || (sectors & ~tags_.line(index).valid) == 0);
  if (!hit && !allocates) {
    // The next level gets the whole store. Sectors that are present are updated and stay as they are.
    if (writes_ >= parameters_.pending_writes) return std::nullopt;
    ++statistics_.writes;
    ++statistics_.local_write_misses;
    request.notes.outcome = CacheOutcome::write;
    const Cycle start = begin(request, arrival);
    send_write(request.line, static_cast<SectorMask>(sectors & ~request.notes.padding), start);
    return start;
  }
  // Local memory is private: a line is allocated without a fetch and written back when it is evicted.
  if (!hit && (index = make_room(request.line, arrival)) == SectorTags::none) return std::nullopt;
  if (hit) tags_.touch(index);
  tags_.line(index).valid |= sectors;
  tags_.line(index).modified |= sectors;
  ++statistics_.writes;
  if (!hit) ++statistics_.local_write_misses;
  request.notes.outcome = CacheOutcome::write;
  return begin(request, arrival);
}

L1Cache::Outcome L1Cache::atomic(const Request& request, Cycle arrival) {
  if (misses_.full()) return std::nullopt;
  ++statistics_.writes;
  request.notes.outcome = CacheOutcome::write;
  drop(request.line, request.notes.sectors);
  forward(request, begin(request, arrival));
  return request.notes.awaited == 0 ? request.notes.latest + parameters_.hit_latency : never;
}

L1Cache::Outcome L1Cache::bypass(const Request& request, Cycle arrival) {
  if (misses_.full()) return std::nullopt;
  ++statistics_.misses;
  request.notes.outcome = CacheOutcome::miss;
  statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(request.notes.sectors));
  forward(request, begin(request, arrival));
  return request.notes.awaited == 0 ? request.notes.latest + parameters_.hit_latency : never;
}

L1Cache::Outcome L1Cache::pass(const Request& request, Cycle arrival) {
  auto& [payload, notes, line] = request;
  // A store is answered when its bank accepts it, and its acknowledgement arrives after that.
  const bool posted = payload.is_write() && !notes.atomic;
  if (posted ? writes_ >= parameters_.pending_writes : passed_ >= parameters_.mshrs) return std::nullopt;
  const Cycle start = begin(request, arrival);
  if (payload.is_write()) {
    ++statistics_.writes;
    notes.outcome = CacheOutcome::write;
  } else {
    ++statistics_.misses;
    notes.outcome = CacheOutcome::miss;
    statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(notes.sectors));
  }
  if (posted) {
    ++writes_;
    payload.acquire();
  } else {
    ++passed_;
    ++notes.awaited;
  }
  send(payload, notes, start);
  if (posted) return start;
  return notes.awaited == 0 ? notes.latest + parameters_.hit_latency : never;
}

std::uint32_t L1Cache::find(DeviceAddress line) {
  const std::uint32_t index = tags_.find(line, line);
  if (index != SectorTags::none) tags_.touch(index);
  return index;
}

void L1Cache::drop(DeviceAddress address, SectorMask sectors) {
  const std::uint32_t index = find(address);
  if (index != SectorTags::none) tags_.line(index).valid &= static_cast<SectorMask>(~sectors);
}

Cycle L1Cache::cycles_in_bank(const Request& request) const {
  if (parameters_.bank_bytes == 0 || request.payload.is_write()) return 1;
  return (bytes_of(request.notes.sectors) + parameters_.bank_bytes - 1) / parameters_.bank_bytes;
}

Cycle L1Cache::begin(const Request& request, Cycle arrival) {
  Cycle& free = bank_free_[(request.line >> line_shift_) % parameters_.banks];
  const Cycle start = std::max(arrival, free);
  statistics_.bank_conflict_cycles += start - arrival;
  free = start + cycles_in_bank(request);
  request.notes.arrival = start;
  request.notes.latest = start;
  return start;
}

std::uint32_t L1Cache::make_room(DeviceAddress address, Cycle start) {
  const std::uint32_t index = tags_.victim(address);
  if (index == SectorTags::none) return SectorTags::none;
  if (const SectorMask modified = tags_.line(index).modified; modified != 0) {
    if (writes_ >= parameters_.pending_writes) return SectorTags::none;
    ++statistics_.write_backs;
    send_write(tags_.address(index), modified, start);
  }
  tags_.replace(index, address);
  return index;
}

void L1Cache::fetch(const Request& request, SectorMask sectors, Cycle start, std::uint32_t index) {
  statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(sectors));
  ask(request, sectors, start, misses_.take(tags_, index, sectors));
}

void L1Cache::forward(const Request& request, Cycle start) {
  ask(request, request.notes.sectors, start, misses_.take(tags_, SectorTags::none, 0));
}

void L1Cache::ask(const Request& request, SectorMask sectors, Cycle start, std::uint32_t miss) {
  const MemoryExtension& original = request.notes;
  misses_[miss].waiting.push_back(&request.payload);
  ++request.notes.awaited;
  auto [payload, notes] = payloads_.acquire(request.payload.get_command(), request.line, bytes_of(sectors));
  notes.local = original.local;
  notes.atomic = original.atomic;
  notes.together = original.together;
  notes.sectors = sectors;
  notes.ticket = miss;
  send(payload, notes, start);
}

void L1Cache::send_write(DeviceAddress line, SectorMask sectors, Cycle start) {
  ++writes_;
  auto [payload, notes] = payloads_.acquire(tlm::TLM_WRITE_COMMAND, line, bytes_of(sectors));
  notes.sectors = sectors;
  notes.ticket = acknowledged_write;
  send(payload, notes, start);
}

void L1Cache::send(Payload& payload, MemoryExtension& notes, Cycle start) {
  ++outstanding_;
  notes.sm = sm_;
  notes.texture = textures_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_until(start);
  if (next_level->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) finish(payload, delay);
}

tlm::tlm_sync_enum L1Cache::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  finish(payload, delay);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void L1Cache::finish(Payload& request, const sc_core::sc_time& delay) {
  --outstanding_;
  const Cycle cycle = clock_.cycle_from(delay);
  const bool posted = request.is_write() && !notes_of(request).atomic;
  std::uint32_t ticket = acknowledged_write;
  if (!posted) ticket = cached() ? notes_of(request).ticket : passed_request;
  fills_.insert({cycle, ticket}, [](const Fill& a, const Fill& b) { return a.cycle > b.cycle; });
  if (ticket == passed_request) {
    finish_part(request, cycle);
  } else {
    request.release();
  }
  if (ticket < passed_request) {
    MissTable::Miss& miss = misses_[ticket];
    miss.filled = cycle;
    for (Payload* waiting : miss.waiting) finish_part(*waiting, cycle);
    miss.waiting.clear();
  }
  tell_room();
}

void L1Cache::finish_part(Payload& request, Cycle cycle) {
  MemoryExtension& notes = notes_of(request);
  notes.latest = std::max(notes.latest, cycle);
  if (--notes.awaited == 0 && &request != serving_) answer(request, notes.latest + parameters_.hit_latency);
}

void L1Cache::answer(Payload& payload, Cycle cycle) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_until(cycle);
  requests->nb_transport_bw(payload, phase, delay);
}

void L1Cache::let_in(Cycle now) {
  while (!fills_.empty() && fills_.front().cycle <= now) {
    const std::uint32_t ticket = fills_.pop().ticket;
    if (ticket == acknowledged_write) {
      --writes_;
    } else if (ticket == passed_request) {
      --passed_;
    } else {
      const MissTable::Miss& miss = misses_[ticket];
      if (miss.line != SectorTags::none) tags_.line(miss.line).valid |= miss.sectors;
      misses_.release(tags_, ticket);
    }
  }
}

}  // namespace reconverge
