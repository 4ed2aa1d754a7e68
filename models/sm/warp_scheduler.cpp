// SPDX-License-Identifier: Apache-2.0
#include "models/sm/warp_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

namespace reconverge {

namespace {

constexpr unsigned no_entry = WakeRing::capacity;

constexpr std::uint64_t bit_of(unsigned entry) { return std::uint64_t{1} << entry; }

unsigned first_of(std::uint64_t entries) { return static_cast<unsigned>(std::countr_zero(entries)); }
unsigned last_of(std::uint64_t entries) { return 63 - static_cast<unsigned>(std::countl_zero(entries)); }

/// The first of `entries` after `last`; if there is none, the first of all.
unsigned next_after(std::uint64_t entries, unsigned last) {
  const std::uint64_t later = entries & ~(bit_of(last) | (bit_of(last) - 1));
  return first_of(later != 0 ? later : entries);
}

}  // namespace

WarpScheduler::WarpScheduler(sc_core::sc_module_name name, std::uint32_t number,
                             const WarpSchedulerParameters& parameters, std::span<const SchemePort> ports,
                             const Buffering& buffering)
    : sc_module(name),
      sm("sm"),
      issue("issue"),
      results("results"),
      scoreboard("scoreboard"),
      fetch("fetch"),
      number_(number),
      parameters_(parameters),
      ports_(ports.begin(), ports.end()),
      traits_(ports.front().traits),
      reports_(traits_.loads || traits_.results || traits_.stalls),
      buffer_(buffering.buffer),
      fetch_group_(static_cast<kernel::Pc>(buffering.group)) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    schemes.push_back(std::make_unique<Initiator<SchemeRequest>>(("scheme_" + std::to_string(i)).c_str()));
  }
  const auto leaves = [this](Cause cause) { leaves_active_ |= std::uint64_t{1} << static_cast<std::size_t>(cause); };
  for (const Cause cause : {Cause::memory, Cause::barrier, Cause::empty}) leaves(cause);
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    for (std::size_t i = 0; i < ports_[port].causes; ++i) {
      of_schemes_.push_back(cause_of(port, static_cast<std::uint8_t>(i)));
      if (port == 0) leaves(of_schemes_.back());
      if ((ports_[port].traits.load_causes >> i & 1U) != 0) load_causes_.push_back(of_schemes_.back());
    }
  }
  std::ranges::sort(of_schemes_);
}

void WarpScheduler::add(Warp& warp) {
  entries_.emplace_back().warp = &warp;
  stride_ = static_cast<std::uint32_t>(parameters_.count);
}

void WarpScheduler::begin(const ProgramImage& image, std::span<const std::uint8_t> owner_of_extension, Cycle now) {
  image_ = &image;
  owner_of_extension_.assign(owner_of_extension.begin(), owner_of_extension.end());
  accounted_ = now;
  next_sample_ = interval_ != 0 ? now + interval_ : never;
  samples_ = 0;
  sampled_ = counted();
  last_ = 0;
  ready_ = 0;
  ready_ranks_ = 0;
  for_load_store_ = for_load_store_ranks_ = closed_ = closed_ranks_ = 0;
  closed_until_ = never;
  held_before_ = 0;
  entry_of_rank_.clear();
  told_to_wait_ = waits_for_units_ = 0;
  refused_until_ = 0;
  active_ = 0;
  held_ = {};
  ring_.begin(now);
  for (unsigned entry = 0; entry < entries_.size(); ++entry) {
    hold(entry, Cause::empty, never);
    entries_[entry].forget_buffer();
    entries_[entry].next = &image.decoded(0);
    entries_[entry].age = ~std::uint64_t{0};
    entries_[entry].issued = kernel::no_pc;
  }
  plan();
}

