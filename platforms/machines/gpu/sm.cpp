// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/sm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "models/core/error.hpp"
#include "models/kernel/analysis/occupancy.hpp"
#include "models/memory/read_only_cache.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

LoadStore::LineBytes lines_of(const SmParameters& parameters) {
  const auto line_of = [](const auto& cache) { return static_cast<unsigned>(cache.capacity != 0 ? cache.line : 0); };
  return {static_cast<unsigned>(parameters.l1.line), line_of(parameters.texture_cache),
          line_of(parameters.constant_cache)};
}

/// On the MIMD ideal, no warp waits for a pipe.
LoadStoreParameters load_store_of(const SmParameters& parameters, const SchemeTraits& traits) {
  LoadStoreParameters load_store = parameters.load_store;
  if (traits.ideal) load_store.pipeline = LoadStorePipeline::own;
  return load_store;
}

bool writes_lines(const SmParameters& parameters) {
  return parameters.load_store.texture_writeback == LoadStoreTextureWriteback::line;
}

InstructionBuffer buffer_of(const InstructionFetchParameters& parameters, bool ideal) {
  if (ideal || parameters.model == InstructionFetchModel::ideal) return InstructionBuffer::ideal;
  return parameters.refill == InstructionFetchRefill::ahead ? InstructionBuffer::groups : InstructionBuffer::drained;
}

}  // namespace

Sm::Sm(sc_core::sc_module_name name, const SmParameters& parameters, const SmPlace& place,
       std::vector<const SchemeKind*> schemes, SchemeList kinds)
    : sc_module(name),
      blocks("blocks"),
      index_(place.index),
      sms_(place.sms),
      parameters_(parameters),
      clock_(place.clock),
      first_level_steps_(parameters.load_store.steps),
      first_level_clock_(clock_.multiplied(parameters.load_store.steps)),
      register_storage_("register_storage"),
      paths_("paths"),
      writeback_("writeback"),
      code_("code"),
      kinds_(std::move(schemes)),
      schemes_(make_schemes(kinds_, {parameters_, index_, clock_})),
      traits_(kinds_.front()->traits),
      scoreboard_(make_scoreboard("scoreboard", parameters.scoreboard, traits_, parameters.warp_slots)),
      register_file_("register_file", parameters.register_file),
      lanes_("lanes", parameters.lanes, parameters.scheduler.count),
      load_store_("load_store", load_store_of(parameters, traits_), lines_of(parameters), clock_,
                  parameters.scheduler.count),
      l1_("l1", parameters.l1, index_, first_level_clock_),
      texture_cache_(make_texture_cache("texture_cache", parameters.texture_cache, index_, first_level_clock_)),
      constant_cache_("constant_cache", as_l1_cache(parameters.constant_cache), index_, first_level_clock_),
      instruction_cache_("instruction_cache", parameters.instruction_cache, parameters.fetch.line, index_, clock_),
      scheduler_events_((parameters.scheduler.count + 3) / 4 * 4, never),
      by_schedulers_(parameters.scheduler.count),
      warps_(parameters.warp_slots),
      grid_(index_, *this, blocks),
      source_of_(parameters.warp_slots) {
  if (parameters.constant_l15.capacity != 0) {
    constant_l15_ = std::make_unique<L1Cache>(
        "constant_l15", as_l1_cache(parameters.constant_l15, parameters.constant_cache), index_, clock_);
  }
  OperandCollectorParameters collector = parameters.operand_collector;
  if (traits_.ideal) collector.units = 0;
  const OperandCollector::Neighbours neighbours{
      load_store_of(parameters, traits_).pipeline == LoadStorePipeline::shared, writes_lines(parameters)};
  const InstructionBuffer buffer = buffer_of(parameters.fetch, traits_.ideal);
  std::vector<WarpScheduler::SchemePort> ports;
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    ports.push_back({kinds_[i]->traits, first_cause_of(*kinds_[i], kinds), kinds_[i]->part.block->causes.size()});
  }
  for (std::uint64_t i = 0; i < parameters.scheduler.count; ++i) {
    schedulers_.push_back(std::make_unique<WarpScheduler>(fmt::format("scheduler_{}", i).c_str(),
                                                          static_cast<std::uint32_t>(i), parameters.scheduler, ports,
                                                          WarpScheduler::Buffering{buffer, parameters.fetch.group}));
    schedulers_.back()->keep_next_event(scheduler_events_[i], events_moved_);
  }
  const bool one_collector = collector.sharing == OperandCollectorSharing::sm;
  for (std::uint64_t i = 0; i < (one_collector ? 1 : parameters.scheduler.count); ++i) {
    collectors_.push_back(std::make_unique<OperandCollector>(fmt::format("operand_collector_{}", i).c_str(), collector,
                                                             PipeTable(parameters.lanes), neighbours));
  }
  const bool one_port = parameters.fetch.sharing == InstructionFetchSharing::sm;
  for (std::uint64_t i = 0; i < (one_port ? 1 : parameters.scheduler.count); ++i) {
    fetches_.push_back(std::make_unique<InstructionFetch>(fmt::format("fetch_{}", i).c_str(), parameters.fetch,
                                                          parameters.instruction_cache.latency, parameters.warp_slots));
  }
  for (std::uint32_t slot = 0; slot < warps_.size(); ++slot) {
    warps_[slot].slot = slot;
    schedulers_[slot % schedulers_.size()]->add(warps_[slot]);
  }
  bind();
}

