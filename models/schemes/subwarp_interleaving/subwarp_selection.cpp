// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/subwarp_selection.hpp"

#include <stdexcept>

#include "models/protocols/ask.hpp"

namespace reconverge {

SubwarpSelection::SubwarpSelection(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries,
                                   SelectTrigger trigger)
    : sc_module(name),
      waits("waits"),
      offers("offers"),
      takes("takes"),
      states("states"),
      ready("ready"),
      changes("changes"),
      all_(all_entries(entries)),
      trigger_(trigger),
      next_(warps) {
  waits.bind(static_cast<ControlTarget<WarpWaits>&>(*this));
  offers.bind(static_cast<ControlTarget<SubwarpOffer>&>(*this));
  takes.bind(static_cast<ControlTarget<SubwarpTake>&>(*this));
}

void SubwarpSelection::begin() {
  next_.assign(next_.size(), 0);
  waiting_ = will_wait_ = 0;
  taken_.reset();
}

void SubwarpSelection::step() {
  waiting_ = will_wait_;
  if (taken_) next_[taken_->warp] = static_cast<std::uint8_t>(taken_->next);
  taken_.reset();
}

bool SubwarpSelection::triggers(std::uint64_t stalled, std::uint64_t live) const {
  switch (trigger_) {
    case SelectTrigger::any:
      return stalled != 0;
    case SelectTrigger::half:
      return 2 * std::popcount(stalled) >= std::popcount(live);
    case SelectTrigger::all:
      return stalled == live;
  }
  return false;
}

unsigned SubwarpSelection::first_from(EntryMask entries, unsigned from) const {
  const EntryMask later = entries & (~EntryMask{0} << from);
  return static_cast<unsigned>(std::countr_zero(later != 0 ? later : entries));
}

std::optional<SubwarpChoice> SubwarpSelection::choose() {
  const BlockStates block = ask(states, BlockStates{});
  const std::uint64_t candidates = block.ready & ~block.active;
  if (candidates == 0) return std::nullopt;
  const std::uint64_t stalled = block.live & (~block.active | waiting_);
  if (!triggers(stalled, block.live)) return std::nullopt;
  const auto warp = static_cast<std::uint32_t>(std::countr_zero(candidates));
  return SubwarpChoice{warp, first_from(ask(ready, ReadyEntries{warp}).entries, next_[warp])};
}

void SubwarpSelection::b_transport(WarpWaits& message, sc_core::sc_time& /*delay*/) {
  const std::uint64_t bit = std::uint64_t{1} << message.warp;
  will_wait_ = message.waits ? will_wait_ | bit : will_wait_ & ~bit;
}

void SubwarpSelection::b_transport(SubwarpTake& take, sc_core::sc_time& /*delay*/) {
  const auto choice = choose();
  if (!choice || taken_) throw std::logic_error("a subwarp is taken that is not offered");
  const EntryMask some = ask(ready, ReadyEntries{choice->warp}).entries;
  if ((take.peers >> choice->leader & 1U) == 0 || (take.peers & ~some) != 0) {
    throw std::logic_error("a subwarp is taken without its leader, or with entries that are not READY");
  }
  const EntryMask others = all_ & ~take.peers;
  taken_ = {choice->warp, others == 0 ? 0 : first_from(others, choice->leader)};
  ask(changes, StateChange{choice->warp, take.peers, ThreadState::active});
}

}  // namespace reconverge
