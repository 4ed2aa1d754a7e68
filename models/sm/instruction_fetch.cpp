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
      group_bytes_(parameters.group * parameters.instruction_bytes),
      buffers_(warp_slots) {
  if (parameters.capacity != 0)
    own_.emplace(parameters.capacity, parameters.line, parameters.ways, "instruction_fetch");
  requests.bind(*this);
}

void InstructionFetch::begin(std::uint64_t instructions) {
  groups_ = static_cast<std::uint32_t>((instructions + parameters_.group - 1) / parameters_.group);
  if (own_) own_->clear();
  port_.begin();
  std::fill(buffers_.begin(), buffers_.end(), Buffer{});
}

void InstructionFetch::b_transport(FetchRequest& request, sc_core::sc_time& /*delay*/) {
  Buffer& buffer = buffers_[request.slot];
  const std::uint32_t group = request.group;
  if (request.begins) buffer = {};
  if (group == buffer.next.number) {
    buffer.current = buffer.next;
  } else if (group != buffer.current.number) {
    ++statistics_.redirects;
    // The way from a branch to the instruction behind it includes a fetch that hits.
    const Cycle from = std::max(request.now, std::max(request.earliest, parameters_.latency) - parameters_.latency);
    buffer.current = {fetch(group, request.now, from), group};
  }
  if (buffer.next.number != group + 1 && group + 1 < groups_)
    buffer.next = {fetch(group + 1, request.now, request.now), group + 1};
  request.ready = buffer.current.ready;
}

Cycle InstructionFetch::fetch(std::uint32_t group, Cycle now, Cycle from) {
  ++statistics_.fetches;
  const Cycle start = port_.reserve(0, now, from);
  const DeviceAddress line = line_of(group);
  LineStore::Place place;
  if (own_) place = own_->find(line, now);
  if (place.found != LineStore::Found::nowhere) {
    ++statistics_.hits;
    return std::min(never, std::max(place.filled, start) + parameters_.latency);
  }
  ++statistics_.misses;
  LineFetch request{line, now, start};
  sc_core::sc_time delay;
  next_level->b_transport(request, delay);
  const Cycle filled = std::min(never, request.filled + cache_latency_);
  if (own_) own_->expect(line, filled);
  return std::min(never, filled + parameters_.latency);
}

}  // namespace reconverge
