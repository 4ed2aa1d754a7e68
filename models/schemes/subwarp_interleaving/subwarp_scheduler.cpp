// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/subwarp_scheduler.hpp"

#include <stdexcept>

#include "models/protocols/ask.hpp"

namespace reconverge {

SubwarpScheduler::SubwarpScheduler(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries,
                                   SelectTrigger trigger)
    : SubwarpUnit(name),
      table_("table", warps, entries),
      stall_("stall"),
      wakeup_("wakeup"),
      selection_("selection", warps, entries, trigger),
      changes_("changes"),
      stalls_("stalls"),
      broadcasts_("broadcasts"),
      waits_("waits"),
      offers_("offers"),
      takes_("takes") {
  changes_.bind(table_.changes);
  stalls_.bind(stall_.stalls);
  stall_.captures.bind(table_.captures);
  broadcasts_.bind(wakeup_.broadcasts);
  wakeup_.stalled.bind(table_.stalled);
  wakeup_.updates.bind(table_.updates);
  waits_.bind(selection_.waits);
  offers_.bind(selection_.offers);
  takes_.bind(selection_.takes);
  selection_.states.bind(table_.states);
  selection_.ready.bind(table_.ready);
  selection_.changes.bind(table_.changes);
}

void SubwarpScheduler::begin() {
  table_.begin();
  stall_.step();
  wakeup_.begin();
  selection_.begin();
}

void SubwarpScheduler::set(std::uint32_t warp, EntryMask entries, ThreadState state) {
  ask(changes_, StateChange{warp, entries, state});
}

void SubwarpScheduler::stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) {
  if ((entries & ~table_.entries_to_be_in(warp, ThreadState::active)) != 0) {
    throw std::logic_error("entries stall that are not ACTIVE");
  }
  ask(stalls_, StallCapture{warp, entries, scoreboard, count});
}

void SubwarpScheduler::write_back(unsigned port, const WriteBack& result) { ask(broadcasts_, Broadcast{port, result}); }

void SubwarpScheduler::waits(std::uint32_t warp, bool waits) { ask(waits_, WarpWaits{warp, waits}); }

std::optional<SubwarpChoice> SubwarpScheduler::offer() { return ask(offers_, SubwarpOffer{}).choice; }

void SubwarpScheduler::take(EntryMask peers) {
  const auto choice = offer();
  if (choice && (peers & ~table_.entries_to_be_in(choice->warp, ThreadState::ready)) != 0) {
    throw std::logic_error("entries are taken that are not READY, or were told another state in this cycle");
  }
  ask(takes_, SubwarpTake{peers});
}

void SubwarpScheduler::step() {
  wakeup_.step(stall_.warp());
  stall_.step();
  selection_.step();
  table_.step();
}

}  // namespace reconverge
