// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Random warps for a stand-alone subwarp scheduler. They diverge, load, stall, yield, reconverge and end as the
/// contract of the ports allows.

#include <random>
#include <utility>
#include <vector>

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "models/cosim/subwarp_interleaving/subwarp_pins.hpp"

namespace reconverge {

struct SubwarpTrafficShape {
  std::uint32_t warps = 8;
  unsigned entries = 32;
  SelectTrigger trigger = SelectTrigger::any;
  bool threads = entries == most_entries;  ///< an entry is a thread; otherwise it is a subwarp, and only one is ACTIVE
  unsigned scoreboards = 1U << scoreboard_bits;
  unsigned outstanding = most_outstanding;  ///< largest value of a counter
};

/// `Partner`: as for SubwarpPins.
template <typename Partner>
class SubwarpTraffic : private SimulationContext {
 public:
  using Pins = SubwarpPins<Partner>;

  SubwarpTraffic(const SubwarpTrafficShape& shape, std::uint32_t seed, typename Pins::MakePartner make)
      : shape_(shape),
        random_(seed),
        pins_("scheduler", shape.warps, shape.entries, shape.trigger, std::move(make)),
        warps_(shape.warps) {
    elaborate();
  }

  Pins& pins() { return pins_; }

  void cycle() {
    // In some phases results come late, in others at once; in some nothing is selected, and in some warps do hardly
    // anything.
    if (cycle_++ % 256 == 0) {
      results_ = 1 + random_() % 8;
      selects_ = chance(3, 4);
      acts_ = 1 + random_() % 8;
      begins_ = chance(7, 8);
    }
    outstanding_ = operations_.size();
    touched_ = 0;
    for (std::uint32_t warp = 0; warp < shape_.warps; ++warp) {
      if (chance(acts_, 8)) act(warp);
      if (chance(1, 32)) pins_.waits(warp, chance(1, 2));
    }
    if (selects_ && chance(3, 4)) take();
    write_results();
    pins_.step();
  }

 private:
  using State = ThreadState;

  struct Warp {
    std::array<std::uint8_t, most_entries> pc{};                      // of threads; threads of a subwarp have the same
    std::array<std::array<std::uint8_t, 8>, most_entries> counter{};  // of each entry and scoreboard
  };

  bool chance(unsigned of, unsigned all) { return random_() % all < of; }
  EntryMask in(std::uint32_t warp, State state) const { return pins_.entries_in(warp, state); }
  EntryMask some(EntryMask of) {
    const auto mask = static_cast<EntryMask>(random_());
    return of & (chance(1, 3) ? mask & static_cast<EntryMask>(random_()) : chance(1, 3) ? ~EntryMask{0} : mask);
  }
  /// Mostly the same scoreboard.
  unsigned some_scoreboard() { return chance(2, 3) ? shape_.scoreboards / 2 : random_() % shape_.scoreboards; }
  static EntryMask lowest(EntryMask mask) { return mask & (~mask + 1); }
  EntryMask subwarp_of(std::uint32_t warp, EntryMask among, unsigned leader) const {
    if (!shape_.threads) return EntryMask{1} << leader;
    EntryMask peers = 0;
    for_each_entry(among, [&](unsigned entry) {
      if (warps_[warp].pc[entry] == warps_[warp].pc[leader]) peers |= EntryMask{1} << entry;
    });
    return peers;
  }
  void go_to(std::uint32_t warp, EntryMask entries, unsigned pc) {
    for_each_entry(entries, [&](unsigned entry) { warps_[warp].pc[entry] = static_cast<std::uint8_t>(pc); });
  }
  void set(std::uint32_t warp, EntryMask entries, State state) {
    if (entries != 0) pins_.set(warp, entries, state);
  }
  /// The subset of `entries` without outstanding results.
  EntryMask through(std::uint32_t warp, EntryMask entries) const {
    EntryMask left = 0;
    for_each_entry(entries, [&](unsigned entry) {
      const auto& counters = warps_[warp].counter[entry];
      if (std::ranges::all_of(counters, [](auto count) { return count == 0; })) left |= EntryMask{1} << entry;
    });
    return left;
  }

