// SPDX-License-Identifier: Apache-2.0
// What a slice of the second-level cache does with requests and with answers of memory: tags, misses, evictions.

#include "models/memory/l2_slice.hpp"

namespace reconverge {

L2Slice::Request L2Slice::describe(tlm::tlm_generic_payload& payload) const {
  const auto& extension = notes_of(payload);
  const DeviceAddress line = payload.get_address() & ~(parameters_.line - 1);
  const auto shift = static_cast<unsigned>((payload.get_address() - line) / sector_bytes);
  const auto touched = static_cast<SectorMask>(sectors_of(payload, extension) << shift);
  Request request{&payload, line,  map_.in_slice(line).offset, touched, rounded_up(touched),
                  0,        false, payload.is_write()};
  request.write = request.modifies && !extension.atomic;
  // A write of less than the sectors that it touches needs the rest of their data.
  const bool full = payload.get_data_length() >= bytes_of(touched);
  const auto written = request.write && full ? rounded_down(touched) : SectorMask{0};
  request.needed = static_cast<SectorMask>(request.whole & ~written);
  return request;
}

L2Slice::Stall L2Slice::look_up(const Request& request) {
  const bool through = parameters_.write_policy == L2CacheWritePolicy::write_through;
  std::uint32_t index = tags_.find(request.line, request.offset);
  const bool found = index != SectorTags::none;
  if (request.write && through) {
    // Sectors that are written in full are valid from now on; nothing is allocated or fetched for the rest.
    if (!writes_fit(1)) return L2CacheStalls::write_buffer;
    if (found) tags_.line(index).valid |= static_cast<SectorMask>(request.touched & ~request.needed);
    if (found) tags_.touch(index);
    write_to_memory(request.line, request.touched);
    count(request, found, 0, 0);
    answer_in_turn(*request.payload);
    return {};
  }
  const SectorMask valid = found ? tags_.line(index).valid : SectorMask{0};
  const SectorMask asked = found ? tags_.line(index).asked : SectorMask{0};
  const auto missing = static_cast<SectorMask>(request.needed & ~valid);
  const auto fetched = static_cast<SectorMask>(missing & ~asked);
  const bool waits = !request.write && missing != 0;
  std::uint32_t miss = found ? tags_.line(index).miss : SectorTags::none;
  const bool opens = miss == SectorTags::none && missing != 0;

  if (opens && misses_.full()) return L2CacheStalls::mshr;
  if (waits && !opens && misses_.entry(miss).waiting >= parameters_.merges) return L2CacheStalls::merge;
  unsigned writes = through && request.modifies ? 1 : 0;
  if (!found) {
    index = tags_.victim(request.offset);
    if (index == SectorTags::none) return L2CacheStalls::set;
    if (tags_.line(index).modified != 0) ++writes;
  }
  if (!writes_fit(writes)) return L2CacheStalls::write_buffer;

  count(request, found, missing, fetched);
  if (!found) allocate(request, index);
  SectorTags::Line& line = tags_.line(index);
  tags_.touch(index);
  if (opens) line.miss = miss = misses_.open(index);
  line.asked |= fetched;
  if (request.write) line.valid |= static_cast<SectorMask>(request.touched & ~request.needed);
  if (request.modifies && !through) line.modified |= request.whole;
  if (waits) {
    misses_.wait(miss, *request.payload, request.needed);
  } else {
    answer_in_turn(*request.payload);
  }
  if (fetched != 0) fetch(miss, request.line, fetched);
  if (through && request.modifies) write_to_memory(request.line, request.touched);
  return {};
}

L2Slice::Stall L2Slice::pass(const Request& request) {
  tlm::tlm_generic_payload& payload = *request.payload;
  const bool atomic = notes_of(payload).atomic;
  const bool modifies = payload.is_write();
  const bool reads = atomic || !modifies;
  if (reads && misses_.size() + passed_ >= parameters_.mshrs) return L2CacheStalls::mshr;
  if (modifies && !writes_fit(1)) return L2CacheStalls::write_buffer;
  if (observer_ != nullptr && reads) observer_->l2_read(time_now(), false);
  if (!modifies) {
    ++passed_;
    ++statistics_.misses;
    read_from_memory(payload);
    return {};
  }
  if (atomic) {
    ++statistics_.atomics;
    ++statistics_.misses;
    const std::uint32_t miss = misses_.open(SectorTags::none);
    misses_.wait(miss, payload, request.whole);
    fetch(miss, request.line, request.whole);
  } else {
    ++statistics_.writes;
    answer_in_turn(payload);
  }
  write_to_memory(request.line, request.touched);
  return {};
}

void L2Slice::count(const Request& request, bool line_found, SectorMask missing, SectorMask fetched) {
  if (request.write) {
    ++statistics_.writes;
    if (fetched != 0) ++statistics_.write_fetches;
    return;
  }
  if (request.modifies) ++statistics_.atomics;
  if (observer_ != nullptr) observer_->l2_read(time_now(), missing == 0);
  if (missing == 0) {
    ++statistics_.hits;
  } else if (fetched == 0) {
    ++statistics_.merges;
  } else {
    ++statistics_.misses;
    if (line_found) ++statistics_.sector_misses;
  }
}

void L2Slice::allocate(const Request& request, std::uint32_t victim) {
  if (const SectorMask modified = tags_.line(victim).modified; modified != 0) {
    ++statistics_.write_backs;
    write_to_memory(tags_.address(victim), modified);
  }
  tags_.replace(victim, request.line);
}

void L2Slice::fetch(std::uint32_t miss, DeviceAddress line, SectorMask sectors) {
  ++misses_.entry(miss).fetches;
  auto [payload, notes] = payloads_.acquire(tlm::TLM_READ_COMMAND, line, bytes_of(sectors));
  notes.sectors = sectors;
  notes.ticket = miss;
  read_from_memory(payload);
}

void L2Slice::read_from_memory(tlm::tlm_generic_payload& payload) {
  statistics_.bytes_from_memory += payload.get_data_length();
  if (observer_ != nullptr) observer_->memory_bytes(time_now(), payload.get_data_length());
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = calendar_.time_until(calendar_.now());
  if (memory->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) nb_transport_bw(payload, phase, delay);
}

void L2Slice::write_to_memory(DeviceAddress line, SectorMask sectors) {
  auto [payload, notes] = payloads_.acquire(tlm::TLM_WRITE_COMMAND, line, bytes_of(sectors));
  statistics_.bytes_to_memory += payload.get_data_length();
  if (observer_ != nullptr) observer_->memory_bytes(time_now(), payload.get_data_length());
  notes.sectors = sectors;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = calendar_.time_until(calendar_.now());
  if (memory->nb_transport_fw(payload, phase, delay) == tlm::TLM_COMPLETED) {
    payload.release();
  } else {
    ++writes_out_;
  }
}

void L2Slice::fill() {
  tlm::tlm_generic_payload& payload = *fills_.pop().payload;
  const auto& extension = notes_of(payload);
  retry_ = true;
  if (extension.owner != &payloads_) {
    --passed_;
    answer_in_turn(payload);
    return;
  }
  const std::uint32_t miss = extension.ticket;
  SliceMisses::Entry& entry = misses_.entry(miss);
  SectorMask there = extension.sectors;
  SectorTags::Line* line = entry.line == SectorTags::none ? nullptr : &tags_.line(entry.line);
  if (line != nullptr) {
    there = line->valid |= extension.sectors;
    line->asked &= static_cast<SectorMask>(~extension.sectors);
  }
  misses_.release(miss, there, [&](tlm::tlm_generic_payload& waiting) { answer_in_turn(waiting); });
  if (--entry.fetches == 0) {
    if (line != nullptr) line->miss = SectorTags::none;
    misses_.close(miss);
  }
  payload.release();
}

SectorMask L2Slice::rounded_down(SectorMask sectors) const {
  return static_cast<SectorMask>(~rounded_up(static_cast<SectorMask>(~sectors)));
}

SectorMask L2Slice::rounded_up(SectorMask sectors) const {
  const auto length = static_cast<unsigned>(parameters_.sector / sector_bytes);
  if (length == 1) return sectors;
  const unsigned one = (1U << length) - 1U;
  unsigned all = 0;
  for (unsigned first = 0; first < max_sectors; first += length) {
    if ((sectors >> first & one) != 0) all |= one << first;
  }
  return static_cast<SectorMask>(all);
}

}  // namespace reconverge