void Sm::bind() {
  register_storage_.bind(register_file_.storage);
  for (std::size_t i = 0; i < first_levels; ++i) load_store_.caches[i].bind(caches_[i]->requests);
  for (FirstLevelCache* cache : caches_) {
    cache->room = [this](Cycle step) { wake_at(std::max(first_level_steps_.cycle_of(step), local_)); };
  }
  writeback_.bind(static_cast<ControlTarget<WritebackRequest>&>(*this));
  load_store_.writeback.bind(writeback_);
  code_.bind(static_cast<ControlTarget<LineFill>&>(*this));
  instruction_cache_.fills.bind(code_);
  paths_.bind(schemes_.front()->events);
  WarpSlots& slots = *this;
  const SchemeInterface::SmTime time{[this] { return local_; },
                                     [this](Cycle cycle) { wake_at(std::max(cycle, local_)); }};
  for (std::size_t i = 0; i < schemes_.size(); ++i) {
    scheme_interfaces_.push_back(
        std::make_unique<SchemeInterface>(fmt::format("scheme_interface_{}", i).c_str(), i, warps_, schedulers_, time));
    own_threads_.push_back(
        std::make_unique<SchemeThreads>(fmt::format("threads_{}", i).c_str(), *schemes_[i], slots, grid_, blocks));
    if (kinds_[i]->traits.threads) begun_by_schemes_.push_back(own_threads_.back().get());
    scheme_interfaces_.back()->bind(*schemes_[i]);
    if (i != 0 && kinds_[i]->traits.threads) {
      beside_.push_back(
          std::make_unique<ControlInitiatorSocket<Sm, SchemeRequest>>(fmt::format("beside_{}", i).c_str()));
      beside_.back()->bind(schemes_[i]->events);
    }
    if (auto* const accesses = schemes_[i]->memory_accesses()) load_store_.bind_spawn_memory(*accesses);
    if (auto* const accesses = schemes_[i]->stack_accesses()) load_store_.bind_ray_stacks(*accesses);
    schemes_[i]->dependencies.bind(scoreboard_->readiness);
    schemes_[i]->writeback.bind(writeback_);
    for (std::size_t j = 0; j < schedulers_.size(); ++j) {
      schedulers_[j]->schemes[i]->bind(schemes_[i]->events);
      schemes_[i]->banks[j]->bind(collectors_[j % collectors_.size()]->banks);
    }
  }
  for (std::size_t i = 0; i < schedulers_.size(); ++i) {
    auto& scheduler = schedulers_[i];
    OperandCollector& collector = *collectors_[i % collectors_.size()];
    scheduler->sm.bind(*this);
    scheduler->issue.bind(collector.issue);
    scheduler->results.bind(collector.results);
    if (writes_lines(parameters_)) load_store_.results[i]->bind(collector.results);
    scheduler->scoreboard.bind(scoreboard_->requests);
    scheduler->fetch.bind(fetches_[i % fetches_.size()]->requests);
  }
  for (auto& collector : collectors_) {
    collector->lanes.bind(lanes_.issue);
    collector->load_store.bind(load_store_.issue);
  }
  for (auto& fetch : fetches_) fetch->next_level.bind(instruction_cache_.requests);
}

std::uint64_t Sm::outstanding() const {
  // The L1.5 cache answers requests of the constant cache itself.
  const L1Cache& constants = constant_l15_ ? *constant_l15_ : constant_cache_;
  std::uint64_t requests =
      l1_.outstanding() + texture_cache_->outstanding() + constants.outstanding() + instruction_cache_.outstanding();
  for (const auto& scheme : schemes_) requests += scheme->outstanding();
  return requests;
}

