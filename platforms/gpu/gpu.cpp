#include "platforms/gpu/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

/// What the ranges of single parameters cannot say. Throws ParameterError.
const GpuParameters& checked(const GpuParameters& parameters) {
  const auto& l1 = parameters.sm.l1;
  const auto& l2 = parameters.l2;
  if (l1.capacity != 0) {
    about_parameter("gpu.sm.l1.capacity", [&] { return SectorTags(l1.capacity, l1.line, l1.ways, "l1_cache"); });
  }
  const auto& fetch = parameters.sm.fetch;
  const auto& code = parameters.sm.instruction_cache;
  if (fetch.capacity != 0) {
    about_parameter("gpu.sm.fetch.capacity",
                    [&] { return SectorTags(fetch.capacity, fetch.line, fetch.ways, "instruction_fetch"); });
  }
  about_parameter("gpu.sm.instruction_cache.capacity",
                  [&] { return SectorTags(code.capacity, fetch.line, code.ways, "instruction_cache"); });
  const std::uint64_t slots = parameters.sm.warp_slots;
  if (slots > WakeRing::capacity * parameters.sm.scheduler.count) {
    throw ParameterError("gpu.sm.warp_slots",
                         fmt::format("{} slots for {} schedulers", slots, parameters.sm.scheduler.count),
                         fmt::format("a scheduler holds {} warps: raise gpu.sm.scheduler.count", WakeRing::capacity));
  }
  about_parameter("gpu.l2.capacity", [&] { return TagArray(l2.capacity, l2.line, l2.ways, "l2_cache"); });
  if (l1.line != l2.line) {
    throw ParameterError("gpu.sm.l1.line", fmt::format("{} bytes, and gpu.l2.line has {}", l1.line, l2.line),
                         "the two levels must have lines of one length");
  }
  return parameters;
}

}  // namespace

Gpu::Gpu(sc_core::sc_module_name name, const GpuParameters& parameters)
    : sc_module(name),
      parameters_(checked(parameters)),
      clock_(parameters.clock),
      l2_("l2", parameters.l2, clock_),
      dram_("dram", parameters.dram, clock_) {
  l2_.memory.bind(dram_.requests);
  constexpr Cycle quantum = 1;
  for (std::uint32_t i = 0; i < parameters.sms; ++i) {
    auto& sm = *sms_.emplace_back(std::make_unique<Sm>(fmt::format("sm_{}", i).c_str(), i,
                                                       static_cast<std::uint32_t>(parameters.sms), parameters.sm,
                                                       clock_, quantum));
    sm.blocks.bind(*this);
    sm.bind_memory(l2_.requests);
  }
}

const ProgramImage& Gpu::image_of(const kernel::Program& program) {
  return images_.try_emplace(&program, program, memory_).first->second;
}

bool Gpu::run(const Launch& launch, const KeepGoing& keep_going) {
  if (stopped_) throw ExecutionError("the run was stopped: no further launch is possible");
  const ProgramImage& image = image_of(*launch.program);
  blocks_ = launch.grid.count();
  blocks_given_ = 0;
  blocks_ended_ = 0;
  last_end_ = 0;
  error_ = nullptr;
  const Cycle start = clock_.now();
  for (auto& sm : sms_) sm->begin(launch, image, memory_);
  watched_ = start;

  while (blocks_ended_ < blocks_ && !stopped_) {
    // An event beyond the interval, as behind a long queue for memory, would leave time standing: go as far as that.
    const sc_core::sc_time next =
        sc_core::sc_pending_activity() ? sc_core::sc_time_to_pending_activity() : clock_.time(0);
    sc_core::sc_start(std::max(clock_.time(report_interval), next), sc_core::SC_EXIT_ON_STARVATION);
    if (error_) {
      stopped_ = true;
      std::rethrow_exception(error_);
    }
    if (blocks_ended_ < blocks_ && !sc_core::sc_pending_activity()) {
      stopped_ = true;
      std::string waiting;
      for (const auto& sm : sms_) waiting += sm->describe_waiting();
      throw ExecutionError(
          fmt::format("kernel '{}' is in a deadlock: no warp can move{}", launch.program->name, waiting));
    }
    look_for_circles(launch);
    if (keep_going && !keep_going({clock_.now() - start, blocks_ended_, blocks_})) stopped_ = true;
  }
  // The cycle in which the last block ended belongs to the launch. What is still on its way then, as stores are,
  // arrives before the next begins.
  const Cycle end = (stopped_ ? clock_.now() : last_end_) + 1;
  for (auto& sm : sms_) sm->finish(end);
  statistics_.cycles += end - start;
  if (!stopped_ || blocks_ended_ == blocks_) ++statistics_.launches;
  // After a stop there is no next launch, and no SM shall move on.
  if (!stopped_) drain(end);
  return blocks_ended_ == blocks_;
}

void Gpu::block_ended(Cycle now) {
  ++blocks_ended_;
  last_end_ = std::max(last_end_, now);
}

void Gpu::drain(Cycle end) {
  while (sc_core::sc_pending_activity()) sc_core::sc_start(sc_core::sc_time_to_pending_activity());
  if (clock_.now() < end) sc_core::sc_start(clock_.time(end) - sc_core::sc_time_stamp());
}

void Gpu::look_for_circles(const Launch& launch) {
  bool progress = false;
  for (auto& sm : sms_) progress |= sm->take_progress();
  if (progress || blocks_ended_ == blocks_) {
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
  std::vector<const Warp*> running;
  std::string waiting;
  for (const auto& sm : sms_) {
    sm->add_running(running);
    waiting += sm->describe_barriers();
  }
  throw ExecutionError(describe_livelock(*launch.program, running) + waiting);
}

std::optional<std::uint64_t> Gpu::next_block() {
  if (exhausted()) return std::nullopt;
  ++statistics_.blocks_launched;
  return blocks_given_++;
}

void Gpu::fail(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  sc_core::sc_pause();
}

GpuTotals Gpu::totals() const {
  GpuTotals totals;
  totals.gpu = statistics_;
  totals.l2 = l2_.statistics();
  totals.dram = dram_.statistics();
  for (const auto& sm : sms_) {
    totals.sm += sm->statistics();
    for (const auto& scheduler : sm->schedulers()) totals.scheduler += scheduler->statistics();
    totals.scoreboard += sm->scoreboard().statistics();
    for (const auto& fetch : sm->fetches()) totals.fetch += fetch->statistics();
    totals.instruction_cache += sm->instruction_cache().statistics();
    for (const auto& collector : sm->operand_collectors()) totals.operand_collector += collector->statistics();
    totals.lanes += sm->lanes().statistics();
    totals.load_store += sm->load_store().statistics();
    totals.l1 += sm->l1().statistics();
    if (sm->reconvergence_stack() != nullptr) totals.reconvergence_stack += sm->reconvergence_stack()->statistics();
    if (sm->mimd() != nullptr) totals.mimd += sm->mimd()->statistics();
  }
  return totals;
}

}  // namespace reconverge
