// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_hierarchy.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/core/error.hpp"

namespace reconverge {

MemoryHierarchy::MemoryHierarchy(const CrossbarParameters& crossbar, const L2CacheParameters& l2,
                                 const DramParameters& dram, unsigned sms, std::uint64_t sm_clock)
    : latency_(crossbar.latency),
      map_(l2, dram.channels),
      timeline_("memory_timeline", Clock(crossbar.clock).time(crossbar.latency)),
      calendar_(timeline_, Clock(crossbar.clock)),
      dram_calendar_(timeline_, Clock(dram.clock)),
      crossbar_("crossbar", crossbar, map_, sms, calendar_) {
  if (l2.clock_divider != 1) {
    l2_calendar_ = std::make_unique<Calendar>(timeline_, Clock(crossbar.clock / l2.clock_divider));
  }
  const bool in_sm_cycles = dram.latency_clock == DramLatencyClock::sm;
  const Cycle dram_latency =
      in_sm_cycles ? Clock(dram.clock).cycle_at(Clock(sm_clock).time(dram.latency)) : dram.latency;
  Calendar& l2_calendar = l2_calendar_ ? *l2_calendar_ : calendar_;
  for (unsigned channel = 0; channel < map_.channels(); ++channel) {
    const std::string name = fmt::format("channel_{}", channel);
    about_parameter("gpu.dram.row_bytes", [&] {
      channels_.push_back(std::make_unique<DramChannel>(name.c_str(), dram, map_, dram_calendar_, dram_latency));
    });
  }
  for (unsigned slice = 0; slice < map_.slices(); ++slice) {
    const std::string name = fmt::format("slice_{}", slice);
    about_parameter("gpu.l2.capacity",
                    [&] { slices_.push_back(std::make_unique<L2Slice>(name.c_str(), l2, map_, l2_calendar)); });
    crossbar_.slices[slice].bind(slices_.back()->requests);
    slices_.back()->memory.bind(channels_[map_.channel_of(slice)]->requests.add());
  }
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
  if (held != in_flight() || memory_held != at_memory) {
    throw std::logic_error(
        fmt::format("requests were lost: the crossbar waits for {}, and it and the slices hold {}; "
                    "the slices wait for {}, and they and memory hold {}",
                    in_flight(), held, at_memory, memory_held));
  }
}

}  // namespace reconverge
