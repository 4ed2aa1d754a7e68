// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"
#include "models/core/simulated_time.hpp"
#include "models/memory/read_only_cache.hpp"
#include "platforms/machines/gpu/parameter_checks.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

std::uint64_t host_time() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// Throws ParameterError unless memory outside is there exactly if the parameters name it.
void check_outside(const GpuParameters& parameters, const ExternalMemory* outside) {
  if ((parameters.memory == GpuMemory::external) == (outside != nullptr)) return;
  if (outside == nullptr) {
    throw ParameterError("gpu.memory", "external is a memory that a program in C++ binds, and there is none here",
                         "use hierarchy, or a program such as examples/own_memory");
  }
  throw ParameterError("gpu.memory", "the program binds a memory outside the GPU, which has another one",
                       "set gpu.memory to external");
}

}  // namespace

Gpu::Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, SchemeList kinds, const ExternalMemory* outside)
    : sc_module(name),
      schemes_(schemes_of(parameters.sm, kinds)),
      parameters_(checked(parameters, schemes_)),
      clock_(parameters.clock, parameters.sm.load_store.steps),
      host_port_("host_port", memory_),
      zeros_(gpu_statistics(kinds)) {
  check_outside(parameters, outside);
  const auto sms = static_cast<std::uint32_t>(parameters.sms);
  if (parameters.memory != GpuMemory::fixed_latency) {
    const MemoryHierarchy::Blocks blocks{parameters.crossbar, parameters.l2, parameters.dram};
    if (outside == nullptr) {
      hierarchy_ = std::make_unique<MemoryHierarchy>(blocks, sms, parameters.clock);
    } else {
      const MemoryHierarchy::Outside memory{*outside, parameters.external, memory_};
      hierarchy_ = std::make_unique<MemoryHierarchy>(blocks, sms, parameters.clock, &memory);
    }
    exchange_ = std::make_unique<MemoryExchange>("memory_exchange", hierarchy_->requests(), sms);
  } else {
    fixed_latency_ = std::make_unique<FixedLatencyMemory>("fixed_latency", parameters.fixed_latency, clock_);
  }
  if (sms > 1) {
    views_ = std::make_unique<MemoryViews>(sms);
    notes_.resize(sms);
    for (NoteQueue& notes : notes_) notes.connect(recorder_);
  }
  shares_.resize(sms);
  times_.sms.resize(sms);
  quantum_ = longest_turn();
  for (std::uint32_t i = 0; i < sms; ++i) {
    auto& sm = *sms_.emplace_back(
        std::make_unique<Sm>(fmt::format("sm_{}", i).c_str(), parameters.sm, SmPlace{i, sms, clock_}, schemes_, kinds));
    sm.blocks.bind(*this);
    if (hierarchy_) {
      sm.bind_memory(*exchange_);
    } else {
      sm.bind_memory(fixed_latency_->requests);
    }
  }
  if (hierarchy_) hierarchy_->timeline().serve_by(wake_);
  SC_HAS_PROCESS(Gpu);
  SC_METHOD(run_quantum);
  sensitive << wake_;
  dont_initialize();
}

void Gpu::use_threads(unsigned threads) {
  // SMs with RTL stay on one thread, since a Verilated model belongs to the thread that made it; memory outside belongs
  // to the thread of SystemC.
  const bool bound = has_memory_outside() || std::ranges::any_of(sms_.front()->schemes(), [](const auto& scheme) {
                       return scheme->one_thread();
                     });
  const auto useful = static_cast<unsigned>(std::min<std::uint64_t>(threads, sms_.size()));
  team_ = useful > 1 && !bound ? std::make_unique<Team>(useful) : nullptr;
}

void Gpu::run_quantum() {
  const Cycle end = (clock_.now() / quantum_ + 1) * quantum_;
  at_work_ = true;
  if (hierarchy_) hierarchy_->timeline().hold(true);
  try {
    run_turns(end);
    const std::uint64_t turns_ended = times_sink_ ? host_time() : 0;
    settle(end);
    if (times_sink_) {
      times_.rest = host_time() - turns_ended;
      times_sink_(times_);
    }
  } catch (...) {
    error_ = std::current_exception();
    if (!started_) sc_core::sc_pause();
  }
  at_work_ = false;
  Cycle next = never;
  for (const auto& sm : sms_) next = std::min(next, sm->next_turn());
  wake_.cancel();
  if (next < never) wake_.notify(clock_.time_until(std::max(next, end)));
  if (hierarchy_) {
    hierarchy_->timeline().hold(false);
    if (const auto alarm = hierarchy_->timeline().next()) wake_.notify(*alarm - sc_core::sc_time_stamp());
  }
  if (started_) look_after_started();
}