void Sm::finish(Cycle end) {
  stop_ = never;
  for (auto& scheduler : schedulers_) scheduler->finish(end);
}

// Parts of the loop over cycles, which is one function.
[[gnu::always_inline]] inline void Sm::send_lines(Cycle now) {
  if (load_store_.held()) retry_stalled_line(now);
  if (load_store_.next_event() <= now) load_store_.tick(now);
}

[[gnu::always_inline]] inline Cycle Sm::next_line() const {
  Cycle next = load_store_.next_event();
  if (load_store_.held()) {
    for (const FirstLevelCache* cache : caches_) {
      next = std::min(next, first_level_steps_.cycle_of(cache->next_event()));
    }
  }
  return next;
}

void Sm::abandon() {
  abandoned_ = true;
  running_ = may_begin_ = false;
  running_threads_ = 0;
  woken_ = never;
  wake_at(local_);
}

void Sm::run_before(Cycle end) {
  end = std::min(end, stop_);
  if (woken_ >= end) return;
  if (abandoned_) return send_lines_before(end);
  running_ = true;
  Cycle next = std::max(woken_, local_);
  while (next < end) {
    run_cycle(next);
    local_ = next + 1;
    next = next_event(next);
  }
  running_ = false;
  woken_ = next;
}

void Sm::send_lines_before(Cycle end) {
  running_ = true;
  Cycle next = std::max(woken_, local_);
  while (next < end) {
    send_lines(next);
    local_ = next + 1;
    next = std::max(next_line(), next + 1);
  }
  running_ = false;
  woken_ = next;
}

void Sm::wake_at(Cycle cycle) {
  if (running_ || cycle >= woken_) return;
  woken_ = cycle;
  blocks->wake_at(cycle);
}

inline std::uint32_t Sm::due_schedulers(Cycle now, unsigned first) const {
  // Without branches, because the host cannot predict which have work to do.
  std::uint32_t due = 0;
  for (std::size_t i = 0; i < scheduler_events_.size(); i += 4) {
    const auto is_due = [&](std::size_t one) { return std::uint32_t{scheduler_events_[i + one] <= now} << one; };
    due |= (is_due(0) | is_due(1) | is_due(2) | is_due(3)) << i;
  }
  due |= due << by_schedulers_.divisor();
  return due >> first & ((std::uint32_t{1} << by_schedulers_.divisor()) - 1);
}

void Sm::run_cycle(Cycle now) {
  send_lines(now);
  if (load_store_.take_relief()) {
    for (auto& scheduler : schedulers_) scheduler->retry_pipes(now);
  }
  if (may_begin_) start_threads(now);
  // Each scheduler in turn is the first to use shared resources. `due`: bit i is the i-th scheduler from it on.
  const auto first = static_cast<unsigned>(by_schedulers_.divide(now).rest);
  std::uint32_t due = due_schedulers(now, first);
  while (due != 0) {
    const auto turn = static_cast<unsigned>(std::countr_zero(due));
    due &= due - 1;
    events_moved_ = false;
    const std::size_t number = first + turn;
    schedulers_[number < schedulers_.size() ? number : number - schedulers_.size()]->tick(now);
    // What one scheduler issues can give a later one work in the same cycle.
    if (events_moved_) [[unlikely]]
      due = due_schedulers(now, first) & ~std::uint32_t{1} << turn;
  }
  for (auto& scheme : schemes_) {
    if (scheme->next_event() > now) continue;
    scheme->tick(now);
    may_begin_ |= free() != 0;
  }
}

void Sm::retry_stalled_line(Cycle now) {
  const Cycle last = first_level_steps_.last(now);
  for (Cycle step = first_level_steps_.first(now); step <= last; ++step) {
    for (FirstLevelCache* cache : caches_) {
      if (cache->next_event() <= step) cache->tick(step);
    }
  }
}

void Sm::start_threads(Cycle now) {
  may_begin_ = false;
  const auto start = [&](ThreadSource& source) {
    if (!source.waits()) return;
    source.start(now);
    may_begin_ = true;  // others may be queued after these
  };
  for (ThreadSource* const source : begun_by_schemes_) start(*source);
  start(grid_);
}

