// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/multi_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::ArrayUse;
using kernel::PassKernel;

namespace {

void check_power(std::string_view name, std::uint64_t value) {
  if (std::has_single_bit(value)) return;
  throw ParameterError(fmt::format("multi_pass.{}", name), fmt::format("{} is no power of two", value),
                       fmt::format("write {} or {}", std::bit_floor(value), std::bit_ceil(value)));
}

const MultiPassParameters& checked(const MultiPassParameters& parameters) {
  check_power("lanes", parameters.lanes);
  check_power("tile", parameters.tile);
  return parameters;
}

constexpr Cycle over(std::uint64_t count, std::uint64_t a_cycle) { return (count + a_cycle - 1) / a_cycle; }

}  // namespace

MultiPass::MultiPass(sc_core::sc_module_name name, const MultiPassParameters& parameters)
    : sc_module(name),
      scheduler("to_scheduler"),
      lanes("to_lanes"),
      counter("to_counter"),
      parameters_(checked(parameters)),
      clock_(parameters.clock),
      chooser_("scheduler"),
      simd_("lanes", {parameters.lanes, parameters.tile, parameters.timestamps, parameters.skip_ended}),
      completions_("counter", parameters.count_cycles) {
  scheduler.bind(chooser_.requests);
  lanes.bind(simd_.requests);
  counter.bind(completions_.requests);
  SC_HAS_PROCESS(MultiPass);
  SC_METHOD(step);
  sensitive << wake_;
  dont_initialize();
}