void Gpu::run_turns(Cycle end) {
  if (views_) views_->begin_turns();
  for (NoteQueue& notes : notes_) notes.hold();
  const auto at_work = std::ranges::count_if(sms_, [end](const auto& sm) { return sm->next_turn() < end; });
  // Memory has a recorder in common with the SMs, and must come after them if it records.
  const bool memory_last = team_ == nullptr || recorded_ != 0 || !hierarchy_;
  if (team_ != nullptr && at_work + (memory_last ? 0 : 1) > 1) {
    // Memory first: no SM waits for it.
    const std::size_t first = memory_last ? 0 : 1;
    team_->run(static_cast<std::uint32_t>(sms_.size() + first),
               [this, end, first](std::size_t part) { part < first ? run_memory(end) : run_turn(part - first, end); });
    if (memory_last) run_memory(end);
  } else {
    for (std::size_t sm = 0; sm < sms_.size() && (sm == 0 || !shares_[sm - 1].error); ++sm) {
      const std::uint64_t begun = times_sink_ ? host_time() : 0;
      run_turn(sm, end);
      if (times_sink_) times_.sms[sm] = host_time() - begun;
    }
    const std::uint64_t begun = times_sink_ ? host_time() : 0;
    run_memory(end);
    if (times_sink_) times_.memory = host_time() - begun;
  }
}

void Gpu::run_turn(std::size_t sm, Cycle end) {
  bool failed = true;
  try {
    sms_[sm]->run_before(end);
    failed = false;
  } catch (const TurnAbandoned&) {
    // One with a lower number has an error.
  } catch (...) {
    shares_[sm].error = std::current_exception();
  }
  if (views_) views_->end_turn(sm, failed);
}

void Gpu::run_memory(Cycle end) {
  if (!hierarchy_) return;
  try {
    hierarchy_->timeline().run_before(clock_.time(end));
  } catch (...) {
    memory_error_ = std::current_exception();
  }
}

void Gpu::settle(Cycle end) {
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    if (!notes_.empty()) notes_[sm].release();
    Share& share = shares_[sm];
    if (share.error) std::rethrow_exception(share.error);
    statistics_.blocks_launched += std::exchange(share.blocks_taken, 0);
    blocks_ended_ += std::exchange(share.blocks_ended, 0);
    last_end_ = std::max(last_end_, share.last_end);
  }
  if (memory_error_) std::rethrow_exception(memory_error_);
  if (views_) views_->commit(memory_);
  if (!exhausted_ && std::ranges::any_of(shares_, &Share::took_last)) {
    exhausted_ = true;
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
      if (!shares_[sm].took_last) sms_[sm]->grid_exhausted(end);
    }
  }
  if (exchange_) exchange_->deliver();
}

void Gpu::wake_at(Cycle cycle) {
  // Other modules can start a launch between two cycles.
  if (!at_work_) wake_.notify(clock_.time_until(std::max(cycle, clock_.cycle_at(sc_core::sc_time_stamp()))));
}

Cycle Gpu::longest_turn() const {
  // Memory outside answers in SystemC's time, so neither SMs nor caches may run ahead of it.
  if (has_memory_outside()) return 1;
  // A request sent less than the crossbar's latency after another cannot overtake it. If all requests have the same
  // latency, SMs share no state.
  const Cycle shortest = hierarchy_ ? clock_.cycles(hierarchy_->latency()) : parameters_.fixed_latency.latency;
  return std::clamp<Cycle>(shortest, 1, longest_quantum);
}

const ProgramImage& Gpu::image_of(const kernel::Program& program) {
  check_program(schemes_, program, parameters_.sm);
  return images_.try_emplace(kernel::key_of(program), program, memory_).first->second;
}

void Gpu::begin(const Launch& launch) {
  const ProgramImage& image = image_of(*launch.program);
  check_launch(schemes_, launch);
  blocks_ = launch.blocks();
  grid_blocks_ = launch.grid.count();
  selection_ = launch.selection;
  shares_.assign(sms_.size(), Share{});
  exhausted_ = false;
  blocks_ended_ = 0;
  last_end_ = 0;
  error_ = nullptr;
  start_ = std::max(clock_.cycle_at(sc_core::sc_time_stamp()), quiet_);
  cycles_before_ = statistics_.cycles;
  begin_observing(launch, start_);
  if (parameters_.cold_launches && hierarchy_) hierarchy_->invalidate();
  begin_ = start_ + parameters_.launch_latency;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    sms_[sm]->begin(launch, image, memory_, views_ ? &(*views_)[sm] : nullptr, begin_);
  }
  if (most_cycles_ != 0) {
    for (auto& sm : sms_) sm->stop_before(start_ + most_cycles_);
  }
  turns_ = sms_.front()->blocks_by_turns();
  next_block_ = turns_ * sms_.size();
  watched_ = start_;
}