  void act(std::uint32_t warp) {
    const EntryMask active = in(warp, State::active);
    touched_ |= std::uint64_t{1} << warp;
    if (in(warp, State::inactive) == all_entries(shape_.entries)) {
      if (begins_ && chance(1, 4)) start(warp);
    } else if (active != 0) {
      run(warp, active);
    } else {
      touched_ &= ~(std::uint64_t{1} << warp);
      if (chance(1, 4)) choose(warp);
    }
  }

  void start(std::uint32_t warp) {
    const EntryMask lanes = chance(1, 4) ? some(all_entries(shape_.entries)) : all_entries(shape_.entries);
    if (lanes == 0) return;
    go_to(warp, lanes, 0);
    activate(warp, shape_.threads ? lanes : lowest(lanes));
  }

  /// Activates a subwarp without selection, possibly a different one from the one that selection would choose. It may
  /// find that it still waits.
  void activate(std::uint32_t warp, EntryMask entries) {
    set(warp, entries, State::active);
    if (chance(1, 8)) stall(warp, entries);
  }

  void run(std::uint32_t warp, EntryMask active) {
    switch (random_() % 12) {
      case 0:
      case 1:
        return load(warp, active);
      case 2:  // and needs the result at once
        load(warp, active);
        return stall(warp, active);
      case 3:
        return stall(warp, active);
      case 4:
        part(warp, active);
        return;
      case 5:  // and the side that stays active stalls
        return stall(warp, part(warp, active));
      case 6:
        return set(warp, active, State::ready);
      case 7:
        return set(warp, active, State::blocked);
      case 8:
        return meet(warp, active);
      case 9: {  // the side that stays active reaches a barrier
        const EntryMask goes_on = part(warp, active);
        if (goes_on != active) set(warp, goes_on, State::blocked);
        return;
      }
      case 10:
        if (chance(1, 3)) set(warp, through(warp, some(active)), State::inactive);
        return;
      default:
        return;
    }
  }

  void load(std::uint32_t warp, EntryMask active) {
    constexpr std::size_t enough = 48;
    if (operations_.size() > enough) return;
    const unsigned scoreboard = some_scoreboard();
    const EntryMask all = some(active);
    // Occasionally several, and enough to fill a counter.
    for (unsigned left = chance(15, 16) ? 1 : chance(1, 16) ? shape_.outstanding : 4; left != 0; --left) {
      EntryMask entries = 0;
      for_each_entry(all, [&](unsigned entry) {
        std::uint8_t& count = warps_[warp].counter[entry][scoreboard];
        if (count == shape_.outstanding) return;
        ++count;
        entries |= EntryMask{1} << entry;
      });
      // Lanes may get their results one after the other.
      const EntryMask first = chance(1, 3) ? some(entries) : entries;
      for (const EntryMask part : {first, entries & ~first}) {
        if (part != 0) operations_.push_back({warp, static_cast<std::uint8_t>(scoreboard), part});
      }
    }
  }

  void stall(std::uint32_t warp, EntryMask active) {
    if (active == 0 || !pins_.can_stall(warp)) return;
    const auto scoreboard = static_cast<std::uint8_t>(some_scoreboard());
    const auto count = [&](unsigned entry) { return warps_[warp].counter[entry][scoreboard]; };
    // Entries that wait for nothing stall with the others, if there are others.
    EntryMask waiting = 0;
    for_each_entry(active, [&](unsigned entry) { waiting |= EntryMask{count(entry) != 0} << entry; });
    if (waiting == 0 && !chance(1, 8)) return;
    for_each_entry(active, [&](unsigned entry) { pins_.stall(warp, EntryMask{1} << entry, scoreboard, count(entry)); });
    stalled_ = {warp, scoreboard, active};
  }

