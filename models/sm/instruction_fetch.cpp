// SPDX-License-Identifier: Apache-2.0
#include "models/sm/instruction_fetch.hpp"

#include <algorithm>

namespace reconverge {

InstructionFetch::InstructionFetch(sc_core::sc_module_name name, const InstructionFetchParameters& parameters,
                                   Cycle cache_latency, std::size_t warp_slots)
    : sc_module(name),
      requests("requests"),
      next_level("next_level"),
      parameters_(parameters),
      cache_latency_(parameters.capacity != 0 ? cache_latency : 0),
      buffers_(warp_slots) {
  if (parameters.capacity != 0)
    own_.emplace(parameters.capacity, parameters.line, parameters.ways, "instruction_fetch");
  requests.bind(*this);
}

void InstructionFetch::begin(std::uint64_t instructions) {
  end_ = static_cast<kernel::Pc>(instructions);
  if (own_) own_->clear();
  stream_ = stream_end_ = 0;
  port_.begin();
  std::fill(buffers_.begin(), buffers_.end(), Buffer{});
}

void InstructionFetch::serve(FetchRequest& request) {
  if (request.begins) buffers_[request.slot] = {};
  if (parameters_.refill == InstructionFetchRefill::ahead) {
    fill_ahead(request);
  } else {
    fill_empty(request);
  }
}

void InstructionFetch::fill_ahead(FetchRequest& request) {
  Buffer& buffer = buffers_[request.slot];
  const auto size = static_cast<kernel::Pc>(parameters_.group);
  // Divides only if the prefetched group does not match: division is the slowest operation of this function.
  if (buffer.next.has(request.pc, size)) {
    buffer.current = buffer.next;
  } else if (!buffer.current.has(request.pc, size)) {
    ++statistics_.redirects;
    const kernel::Pc first = request.pc / size * size;
    // The latency from a branch to the next instruction includes a fetch that hits.
    const Cycle from = std::max(request.now, std::max(request.earliest, parameters_.latency) - parameters_.latency);
    buffer.current = {fetch(first, request.now, from), first};
  }
  request.first = buffer.current.first;
  const kernel::Pc next = request.first + size;
  if (buffer.next.first != next && next < end_) buffer.next = {fetch(next, request.now, request.now), next};
  request.ready = buffer.current.ready;
}

void InstructionFetch::fill_empty(FetchRequest& request) {
  ++statistics_.redirects;
  Cycle from = std::max(request.now, request.earliest);
  if (request.past < end_) {
    // A group that was fetched in vain is discarded only when its first instruction could issue.
    const Cycle came = fetch(request.past, request.now, request.now);
    if (came < never) from = std::max(from, came);
  }
  Group& current = buffers_[request.slot].current;
  current = {fetch(request.pc, request.now, from), request.pc};
  request.ready = current.ready;
}

Cycle InstructionFetch::fetch(kernel::Pc first, Cycle now, Cycle from) {
  ++statistics_.fetches;
  const Cycle start = port_.reserve(now, from);
  const DeviceAddress line = line_of(first);
  LineStore::Place place;
  if (own_) place = own_->find(line, now);
  Cycle filled = std::max(place.filled, start);
  if (place.found != LineStore::Found::nowhere) {
    ++statistics_.hits;
  } else {
    ++statistics_.misses;
    filled = request_line(line, now, start);
    stream_ = line;
    stream_end_ = line + parameters_.line;
  }
  if (own_ && parameters_.prefetch != 0) prefetch(line, now, start);
  return std::min(never, filled + parameters_.latency);
}

Cycle InstructionFetch::request_line(DeviceAddress line, Cycle now, Cycle cycle) {
  LineFetch request{line, now, cycle};
  next_level.send(request);
  const Cycle filled = std::min(never, request.filled + cache_latency_);
  if (own_) own_->expect(line, filled);
  return filled;
}

void InstructionFetch::prefetch(DeviceAddress line, Cycle now, Cycle cycle) {
  if (line < stream_ || line >= stream_end_) return;
  stream_ = line + parameters_.line;
  const DeviceAddress last = std::min(line + parameters_.prefetch * parameters_.line, line_of(end_ - 1));
  for (; stream_end_ <= last; stream_end_ += parameters_.line) {
    const bool known = own_->find(stream_end_, now).found != LineStore::Found::nowhere;
    if (!known) request_line(stream_end_, now, ++cycle);
  }
}

}  // namespace reconverge