bool Gpu::run(const Launch& launch, const KeepGoing& keep_going) {
  if (stopped_) throw ExecutionError("the run was stopped: no further launch is possible");
  if (started_) throw ExecutionError("a started launch has not ended: wait for it before the next one");
  if (launch.cooperative && launch.grid_workspace == 0) {
    // SMs refuse a block that does not fit in any of them.
    if (const std::uint64_t most = blocks_at_once(launch); most != 0) check_cooperative(launch, most);
    return run(with_grid_workspace(launch, memory_), keep_going);
  }
  if (clock_.now() < quiet_) sc_core::sc_start(clock_.time(quiet_) - sc_core::sc_time_stamp());
  begin(launch);
  while (!ended() && !stopped_) {
    advance(start_);
    if (error_) {
      stopped_ = true;
      std::rethrow_exception(error_);
    }
    if (!ended() && !(awake() && sc_core::sc_pending_activity())) {
      stopped_ = true;
      throw_deadlock(launch);
    }
    look_for_circles(launch);
    statistics_.cycles = cycles_before_ + (clock_.now() - start_);
    if (keep_going && !keep_going({clock_.now() - start_, blocks_ended_, blocks_})) stopped_ = true;
    if (at_last_cycle(start_) && !ended()) stopped_ = true;
  }
  const Cycle end = finish();
  // After a stop there is no next launch, and no SM may run further.
  if (!stopped_) drain(end);
  return ended();
}

Cycle Gpu::finish() {
  // The cycle in which the last block ended belongs to the launch. Requests that are still in flight then, such as
  // stores, arrive before the next launch begins.
  const bool cut_off = stopped_ || failure_;
  Cycle end = (cut_off ? clock_.now() : last_end_) + 1;
  // So do the cycles that SMs have run ahead of a stop.
  if (cut_off) {
    for (const auto& sm : sms_) end = std::max(end, sm->reached());
  }
  for (auto& sm : sms_) sm->finish(end);
  for (RunObserver* observer : run_observers_) observer->launch_ended(end);
  statistics_.cycles = cycles_before_ + (end - start_);
  if (recorded_ != 0) recorder_.finish(end - start_);
  if (!cut_off || ended()) ++statistics_.launches;
  return end;
}

void Gpu::skip(const Launch& launch) {
  if (launch.cooperative && launch.grid_workspace == 0) with_grid_workspace(launch, memory_);
  image_of(*launch.program);
}

bool Gpu::archive(StateArchive& state) {
  archive_time(state);
  state(memory_, sms_);
  if (hierarchy_) state(*hierarchy_);
  return true;
}

void Gpu::advance(Cycle start) {
  // If the next event is beyond the interval, as after a long memory queue, time would not advance: run to that event.
  const sc_core::sc_time next =
      sc_core::sc_pending_activity() ? sc_core::sc_time_to_pending_activity() : clock_.time(0);
  const sc_core::sc_time step = std::max(clock_.time(asked_every_ != 0 ? asked_every_ : report_interval), next);
  if (most_cycles_ != 0) {
    const sc_core::sc_time left = clock_.time(start + most_cycles_ - 1) - sc_core::sc_time_stamp();
    // If an earlier event exists, it may end the launch, and time must not advance to the limit.
    if (left < next) return sc_core::sc_start(left);
    if (left < step) return sc_core::sc_start(left, sc_core::SC_EXIT_ON_STARVATION);
  }
  sc_core::sc_start(step, sc_core::SC_EXIT_ON_STARVATION);
}

bool Gpu::ended() const {
  return blocks_ended_ == blocks_ && std::ranges::all_of(sms_, [](const auto& sm) { return sm->drained(); });
}

std::uint64_t Gpu::blocks_at_once(const Launch& launch) const {
  return sms_.size() * sms_.front()->blocks_at_once(launch);
}

void Gpu::block_ended(std::uint32_t sm, Cycle now) {
  ++shares_[sm].blocks_ended;
  threads_ended(sm, now);
}