  /// A divergent branch. Returns the side that stays active.
  EntryMask part(std::uint32_t warp, EntryMask active) {
    if (!shape_.threads) {
      set(warp, lowest(in(warp, State::inactive)), State::ready);
      return active;
    }
    const EntryMask others = some(active);
    if (others == active) return active;
    go_to(warp, others, random_() % 6);
    set(warp, others, State::ready);
    return active & ~others;
  }

  /// The last participant reaches a barrier.
  void meet(std::uint32_t warp, EntryMask active) {
    const EntryMask blocked = in(warp, State::blocked);
    if (shape_.threads) {
      go_to(warp, blocked, warps_[warp].pc[first_of(active)]);
      set(warp, blocked, chance(7, 8) ? State::active : State::ready);
    } else {
      set(warp, through(warp, blocked), State::inactive);
    }
  }

  /// Divergence handling when no entry is ACTIVE.
  void choose(std::uint32_t warp) {
    const EntryMask ready = in(warp, State::ready);
    const EntryMask stalled = in(warp, State::stalled);
    const EntryMask blocked = in(warp, State::blocked);
    // Prefers a READY entry, then one that waits for memory.
    const EntryMask among = ready != 0 ? ready : stalled != 0 ? stalled : blocked;
    if (among == 0 || (among != blocked && !chance(1, among == ready ? 8 : 16))) return;
    touched_ |= std::uint64_t{1} << warp;
    activate(warp, subwarp_of(warp, among, first_of(among)));
  }

  void take() {
    const auto choice = pins_.offer();
    if (!choice || (touched_ >> choice->warp & 1U) != 0) return;
    const EntryMask peers = subwarp_of(choice->warp, in(choice->warp, State::ready), choice->leader);
    pins_.take(peers);
    if (chance(1, 16)) return stall(choice->warp, peers);
    if (chance(1, 16)) set(choice->warp, peers, State::blocked);
  }

  /// Writes results that were outstanding at the start of the cycle.
  void write_results() {
    std::array<std::size_t, write_back_ports> written{};
    std::size_t count = 0;
    for (unsigned port = 0; port < write_back_ports && outstanding_ > count; ++port) {
      if (!chance(results_, 8)) continue;
      std::size_t chosen = random_() % outstanding_;
      // Often one that concerns the same entries as the first, or as the stall of this cycle.
      for (unsigned tries = chance(1, 2) ? 16 : 0; tries != 0 && !meets(operations_[chosen], written, count); --tries) {
        chosen = random_() % outstanding_;
      }
      if (count == 1 && written[0] == chosen) continue;
      written[count++] = chosen;
      const WriteBack& result = operations_[chosen];
      pins_.write_back(port, result);
      for_each_entry(result.entries, [&](unsigned entry) { --warps_[result.warp].counter[entry][result.scoreboard]; });
    }
    stalled_ = {};
    if (count == 2 && written[0] < written[1]) std::swap(written[0], written[1]);
    for (std::size_t i = 0; i < count; ++i)
      operations_.erase(operations_.begin() + static_cast<std::ptrdiff_t>(written[i]));
  }
  bool meets(const WriteBack& result, const std::array<std::size_t, write_back_ports>& written,
             std::size_t count) const {
    const auto with = [&](const WriteBack& other) {
      return result.warp == other.warp && result.scoreboard == other.scoreboard &&
             (result.entries & other.entries) != 0;
    };
    return with(stalled_) || (count == 1 && with(operations_[written[0]]));
  }

  static unsigned first_of(EntryMask mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

  SubwarpTrafficShape shape_;
  std::mt19937 random_;
  Pins pins_;
  std::vector<Warp> warps_;
  std::vector<WriteBack> operations_;  // operations that have issued and have outstanding results
  std::size_t outstanding_ = 0;        // of these, at the start of the cycle
  std::uint64_t touched_ = 0;          // warps with a call in this cycle
  WriteBack stalled_;                  // the stall of this cycle
  std::uint64_t cycle_ = 0;
  unsigned results_ = 1;
  unsigned acts_ = 8;
  bool selects_ = true;
  bool begins_ = true;
};

}  // namespace reconverge
