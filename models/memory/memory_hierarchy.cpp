// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_hierarchy.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/error.hpp"

namespace reconverge {

MemoryHierarchy::MemoryHierarchy(const Blocks& blocks, unsigned sms, std::uint64_t sm_clock, const Outside* outside)
    : latency_(blocks.crossbar.latency),
      map_(blocks.l2, blocks.dram.channels),
      timeline_("memory_timeline", Clock(blocks.crossbar.clock).time(blocks.crossbar.latency)),
      calendar_(timeline_, Clock(blocks.crossbar.clock)),
      dram_calendar_(timeline_, Clock(blocks.dram.clock)),
      crossbar_("crossbar", blocks.crossbar, map_, sms, calendar_) {
  const CrossbarParameters& crossbar = blocks.crossbar;
  const L2CacheParameters& l2 = blocks.l2;
  const DramParameters& dram = blocks.dram;
  if (l2.clock_divider != 1) {
    l2_calendar_ = std::make_unique<Calendar>(timeline_, Clock(crossbar.clock / l2.clock_divider));
  }
  const bool in_sm_cycles = dram.latency_clock == DramLatencyClock::sm;
  const Cycle dram_latency =
      in_sm_cycles ? Clock(dram.clock).cycle_at(Clock(sm_clock).time(dram.latency)) : dram.latency;
  Calendar& l2_calendar = l2_calendar_ ? *l2_calendar_ : calendar_;
  for (unsigned channel = 0; channel < map_.channels(); ++channel) {
    const std::string name = fmt::format("channel_{}", channel);
    if (outside != nullptr) {
      outside_.push_back(std::make_unique<ExternalChannel>(name.c_str(), outside->parameters.style, outside->contents));
      outside->memory.bind(channel, outside_.back()->memory);
      continue;
    }
    about_parameter("gpu.dram.row_bytes", [&] {
      channels_.push_back(std::make_unique<DramChannel>(name.c_str(), dram, map_, dram_calendar_, dram_latency));
    });
  }
  for (unsigned slice = 0; slice < map_.slices(); ++slice) {
    const std::string name = fmt::format("slice_{}", slice);
    about_parameter("gpu.l2.capacity",
                    [&] { slices_.push_back(std::make_unique<L2Slice>(name.c_str(), l2, map_, l2_calendar)); });
    crossbar_.slices[slice].bind(slices_.back()->requests);
    const unsigned channel = map_.channel_of(slice);
    slices_.back()->memory.bind(outside_.empty() ? channels_[channel]->requests.add()
                                                 : outside_[channel]->requests.add());
  }
}

std::uint64_t MemoryHierarchy::outside() const {
  std::uint64_t requests = 0;
  for (const auto& channel : outside_) requests += channel->in_flight();
  return requests;
}

L2CacheStatistics MemoryHierarchy::l2_statistics() const {
  L2CacheStatistics sum;
  for (const auto& slice : slices_) sum += slice->statistics();
  return sum;
}

DramStatistics MemoryHierarchy::dram_statistics() const {
  DramStatistics sum;
  for (const auto& channel : channels_) sum += channel->statistics();
  return sum;
}

ExternalMemoryStatistics MemoryHierarchy::external_statistics() const {
  ExternalMemoryStatistics sum;
  for (const auto& channel : outside_) sum += channel->statistics();
  return sum;
}

void MemoryHierarchy::check_conservation() const {
  std::uint64_t held = crossbar_.waiting();
  std::uint64_t at_memory = 0;
  std::uint64_t memory_held = 0;
  for (const auto& slice : slices_) {
    held += slice->in_flight();
    at_memory += slice->at_memory();
    memory_held += slice->fills_waiting();
  }
  for (const auto& channel : channels_) memory_held += channel->in_flight();
  memory_held += outside();
  if (held != in_flight() || memory_held != at_memory) {
    throw std::logic_error(
        fmt::format("requests were lost: the crossbar waits for {}, and it and the slices hold {}; "
                    "the slices wait for {}, and they and memory hold {}",
                    in_flight(), held, at_memory, memory_held));
  }
}

}  // namespace reconverge