void Gpu::threads_ended(std::uint32_t sm, Cycle now) { shares_[sm].last_end = std::max(shares_[sm].last_end, now); }

bool Gpu::awake() const {
  return std::ranges::any_of(sms_, [](const auto& sm) { return sm->next_turn() < never; }) ||
         (hierarchy_ && (hierarchy_->timeline().next() || hierarchy_->outside() != 0));
}

Cycle Gpu::quiet_after(Cycle end) const {
  return std::max(end, hierarchy_ ? clock_.cycle_at(hierarchy_->reached()) : 0);
}

void Gpu::drain(Cycle end) {
  while (awake() && sc_core::sc_pending_activity()) sc_core::sc_start(sc_core::sc_time_to_pending_activity());
  check_conservation();
  const Cycle quiet = quiet_after(end);
  if (clock_.now() < quiet) sc_core::sc_start(clock_.time(quiet) - sc_core::sc_time_stamp());
}

void Gpu::look_for_circles(const Launch& launch) {
  bool progress = false;
  for (auto& sm : sms_) progress |= sm->take_progress();
  if (progress || ended()) {
    watched_ = clock_.now();
    for (auto& sm : sms_) sm->watch(false);
    return;
  }
  if (clock_.now() - watched_ < patience) return;
  watched_ = clock_.now();
  if (!std::all_of(sms_.begin(), sms_.end(), [](const auto& sm) { return sm->goes_nowhere(); })) {
    for (auto& sm : sms_) sm->watch(true);
    return;
  }
  stopped_ = true;
  std::vector<RunningWarp> running;
  std::string waiting;
  for (const auto& sm : sms_) {
    sm->add_running(running);
    waiting += sm->describe_barriers();
  }
  throw ExecutionError(describe_livelock(*launch.program, running) + waiting, Fault::standstill);
}

void Gpu::throw_deadlock(const Launch& launch) const {
  const std::string& kernel = launch.program->name;
  const auto alarm = hierarchy_ ? hierarchy_->timeline().next() : std::nullopt;
  const std::uint64_t held = hierarchy_ ? hierarchy_->in_flight() : 0;
  Cycle turn = never;
  for (const auto& sm : sms_) turn = std::min(turn, sm->next_turn());
  if (turn < never || alarm || held != 0 || awaited_requests() != 0) {
    // Threads wait for each other only when nothing else is due: this is an error of the simulator.
    const auto at = [](Cycle cycle) { return cycle < never ? fmt::format("in cycle {}", cycle) : "never"; };
    throw std::logic_error(fmt::format(
        "kernel '{}' stands still in cycle {}: SMs go on {}, memory {}; first-level caches wait for {} requests, and "
        "memory holds {}",
        kernel, clock_.now(), at(turn), at(alarm ? clock_.cycle_at(*alarm) : never), awaited_requests(), held));
  }
  std::string waiting;
  for (const auto& sm : sms_) waiting += sm->describe_waiting();
  throw ExecutionError(fmt::format("kernel '{}' is in a deadlock: no warp can move{}", kernel, waiting),
                       Fault::standstill);
}

std::uint64_t Gpu::awaited_requests() const {
  std::uint64_t requests = 0;
  for (const auto& sm : sms_) requests += sm->outstanding();
  return requests;
}

void Gpu::check_conservation() const {
  for (const auto& sm : sms_) {
    if (sm->running_threads() != 0) {
      throw std::logic_error(
          fmt::format("the launch has ended, and {} threads of {} have not", sm->running_threads(), sm->name()));
    }
  }
  if (hierarchy_) hierarchy_->check_conservation();
  const std::uint64_t outstanding = awaited_requests();
  const std::uint64_t held = hierarchy_ ? hierarchy_->in_flight() : 0;
  if (outstanding != held || held != 0) {
    throw std::logic_error(fmt::format(
        "requests were lost: nothing moves, first-level caches wait for {} and memory holds {}", outstanding, held));
  }
}

std::optional<std::uint64_t> Gpu::next_block(std::uint32_t sm, Cycle now) {
  // At the beginning, all SMs can take blocks. An SM that runs ahead takes the blocks that it would get if all took
  // turns, cycle by cycle.
  const Cycle turn = now - begin_;
  std::uint64_t block = turn * sms_.size() + sm;
  if (turn >= turns_) {
    if (views_) (*views_)[sm].order();
    block = next_block_;
  }
  if (block >= blocks_) return std::nullopt;
  if (turn >= turns_) ++next_block_;
  ++shares_[sm].blocks_taken;
  if (block + 1 == blocks_) {
    shares_[sm].took_last = true;
    sms_[sm]->grid_exhausted(now);
  }
  return selection_.block(block, grid_blocks_);
}

