#include "models/sm/warp_scheduler.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace reconverge {

namespace {

constexpr unsigned nobody = WakeRing::capacity;

constexpr std::uint64_t bit_of(unsigned entry) { return std::uint64_t{1} << entry; }

unsigned first_of(std::uint64_t entries) { return static_cast<unsigned>(std::countr_zero(entries)); }

/// The first of `entries` behind `last`, or else the first of all.
unsigned next_behind(std::uint64_t entries, unsigned last) {
  const std::uint64_t behind = entries & ~(bit_of(last) | (bit_of(last) - 1));
  return first_of(behind != 0 ? behind : entries);
}

}  // namespace

WarpScheduler::WarpScheduler(sc_core::sc_module_name name, std::uint32_t number,
                             const WarpSchedulerParameters& parameters, bool independent_lanes,
                             std::uint64_t fetch_group)
    : sc_module(name),
      sm("sm"),
      issue("issue"),
      results("results"),
      scoreboard("scoreboard"),
      fetch("fetch"),
      divergence("divergence"),
      rays("rays"),
      number_(number),
      parameters_(parameters),
      independent_lanes_(independent_lanes),
      fetch_group_(static_cast<kernel::Pc>(fetch_group)) {}

void WarpScheduler::add(Warp& warp) {
  entries_.push_back({&warp, Cause::empty});
  stride_ = static_cast<std::uint32_t>(parameters_.count);
}

void WarpScheduler::begin(const ProgramImage& image, Cycle now) {
  image_ = &image;
  accounted_ = now;
  last_ = 0;
  ready_ = 0;
  ready_ranks_ = 0;
  entry_of_rank_.clear();
  active_ = 0;
  meeting_ = 0;
  held_.fill(0);
  ring_.begin(now);
  for (unsigned entry = 0; entry < entries_.size(); ++entry) {
    hold(entry, Cause::empty, never);
    entries_[entry].group = kernel::no_pc;
    entries_[entry].age = ~std::uint64_t{0};
  }
  plan(now);
}