void WarpScheduler::rank(const Warp& warp) {
  const unsigned entry = entry_of(warp);
  if (entries_[entry].age == warp.age) return;
  if ((closed_ & bit_of(entry)) != 0) leave_closed(entry);  // by its former rank
  entries_[entry].age = warp.age;
  entries_[entry].issued = kernel::no_pc;
  if (entry_of_rank_.size() == WakeRing::capacity) {
    // The other warps move down to the ranks of warps that have ended.
    ready_ranks_ = closed_ranks_ = for_load_store_ranks_ = 0;
    std::uint8_t kept = 0;
    for (unsigned i = 0; i < WakeRing::capacity; ++i) {
      const unsigned other = entry_of_rank_[i];
      if (entries_[other].rank != i || other == entry) continue;
      if (is_ready(other)) ready_ranks_ |= bit_of(kept);
      if ((closed_ & bit_of(other)) != 0) closed_ranks_ |= bit_of(kept);
      if ((for_load_store_ & bit_of(other)) != 0) for_load_store_ranks_ |= bit_of(kept);
      entries_[other].rank = kept;
      entry_of_rank_[kept++] = other;
    }
    entry_of_rank_.resize(kept);
  }
  entries_[entry].rank = static_cast<std::uint8_t>(entry_of_rank_.size());
  entry_of_rank_.push_back(entry);
}

void WarpScheduler::resume(const Warp& warp, Cycle now, Cycle cycle) {
  const unsigned entry = entry_of(warp);
  account_until(now);
  rank(warp);
  told_to_wait_ &= ~bit_of(entry);
  if (traits_.lanes_alone) {
    hold(entry, Cause::dependency, cycle);
  } else {
    IssueRequest nothing_issued;
    nothing_issued.now = now;
    nothing_issued.result = cycle;
    look_ahead(entry, nothing_issued);
  }
  plan();
}

WarpScheduler::Cause WarpScheduler::cause_of(std::size_t scheme, std::uint8_t cause) const {
  const SchemePort& port = ports_[scheme];
  if (cause >= port.causes) throw std::logic_error("a scheme holds a warp for a cause that its block file lacks");
  return static_cast<Cause>(static_cast<std::size_t>(port.first_cause) + cause);
}

void WarpScheduler::stand(const Warp& warp, Cycle now, std::size_t number, std::uint8_t cause, Cycle until) {
  const unsigned entry = entry_of(warp);
  account_until(now);
  held_before_ &= ~bit_of(entry);
  if (warp.live != 0) {
    rank(warp);
    hold(entry, cause_of(number, cause), until);
    told_to_wait_ |= bit_of(entry);
  } else {
    hold(entry, Cause::empty, never);
    told_to_wait_ &= ~bit_of(entry);
  }
  plan();
}

void WarpScheduler::write_back(const WritebackRequest& result) {
  const unsigned entry = result.slot / stride_;
  const Warp& warp = *entries_[entry].warp;
  const DecodedInstruction& decoded = image_->decoded(result.pc);
  ResultRequest rows{result.slot, &decoded, result.now, result.result};
  sc_core::sc_time delay;
  if (!result.written) results->b_transport(rows, delay);
  const bool lanes_alone = traits_.lanes_alone;
  ScoreboardRequest query;
  query.slot = result.slot;
  query.homes = result.homes;
  query.lanes = result.lanes;
  query.issued = &decoded;
  query.result = rows.result;
  query.from_memory = true;
  query.written_back = true;
  const bool same_threads = result.homes == nullptr && !warp.homes.moved;
  if (!lanes_alone && same_threads) {
    query.next = &image_->decoded(warp.path.pc);
    query.next_lanes = warp.path.lanes;
  }
  scoreboard.send(query);
  const bool held = !is_ready(entry);
  if (!lanes_alone && same_threads) {
    entries_[entry].registers = query.ready;
    note_unit(entry, query.waits_for_unit);
    if (is_held(entry, Cause::memory)) hold_until_ready(entry);
  }
  if (traits_.results || traits_.loads) {
    IssueRequest earlier;
    earlier.warp = entries_[entry].warp;
    earlier.decoded = &decoded;
    earlier.now = result.now;
    earlier.result = rows.result;
    earlier.from_memory = true;
    SchemeRequest message = message_of(SchemeEvent::result, warp, result.lanes, earlier);
    message.pc = result.pc;
    message.stands = !lanes_alone && held && warp.path.lanes != 0 && !warp.at_barrier && !warp.held_by_scheme;
    tell(message, 0, *entries_[entry].warp);
    if (lanes_alone) {
      if (held) ring_.set(entry, std::min(message.until, ring_.due(entry)));
    } else if (message.answer == SchemeAnswer::run) {
      run_another(entry, std::max(message.from, result.now), result.now);
    }
  }
  bring_forward();
}