Cycle Sm::next_event(Cycle now) const {
  Cycle next = std::ranges::min(scheduler_events_);
  if (next <= now + 1) return now + 1;  // nearly always
  next = std::min(next, next_line());
  for (const auto& scheme : schemes_) next = std::min(next, scheme->next_event());
  if (may_begin_ && (grid_.waits() || threads_wait())) next = now + 1;
  return std::max(next, now + 1);
}

bool Sm::threads_wait() const {
  return std::ranges::any_of(begun_by_schemes_, [](const ThreadSource* source) { return source->waits(); });
}

void Sm::grid_exhausted(Cycle cycle) {
  may_begin_ = true;
  if (threads_wait()) wake_at(std::max(local_, cycle));
}

void Sm::b_transport(WritebackRequest& result, sc_core::sc_time& /*delay*/) {
  if (abandoned_) return;
  const Warp& warp = warps_[result.slot];
  result.now = std::max({result.now, local_, clock_.now()});
  const auto wake_for = [this](const WarpScheduler& scheduler) {
    if (scheduler.next_event() < never) wake_at(std::max(scheduler.next_event(), local_));
  };
  scheduler_of(warp).write_back(result);
  wake_for(scheduler_of(warp));
  if (result.homes == nullptr && !warp.homes.moved) return;
  // The threads may run in any warp of their block by now.
  for (const Warp& other : warps_) {
    if (other.block_slot != warp.block_slot || other.path.lanes == 0) continue;
    scheduler_of(other).look_again(other);
    wake_for(scheduler_of(other));
  }
}

void Sm::b_transport(LineFill& fill, sc_core::sc_time& /*delay*/) {
  if (abandoned_) return;
  for (auto& fetch : fetches_) {
    fetch->fill(fill,
                [&](std::uint32_t slot, Cycle ready) { scheduler_of(warps_[slot]).fetched(warps_[slot], ready); });
  }
  for (auto& scheduler : schedulers_) {
    if (scheduler->next_event() < never) wake_at(std::max(scheduler->next_event(), local_));
  }
}

bool Sm::take_progress() {
  bool progress = std::exchange(moved_, false);
  for (Warp& warp : warps_) progress |= take_change(warp);
  return progress;
}

void Sm::watch(bool on) {
  if (on) {
    watch_.watch(warps_.size(), watch_.on());
  } else {
    watch_.stop();
  }
  for (auto& scheduler : schedulers_) scheduler->show(on ? &watch_ : nullptr);
}

void Sm::observe(SmObserver* observer, SmObserver* of_lines) {
  observer_ = observer;
  load_store_.observe(of_lines, index_);
  for (auto& scheduler : schedulers_) scheduler->observe(observer, index_);
  for (auto& scheme : schemes_) scheme->observe(observer, index_);
}

ThreadsNote Sm::threads_note(const Warp& warp, LaneMask lanes, kernel::Pc pc, Cycle now) const {
  return {{index_, warp.slot, pc}, lanes, warp.live, warp.context.position, now};
}

bool Sm::has_path(const Warp& warp) const {
  // If threads change warps, the live ones may run in other warps.
  return (traits_.lanes_alone ? warp.live : warp.path.lanes) != 0;
}

bool Sm::goes_nowhere() const {
  return std::all_of(warps_.begin(), warps_.end(), [&](const Warp& warp) {
    // A scheme that holds a warp may soon release it.
    const bool held = warp.held_by_scheme && watch_.stands(warp);
    return !has_path(warp) || warp.at_barrier || held || watch_.circles(warp);
  });
}

void Sm::add_running(std::vector<RunningWarp>& warps) const {
  for (const Warp& warp : warps_) {
    if (has_path(warp) && !warp.at_barrier) warps.push_back({&warp, schemes_.front()->places(warp.slot)});
  }
}

std::string Sm::describe_waiting() const {
  std::string text = describe_barriers();
  for (const Warp& warp : warps_) {
    if (warp.live == 0 || warp.at_barrier) continue;
    text += fmt::format("\n  block {} warp {}", warp.context.position.block, warp.context.position.warp);
    const std::vector<Path> places = schemes_.front()->places(warp.slot);
    for (const Path& path : places) {
      text += fmt::format("{} lanes {:#010x} at {}", &path == &places.front() ? "" : ";", path.lanes,
                          kernel::place_of(*launch_->program, path.pc));
    }
    if (places.empty()) {
      text +=
          fmt::format(" lanes {:#010x}, last seen at {}", warp.live, kernel::place_of(*launch_->program, warp.path.pc));
    }
  }
  return text;
}

}  // namespace reconverge