void MultiPass::begin(const Launch& launch, const ProgramImage& image, const kernel::Partition& partition,
                      DeviceMemory& device) {
  simd_.begin(launch, image, partition, device);
  chooser_.begin(partition);
  partition_ = &partition;
  now_ = clock_.now();
  time_ = 0;
  completed_.reset();
  oldest_.assign(2 * partition.kernels.size(), 0);
  stale_.assign(partition.kernels.size(), 0);
  runs_.assign(partition.kernels.size(), {});
  ended_ = false;
  error_ = nullptr;
  statistics_.threads += launch.grid.count() * launch.threads_per_block();
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void MultiPass::step() {
  try {
    run_pass();
  } catch (...) {
    error_ = std::current_exception();
    sc_core::sc_pause();
  }
}

void MultiPass::run_pass() {
  now_ = clock_.now();
  WorklistRequest work;
  work.completed = completed_;
  sc_core::sc_time delay;
  scheduler->b_transport(work, delay);
  if (!work.next) return end();
  if (time_ == parameters_.pass_limit) give_up();
  const Cycle begin = now_;
  const BoundKernel bound = *work.next;
  const GuardedPass pass = ask_lanes(bound);
  count_up(bound, pass);
  charge(bound, pass);
  completed_.reset();
  if (!partition_->kernels[bound.kernel].successors.empty() && ask_count(pass)) completed_ = bound;
  if (observer_) observer_({bound, pass.passed, begin, now_});
  wake_.notify(clock_.time_until(now_));
}

void MultiPass::end() {
  // The worklist contains every kernel that a thread can wait for, unless the partition lacks an edge.
  if (const std::string waiting = waiting_text(); !waiting.empty()) {
    throw ExecutionError(fmt::format("kernel '{}': threads wait for kernels that are not in the worklist:{}",
                                     partition_->program->name, waiting));
  }
  ended_ = true;
  ++statistics_.launches;
  sc_core::sc_pause();
}

GuardedPass MultiPass::ask_lanes(const BoundKernel& bound) {
  std::uint32_t& oldest = oldest_[2 * bound.kernel + bound.from];
  GuardedPass pass;
  pass.bound = bound;
  pass.time = ++time_;
  pass.oldest = oldest;
  sc_core::sc_time delay;
  lanes->b_transport(pass, delay);
  // Program counters written for this kernel up to now have been run or are stale.
  oldest = time_ + 1;
  stale_[bound.kernel] += pass.stale;
  return pass;
}

void MultiPass::count_up(const BoundKernel& bound, const GuardedPass& pass) {
  const PassKernel& kernel = partition_->kernels[bound.kernel];
  ++runs_[bound.kernel].passes;
  runs_[bound.kernel].threads += pass.passed;
  statistics_.passes += kernel.all_passes();
  statistics_.copy_passes += kernel.copy_passes + (kernel.copies() ? kernel.passes : 0);
  if (pass.passed == 0) statistics_.empty_passes += kernel.all_passes();
  statistics_.completed += pass.passed;
  statistics_.stale += pass.stale;
  statistics_.tiles += pass.tiles;
  statistics_.aborted_tiles += pass.aborted;
  statistics_.skipped_tiles += pass.skipped;
  statistics_.instructions += pass.instructions;
  statistics_.lane_instructions += pass.lane_instructions;
  statistics_.counter_traffic += pass.counter_bytes;
  statistics_.array_traffic += pass.array_bytes;
  statistics_.copy_traffic += pass.copy_bytes;
  statistics_.memory_traffic += pass.memory_bytes;
}

void MultiPass::charge(const BoundKernel& bound, const GuardedPass& pass) {
  spend(Cause::launch, parameters_.pass_cycles * partition_->kernels[bound.kernel].all_passes());
  const Cycle run = over(pass.instructions, parameters_.processors);
  spend(Cause::run, run);
  struct Moved {
    Cause cause;
    std::uint64_t bytes;
  };
  const std::array<Moved, 4> moved = {{{Cause::guard, pass.counter_bytes},
                                       {Cause::arrays, pass.array_bytes},
                                       {Cause::copy, pass.copy_bytes},
                                       {Cause::memory, pass.memory_bytes}}};
  std::uint64_t bytes = 0;
  for (const Moved& one : moved) bytes += one.bytes;
  const Cycle memory = over(bytes, parameters_.memory_bytes);
  // Distributes the additional cycles of memory in proportion to bytes; the last part gets the remainder.
  Cycle left = memory > run ? memory - run : 0;
  for (const Moved& one : moved) {
    if (one.bytes == 0) continue;
    const double part = static_cast<double>(one.bytes) / static_cast<double>(bytes);
    const auto cycles = static_cast<Cycle>(std::llround(static_cast<double>(left) * part));
    spend(one.cause, cycles);
    left -= cycles;
    bytes -= one.bytes;
  }
}

bool MultiPass::ask_count(const GuardedPass& pass) {
  CountRequest request;
  request.guards = pass.guards;
  sc_core::sc_time delay;
  counter->b_transport(request, delay);
  spend(Cause::count, request.cycles);
  return request.count != 0;
}

void MultiPass::spend(Cause cause, Cycle cycles) {
  statistics_.cycles[cause] += cycles;
  now_ += cycles;
}

std::string MultiPass::waiting_text() const {
  std::string text;
  const std::vector<std::uint64_t> waiting = simd_.state().waiting(partition_->kernels.size());
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) continue;
    text += fmt::format("{}{} ({} threads)", text.empty() ? " " : ", ", partition_->kernels[i].name, waiting[i]);
  }
  return text;
}

std::string MultiPass::stale_text() const {
  const std::uint64_t threads = std::accumulate(stale_.begin(), stale_.end(), std::uint64_t{0});
  if (threads == 0) return "";
  std::string kernels;
  std::set<std::string> variables;
  for (std::size_t i = 0; i < stale_.size(); ++i) {
    if (stale_[i] == 0) continue;
    const PassKernel& kernel = partition_->kernels[i];
    kernels += fmt::format("{}{}", kernels.empty() ? "" : ", ", kernel.name);
    for (const ArrayUse& use : kernel.arrays) {
      if (use.read && partition_->arrays[use.array].double_buffered)
        variables.insert(array_name(*partition_, use.array));
    }
  }
  std::string text = fmt::format("; stale program counters made threads run {} again, {} times", kernels, threads);
  if (!variables.empty()) text += fmt::format(", with stale values of {}", fmt::join(variables, " "));
  return text + "; set multi_pass.timestamps to true";
}

void MultiPass::give_up() const {
  throw ExecutionError(
      fmt::format("kernel '{}' has not ended after {} passes (multi_pass.pass_limit); threads wait for{}{}",
                  partition_->program->name, time_, waiting_text(), stale_text()));
}

}  // namespace reconverge