void WarpScheduler::look_again(const Warp& warp) {
  const unsigned entry = entry_of(warp);
  if (!is_held(entry, Cause::memory)) return;
  ScoreboardRequest query;
  query.slot = warp.slot;
  query.homes = &warp.homes;
  query.next = &image_->decoded(warp.path.pc);
  query.next_lanes = warp.path.lanes;
  query.written_back = true;
  scoreboard.send(query);
  entries_[entry].registers = query.ready;
  hold_until_ready(entry);
  bring_forward();
}

void WarpScheduler::fetched(const Warp& warp, Cycle cycle) {
  const unsigned entry = entry_of(warp);
  entries_[entry].fetched = cycle;
  if (is_held(entry, Cause::fetch)) hold_until_ready(entry);
  bring_forward();
}

void WarpScheduler::retry(Cause cause, Cycle now) {
  for (std::uint64_t left = held_[cause] & ~closed_; left != 0; left &= left - 1) {
    const unsigned entry = first_of(left);
    if (ring_.due(entry) >= never) ring_.set(entry, now);
  }
  if (cause == Cause::pipe) {
    refused_until_ = std::min(refused_until_, now);
    if (closed_ != 0 && closed_until_ >= never) closed_until_ = now;
  }
  bring_forward();
}

WarpScheduler::Cause WarpScheduler::cause_of_idleness() const {
  if ((ready_ & eligible()) != 0 && refused_until_ >= accounted_) return Cause::pipe;
  // Slots are charged to the cause of the warp that is closest to issuing its next instruction.
  for (const Cause cause :
       {Cause::pipe, Cause::collector, Cause::dependency, Cause::fetch, Cause::memory, Cause::barrier}) {
    if (held_[cause] != 0) return cause;
  }
  return held_by_schemes();
}

WarpScheduler::Cause WarpScheduler::held_by_schemes() const {
  const auto first = std::ranges::find_if(of_schemes_, [this](Cause cause) { return held_[cause] != 0; });
  return first != of_schemes_.end() ? *first : Cause::empty;
}

void WarpScheduler::plan() {
  plan_after(0);
  *moved_ = true;
}

inline void WarpScheduler::plan_after(std::uint64_t issued) {
  const Cycle next = next_chance();
  *next_event_ = next;
  // The cause is not needed if all slots are used and the next cycle has a tick.
  if (next > accounted_ || issued < parameters_.dispatch) idle_cause_ = cause_of_idleness();
  if (next > accounted_) find_load_stalls();
  if (observer_ != nullptr && (next > accounted_ || issued == 0)) [[unlikely]]
    find_idle_place();
}

void WarpScheduler::find_load_stalls() {
  if (traits_.lanes_alone) return;
  std::uint64_t stalled = held_[Cause::memory] & ~waits_for_units_;
  if (!load_causes_.empty()) stalled |= held_for_loads();
  load_stalls_ = stalled != 0;
  divergent_load_stalls_ = (stalled & diverged_) != 0;
}

std::uint64_t WarpScheduler::held_for_loads() const {
  std::uint64_t held = 0;
  for (const Cause cause : load_causes_) held |= held_[cause];
  return held;
}

void WarpScheduler::charge_load_stalls(Cycle cycles) {
  // Products, because the host cannot predict the branches.
  statistics_.load_stalls[WarpSchedulerLoadStalls::exposed] += Cycle{load_stalls_} * cycles;
  statistics_.load_stalls[WarpSchedulerLoadStalls::divergent] += Cycle{divergent_load_stalls_} * cycles;
}

void WarpScheduler::bring_forward() {
  *next_event_ = std::min(*next_event_, next_chance());
  *moved_ = true;
}

void WarpScheduler::finish(Cycle end) {
  account_until(end);
  if (interval_ != 0 && end + interval_ > next_sample_) add_sample();
}

SlotCounts WarpScheduler::counted() const { return {statistics_.active_lanes, statistics_.slots}; }

void WarpScheduler::add_sample() {
  const SlotCounts now = counted();
  sink_(samples_++, now.since(sampled_));
  sampled_ = now;
}

void WarpScheduler::sample_until(Cycle now) {
  for (; next_sample_ <= now; next_sample_ += interval_) {
    charge_until(next_sample_);
    add_sample();
  }
}

void WarpScheduler::account_until(Cycle now) {
  if (now >= next_sample_) [[unlikely]]
    sample_until(now);
  charge_until(now);
}