void WarpScheduler::rank(unsigned entry) {
  if (entry_of_rank_.size() == WakeRing::capacity) {
    // Others move down to where warps that have gone were.
    ready_ranks_ = 0;
    std::uint8_t kept = 0;
    for (unsigned i = 0; i < WakeRing::capacity; ++i) {
      const unsigned other = entry_of_rank_[i];
      if (entries_[other].rank != i || other == entry) continue;
      if (is_ready(other)) ready_ranks_ |= bit_of(kept);
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
  if (entries_[entry].age != warp.age) {
    entries_[entry].age = warp.age;
    rank(entry);
  }
  if (independent_lanes_) {
    hold(entry, Cause::dependency, cycle);
  } else {
    IssueRequest nothing_issued;
    nothing_issued.now = now;
    nothing_issued.result = cycle;
    look_ahead(entry, nothing_issued);
  }
  plan(now);
}

void WarpScheduler::stand(const Warp& warp, Cycle now) {
  const unsigned entry = entry_of(warp);
  account_until(now);
  meeting_ &= ~bit_of(entry);
  hold(entry, warp.live != 0 ? Cause::compaction : Cause::empty, never);
  plan(now);
}

void WarpScheduler::arrive(std::uint64_t entries, Cycle now) {
  meeting_ &= ~entries;
  for (; entries != 0; entries &= entries - 1) {
    const unsigned entry = first_of(entries);
    hold(entry, Cause::compaction, never);
    DivergenceRequest message;
    message.event = DivergenceEvent::arrive;
    message.warp = entries_[entry].warp;
    message.now = now;
    sc_core::sc_time delay;
    divergence->b_transport(message, delay);
  }
}

void WarpScheduler::write_back(const WritebackRequest& result) {
  const unsigned entry = entry_of(*result.warp);
  const DecodedInstruction& decoded = image_->decoded(result.pc);
  ResultRequest rows{result.warp->slot, &decoded, result.now, result.result};
  sc_core::sc_time delay;
  results->b_transport(rows, delay);
  const bool held = !is_ready(entry);
  if (independent_lanes_) {
    DivergenceRequest message;
    message.event = DivergenceEvent::answer;
    message.warp = result.warp;
    message.lanes = result.lanes;
    message.pc = result.pc;
    message.result = rows.result;
    divergence->b_transport(message, delay);
    if (held) ring_.set(entry, std::min(message.ready, ring_.due(entry)));
  } else {
    ScoreboardRequest query;
    query.slot = result.warp->slot;
    query.issued = &decoded;
    query.next = &image_->decoded(result.warp->pc);
    query.result = rows.result;
    query.from_memory = true;
    query.written_back = true;
    query.all = meets(entry);
    scoreboard->b_transport(query, delay);
    entries_[entry].registers = query.ready;
    if (held && entries_[entry].cause == Cause::memory) hold_until_ready(entry);
  }
  if ((ready_ & eligible()) == 0) next_event_ = std::min(next_event_, ring_.next());
}

void WarpScheduler::fetched(const Warp& warp, Cycle cycle) {
  const unsigned entry = entry_of(warp);
  entries_[entry].fetched = cycle;
  if (!is_ready(entry) && entries_[entry].cause == Cause::fetch) hold_until_ready(entry);
  if ((ready_ & eligible()) == 0) next_event_ = std::min(next_event_, ring_.next());
}

void WarpScheduler::retry(Cause cause, Cycle now) {
  for (std::uint64_t left = held_[static_cast<std::size_t>(cause)]; left != 0; left &= left - 1) {
    const unsigned entry = first_of(left);
    if (ring_.due(entry) >= never) ring_.set(entry, now);
  }
  next_event_ = std::min(next_event_, ring_.next());
}

WarpScheduler::Cause WarpScheduler::cause_of_idleness() const {
  // The warp that is nearest to its next instruction says what the slots are lost to.
  for (const Cause cause : {Cause::pipe, Cause::collector, Cause::dependency, Cause::fetch, Cause::memory,
                            Cause::barrier, Cause::shuffling, Cause::compaction}) {
    if (held_[static_cast<std::size_t>(cause)] != 0) return cause;
  }
  return Cause::empty;
}

void WarpScheduler::plan(Cycle now) {
  idle_cause_ = cause_of_idleness();
  next_event_ = (ready_ & eligible()) != 0 ? now + 1 : ring_.next();
}

void WarpScheduler::account_until(Cycle now) {
  if (now <= accounted_) return;
  statistics_.slots[idle_cause_] += (now - accounted_) * parameters_.dispatch;
  accounted_ = now;
}

void WarpScheduler::tick(Cycle now) {
  account_until(now);
  accounted_ = now + 1;  // what happens within this cycle is charged here
  const std::uint64_t due = ring_.take(now);
  const std::uint64_t arriving = due & meeting_;
  const std::uint64_t woken = due & ~meeting_;
  ready_ |= woken;
  for (std::uint64_t& held : held_) held &= ~woken;
  if (by_rank()) {
    for (std::uint64_t left = woken; left != 0; left &= left - 1) ready_ranks_ |= bit_of(entries_[first_of(left)].rank);
  }
  if (arriving != 0) arrive(arriving, now);
  if (parameters_.policy == WarpSchedulerPolicy::two_level) fill_active();
  const std::uint64_t issued = independent_lanes_ ? issue_threads(now) : issue_warp(now);
  plan(now);
  statistics_.slots[Cause::issued] += issued;
  statistics_.slots[issued > 0 ? Cause::dual_issue : idle_cause_] += parameters_.dispatch - issued;
}

std::uint64_t WarpScheduler::issue_warp(Cycle now) {
  unsigned entry = pick();
  while (entry != nobody && !issue_path(entry, now)) entry = pick();
  if (entry == nobody) return 0;
  last_ = entry;
  std::uint64_t issued = 1;
  while (issued < parameters_.dispatch && is_ready(entry) && issue_path(entry, now)) ++issued;
  return issued;
}

unsigned WarpScheduler::oldest(std::uint64_t entries) const {
  unsigned found = nobody;
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
  if (ready_ == 0) return nobody;
  switch (parameters_.policy) {
    case WarpSchedulerPolicy::greedy_then_oldest:
      return is_ready(last_) ? last_ : entry_of_rank_[first_of(ready_ranks_)];
    case WarpSchedulerPolicy::oldest_first:
      return entry_of_rank_[first_of(ready_ranks_)];
    case WarpSchedulerPolicy::loose_round_robin:
      return next_behind(ready_, last_);
    case WarpSchedulerPolicy::two_level:
      return (ready_ & active_) != 0 ? next_behind(ready_ & active_, last_) : nobody;
  }
  return nobody;
}

void WarpScheduler::fill_active() {
  while (static_cast<std::uint64_t>(std::popcount(active_)) < parameters_.active_warps) {
    const unsigned entry = oldest(ready_ & ~active_);
    if (entry == nobody) return;
    active_ |= bit_of(entry);
  }
}

}  // namespace reconverge
