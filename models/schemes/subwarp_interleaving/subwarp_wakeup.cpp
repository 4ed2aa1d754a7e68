// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/subwarp_wakeup.hpp"

#include <stdexcept>

#include "models/protocols/ask.hpp"

namespace reconverge {

SubwarpWakeup::SubwarpWakeup(sc_core::sc_module_name name)
    : sc_module(name), broadcasts("broadcasts"), stalled("stalled"), updates("updates") {
  broadcasts.bind(static_cast<ControlTarget<Broadcast>&>(*this));
}

void SubwarpWakeup::b_transport(Broadcast& broadcast, sc_core::sc_time& /*delay*/) {
  std::optional<WriteBack>& result = results_.at(broadcast.port);
  if (result) throw std::logic_error("two results are broadcast at a port in a cycle");
  result = broadcast.result;
}

void SubwarpWakeup::step(std::optional<std::uint32_t> stalls) {
  // If both results are for one warp, its update contains both.
  std::uint64_t warps = stalls ? std::uint64_t{1} << *stalls : 0;
  for (const auto& result : results_) {
    if (result) warps |= std::uint64_t{1} << result->warp;
  }
  for (; warps != 0; warps &= warps - 1) update(static_cast<std::uint32_t>(std::countr_zero(warps)));
  results_ = {};
}

void SubwarpWakeup::update(std::uint32_t warp) {
  StalledEntries look{warp};
  send(stalled, look);
  StatusUpdate update{warp};
  for_each_entry(look.entries, [&](unsigned entry) {
    const StatusEntry& holding = look.holding[entry];
    unsigned matches = 0;
    for (const auto& result : results_) {
      const bool match = result && result->warp == warp && (result->entries >> entry & 1U) != 0 &&
                         result->scoreboard == holding.scoreboard;
      matches += match ? 1 : 0;
    }
    if (matches > holding.count) throw std::logic_error("more results are written than an entry waits for");
    const auto count = static_cast<std::uint8_t>(holding.count - matches);
    const EntryMask bit = EntryMask{1} << entry;
    if (matches != 0) update.counted |= bit;
    if (count == 0) update.woken |= bit;
    update.count[entry] = count;
  });
  if ((update.counted | update.woken) != 0) send(updates, update);
}

}  // namespace reconverge