void WarpScheduler::charge_until(Cycle now) {
  // Without a branch, because the host cannot predict whether a cycle has passed.
  const Cycle cycles = std::max(now, accounted_) - accounted_;
  statistics_.slots[idle_cause_] += cycles * parameters_.dispatch;
  charge_load_stalls(cycles);
  if (observer_ != nullptr && cycles != 0) [[unlikely]]
    note_lost(accounted_, cycles);
  accounted_ += cycles;
}

// With the selection of a warp and the next plan inlined; what few ticks need has separate functions.
[[gnu::flatten]] void WarpScheduler::tick(Cycle now) {
  account_until(now);
  accounted_ = now + 1;  // this function charges the slots of cycle `now`
  const std::uint64_t woken = ring_.take(now);
  ready_ |= woken;
  // The first pass has no condition, because the host cannot predict it: without an entry it changes nothing.
  std::uint64_t left = woken;
  do {
    const unsigned first = first_of(left) % WakeRing::capacity;
    const Entry& one = entries_[first];
    one.prefetch();
    held_[one.cause] &= ~woken;
    ready_ranks_ |= (left >> first & 1U) << one.rank;
    left &= left - 1;
  } while (left != 0);
  if (closed_until_ <= now) try_load_store(now);
  if ((woken & told_to_wait_) != 0) end_waits(woken & told_to_wait_, now);
  if (parameters_.policy == WarpSchedulerPolicy::two_level) fill_active();
  const std::uint64_t issued = traits_.lanes_alone ? issue_threads(now) : issue_warp(now);
  plan_after(issued);
  if (issued == 0) {
    if (*next_event_ <= accounted_) find_load_stalls();
    charge_load_stalls(1);
    if (observer_ != nullptr) [[unlikely]]
      note_lost(now, 1);
  }
  statistics_.slots[Cause::issued] += issued;
  statistics_.slots[issued > 0 ? Cause::dual_issue : idle_cause_] += parameters_.dispatch - issued;
}

std::uint64_t WarpScheduler::issue_warp(Cycle now) {
  unsigned entry = no_entry;
  do {
    if (now < refused_until_) return 0;
    entry = pick();
    if (entry == no_entry) return 0;
  } while (!try_issue(entry, now));
  last_ = entry;
  std::uint64_t issued = 1;
  while (issued < parameters_.dispatch && is_ready(entry) && try_issue(entry, now)) ++issued;
  return issued;
}

bool WarpScheduler::try_issue(unsigned entry, Cycle now) {
  if ((for_load_store_ & bit_of(entry)) != 0) {
    const bool closed = closed_ != 0 && closed_until_ >= never;
    const Cycle room = closed ? never : sm->load_store_room(number_, now);
    if (room > now) {
      close_load_store(entry, room);
      return false;
    }
  }
  return issue_path(entry, now);
}

unsigned WarpScheduler::oldest(std::uint64_t entries) const {
  unsigned found = no_entry;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (; entries != 0; entries &= entries - 1) {
    const unsigned entry = first_of(entries);
    if (entries_[entry].warp->age >= least) continue;
    least = entries_[entry].warp->age;
    found = entry;
  }
  return found;
}

unsigned WarpScheduler::pick() const {
  if (ready_ == 0) return no_entry;
  switch (parameters_.policy) {
    case WarpSchedulerPolicy::greedy_then_oldest:
      return last_or(entry_of_rank_[first_of(ready_ranks_)]);
    case WarpSchedulerPolicy::greedy_then_youngest:
      return last_or(entry_of_rank_[last_of(ready_ranks_)]);
    case WarpSchedulerPolicy::oldest_first:
      return entry_of_rank_[first_of(ready_ranks_)];
    case WarpSchedulerPolicy::loose_round_robin:
      return next_after(ready_, last_);
    case WarpSchedulerPolicy::two_level:
      return choosable() != 0 ? next_after(choosable(), last_) : no_entry;
  }
  return no_entry;
}

void WarpScheduler::fill_active() {
  while (static_cast<std::uint64_t>(std::popcount(active_)) < parameters_.active_warps) {
    const unsigned entry = oldest(ready_ & ~active_);
    if (entry == no_entry) return;
    active_ |= bit_of(entry);
  }
}

}  // namespace reconverge
