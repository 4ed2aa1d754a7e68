#include "models/memory/l1_cache.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "models/memory/sectors.hpp"

namespace reconverge {

namespace {

/// Stands for an acknowledged write among the fills.
constexpr std::uint32_t acknowledged_write = std::numeric_limits<std::uint32_t>::max();

MemoryExtension& notes(tlm::tlm_generic_payload& payload) { return *payload.get_extension<MemoryExtension>(); }

}  // namespace

L1Cache::L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, std::uint32_t sm, Clock clock)
    : sc_module(name),
      requests("requests"),
      next_level("next_level"),
      room("room"),
      parameters_(parameters),
      sm_(sm),
      clock_(std::move(clock)),
      misses_(parameters.mshrs),
      bank_free_(parameters.banks) {
  if (cached()) tags_.emplace(parameters.capacity, parameters.line, parameters.ways, "l1_cache");
  requests.register_nb_transport_fw(this, &L1Cache::transport);
  next_level.register_nb_transport_bw(this, &L1Cache::take_answer);
}

void L1Cache::invalidate() {
  if (cached()) tags_->clear();
}

tlm::tlm_sync_enum L1Cache::transport(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const Cycle arrival = clock_.cycle_at(sc_core::sc_time_stamp() + delay);
  const Outcome outcome = serve(payload, arrival);
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
  delay = delay_until(*outcome);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

Cycle L1Cache::next_event() const {
  return held_ == nullptr || fills_.empty() ? never : std::max(held_since_, fills_.top().first);
}

void L1Cache::tick(Cycle now) {
  if (held_ == nullptr) return;
  Payload& payload = *held_;
  const Outcome outcome = serve(payload, std::max(now, held_since_));
  if (!outcome) return;
  held_ = nullptr;
  if (*outcome < never) {
    answer(payload, *outcome);
    return;
  }
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = delay_until(notes(payload).arrival);
  requests->nb_transport_bw(payload, phase, delay);
}

L1Cache::Outcome L1Cache::serve(Payload& payload, Cycle arrival) {
  let_in(arrival);
  MemoryExtension& extension = notes(payload);
  serving_ = &payload;
  extension.awaited = 0;
  Outcome outcome;
  if (extension.atomic) {
    outcome = atomic(payload, arrival);
  } else if (payload.is_write()) {
    outcome = write(payload, arrival);
  } else {
    outcome = read(payload, arrival);
  }
  serving_ = nullptr;
  return outcome;
}

L1Cache::Outcome L1Cache::read(Payload& payload, Cycle arrival) {
  const DeviceAddress address = payload.get_address();
  const SectorMask wanted = notes(payload).sectors;
  SectorTags::Line* line = cached() ? tags_->find(address) : nullptr;
  const auto missing = static_cast<SectorMask>(line != nullptr ? wanted & ~line->valid : wanted);
  if (missing == 0) {
    ++statistics_.hits;
    return begin(payload, arrival) + parameters_.hit_latency;
  }
  // Sectors on their way are waited for; the others are fetched. Nothing changes before there is room for all of it.
  SectorMask coming = 0;
  bool room_to_wait = true;
  const auto each_coming = [&](auto&& visit) {
    if (line == nullptr || line->pins == 0) return;
    misses_.for_each_of(address, [&](std::uint32_t /*index*/, MissTable::Miss& miss) {
      if ((miss.sectors & missing) != 0) visit(miss);
    });
  };
  each_coming([&](const MissTable::Miss& miss) {
    coming |= miss.sectors;
    room_to_wait = room_to_wait && (miss.filled < never || miss.waiting.size() < parameters_.merges);
  });
  const auto needed = static_cast<SectorMask>(missing & ~coming);
  if (!room_to_wait || (needed != 0 && misses_.full())) return std::nullopt;
  const bool new_line = line == nullptr;
  if (new_line && cached() && (line = make_room(address, arrival)) == nullptr) return std::nullopt;

  const Cycle start = begin(payload, arrival);
  MemoryExtension& extension = notes(payload);
  each_coming([&](MissTable::Miss& miss) {
    if (miss.filled < never) {
      extension.latest = std::max(extension.latest, miss.filled);
    } else {
      miss.waiting.push_back(&payload);
      ++extension.awaited;
    }
  });
  if (needed == 0) {
    ++statistics_.merges;
  } else {
    ++statistics_.misses;
    if (!new_line) ++statistics_.sector_misses;
    fetch(payload, needed, start, line);
  }
  return extension.awaited == 0 ? extension.latest + parameters_.hit_latency : never;
}

L1Cache::Outcome L1Cache::write(Payload& payload, Cycle arrival) {
  const DeviceAddress address = payload.get_address();
  const SectorMask sectors = notes(payload).sectors;
  if (notes(payload).local && cached()) {
    // Local memory is private: a line is allocated without a fetch and written back when it is evicted.
    SectorTags::Line* line = tags_->find(address);
    if (line == nullptr && (line = make_room(address, arrival)) == nullptr) return std::nullopt;
    line->valid |= sectors;
    line->modified |= sectors;
    ++statistics_.writes;
    return begin(payload, arrival);
  }
  if (writes_ >= parameters_.pending_writes) return std::nullopt;
  ++statistics_.writes;
  if (parameters_.write_policy == L1CacheWritePolicy::write_evict) drop(address, sectors);
  const Cycle start = begin(payload, arrival);
  send_write(address, sectors, start);
  return start;
}

L1Cache::Outcome L1Cache::atomic(Payload& payload, Cycle arrival) {
  if (misses_.full()) return std::nullopt;
  ++statistics_.writes;
  drop(payload.get_address(), notes(payload).sectors);
  const Cycle start = begin(payload, arrival);
  fetch(payload, 0, start, nullptr);
  return notes(payload).awaited == 0 ? notes(payload).latest + parameters_.hit_latency : never;
}

void L1Cache::drop(DeviceAddress address, SectorMask sectors) {
  if (!cached()) return;
  if (SectorTags::Line* line = tags_->find(address)) line->valid &= static_cast<SectorMask>(~sectors);
}

Cycle L1Cache::begin(Payload& payload, Cycle arrival) {
  Cycle& free = bank_free_[payload.get_address() / parameters_.line % parameters_.banks];
  const Cycle start = std::max(arrival, free);
  statistics_.bank_conflict_cycles += start - arrival;
  free = start + 1;
  notes(payload).arrival = start;
  notes(payload).latest = start;
  return start;
}

SectorTags::Line* L1Cache::make_room(DeviceAddress address, Cycle start) {
  SectorTags::Line* place = tags_->victim(address);
  if (place == nullptr) return nullptr;
  if (place->modified != 0) {
    if (writes_ >= parameters_.pending_writes) return nullptr;
    ++statistics_.write_backs;
    send_write(place->address, place->modified, start);
  }
  tags_->assign(*place, address);
  return place;
}

void L1Cache::fetch(Payload& payload, SectorMask sectors, Cycle start, SectorTags::Line* place) {
  const MemoryExtension& original = notes(payload);
  const std::uint32_t miss = misses_.take(payload.get_address(), sectors, place);
  if (place != nullptr) ++place->pins;
  misses_[miss].waiting.push_back(&payload);
  ++notes(payload).awaited;
  const SectorMask travelling = original.atomic ? original.sectors : sectors;
  statistics_.fetched_sectors += static_cast<std::uint64_t>(std::popcount(sectors));
  Payload& request = payloads_.acquire(payload.get_command(), payload.get_address(), bytes_of(travelling));
  MemoryExtension& extension = notes(request);
  extension.local = original.local;
  extension.atomic = original.atomic;
  extension.sectors = travelling;
  extension.ticket = miss;
  send(request, start);
}

void L1Cache::send_write(DeviceAddress line, SectorMask sectors, Cycle start) {
  ++writes_;
  Payload& request = payloads_.acquire(tlm::TLM_WRITE_COMMAND, line, bytes_of(sectors));
  notes(request).sectors = sectors;
  notes(request).ticket = acknowledged_write;
  send(request, start);
}

void L1Cache::send(Payload& request, Cycle start) {
  notes(request).sm = sm_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = delay_until(start);
  if (next_level->nb_transport_fw(request, phase, delay) == tlm::TLM_COMPLETED) finish(request, delay);
}

tlm::tlm_sync_enum L1Cache::take_answer(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  finish(payload, delay);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void L1Cache::finish(Payload& request, const sc_core::sc_time& delay) {
  const Cycle cycle = clock_.cycle_at(sc_core::sc_time_stamp() + delay);
  const std::uint32_t ticket = notes(request).ticket;
  request.release();
  fills_.emplace(cycle, ticket);
  if (ticket != acknowledged_write) {
    MissTable::Miss& miss = misses_[ticket];
    miss.filled = cycle;
    for (Payload* waiting : miss.waiting) {
      MemoryExtension& extension = notes(*waiting);
      extension.latest = std::max(extension.latest, cycle);
      if (--extension.awaited == 0 && waiting != serving_) answer(*waiting, extension.latest + parameters_.hit_latency);
    }
    miss.waiting.clear();
  }
  if (held_ != nullptr) room.notify(delay_until(next_event()));
}

void L1Cache::answer(Payload& payload, Cycle cycle) {
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = delay_until(cycle);
  requests->nb_transport_bw(payload, phase, delay);
}

void L1Cache::let_in(Cycle now) {
  for (; !fills_.empty() && fills_.top().first <= now; fills_.pop()) {
    const std::uint32_t ticket = fills_.top().second;
    if (ticket == acknowledged_write) {
      --writes_;
      continue;
    }
    const MissTable::Miss& miss = misses_[ticket];
    if (miss.place != nullptr) {
      miss.place->valid |= miss.sectors;
      --miss.place->pins;
    }
    misses_.release(ticket);
  }
}

}  // namespace reconverge