InstructionCounts Gpu::instructions() const {
  InstructionCounts counts;
  for (const auto& sm : sms_) {
    for (const auto& scheduler : sm->schedulers()) {
      const auto& active = scheduler->statistics().active_lanes;
      for (std::size_t lanes = 0; lanes < active.size(); ++lanes) {
        counts += {active[lanes], lanes * active[lanes]};
      }
    }
  }
  return counts;
}

void Gpu::record(Cycle interval) {
  recorded_ = interval;
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    for (const auto& scheduler : sms_[sm]->schedulers()) {
      scheduler->record(interval, [this, sm](std::size_t number, const SlotCounts& slots) {
        notes_.empty() ? recorder_.add_slots(number, slots) : notes_[sm].slots_counted(number, slots);
      });
    }
  }
  if (hierarchy_) hierarchy_->observe(interval != 0 ? &recorder_ : nullptr);
}

bool Gpu::observe_run(RunObserver& observer) {
  run_observers_.push_back(&observer);
  return true;
}

void Gpu::begin_observing(const Launch& launch, Cycle start) {
  observers_ = {};
  if (observer_ != nullptr) observers_.add(*observer_);
  for (RunObserver* observer : run_observers_) {
    observer->launch_started(launch, start);
    observers_.add(*observer);
  }
  line_observers_ = observers_;
  if (recorded_ != 0) {
    recorder_.begin(clock_, start, recorded_);
    line_observers_.add(recorder_);
  }
  SmObserver* const all = observers_.listener();
  SmObserver* const of_lines = line_observers_.listener();
  for (std::size_t sm = 0; sm < sms_.size(); ++sm) {
    if (notes_.empty()) {
      sms_[sm]->observe(all, of_lines);
    } else {
      notes_[sm].connect(all, of_lines);
      sms_[sm]->observe(all != nullptr ? &notes_[sm] : nullptr, of_lines != nullptr ? &notes_[sm] : nullptr);
    }
  }
}

RunHistory Gpu::history() const { return recorded_ != 0 ? recorder_.history() : RunHistory{}; }

std::uint64_t Gpu::threads_done() const {
  std::uint64_t done = 0;
  for (const auto& sm : sms_) done += sm->threads_done();
  return done;
}

Statistics Gpu::totals() const {
  Statistics totals = zeros_;
  totals.of<GpuStatistics>() = statistics_;
  if (hierarchy_) {
    totals.of<CrossbarStatistics>() = hierarchy_->crossbar_statistics();
    totals.of<L2CacheStatistics>() = hierarchy_->l2_statistics();
    totals.of<DramStatistics>() = hierarchy_->dram_statistics();
    totals.of<ExternalMemoryStatistics>() = hierarchy_->external_statistics();
  } else {
    totals.of<FixedLatencyMemoryStatistics>() = fixed_latency_->statistics();
  }
  for (const auto& sm : sms_) {
    totals.of<SmStatistics>() += sm->statistics();
    for (const auto& scheduler : sm->schedulers()) totals.of<WarpSchedulerStatistics>() += scheduler->statistics();
    totals.of<ScoreboardStatistics>() += sm->scoreboard().statistics();
    for (const auto& fetch : sm->fetches()) totals.of<InstructionFetchStatistics>() += fetch->statistics();
    totals.of<InstructionCacheStatistics>() += sm->instruction_cache().statistics();
    for (const auto& collector : sm->operand_collectors())
      totals.of<OperandCollectorStatistics>() += collector->statistics();
    totals.of<LanesStatistics>() += sm->lanes().statistics();
    totals.of<LoadStoreStatistics>() += sm->load_store().statistics();
    totals.of<L1CacheStatistics>() += sm->l1().statistics();
    totals.of<TextureCacheStatistics>() += read_statistics<TextureCacheStatistics>(sm->texture_cache().statistics());
    totals.of<ConstantCacheStatistics>() += read_statistics<ConstantCacheStatistics>(sm->constant_cache().statistics());
    if (const L1Cache* const l15 = sm->constant_l15())
      totals.of<ConstantL15Statistics>() += read_statistics<ConstantL15Statistics>(l15->statistics());
    for (const auto& scheme : sm->schemes()) scheme->add_statistics(totals);
  }
  return totals;
}

}  // namespace reconverge
