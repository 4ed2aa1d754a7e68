// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge::sampling {

namespace {

constexpr std::uint64_t cycles_between_moments = 1000;
constexpr std::size_t most_moments = 512;
constexpr std::uint64_t most_batches = 32;

InstructionCounts scaled(const InstructionCounts& counts, double factor) {
  const auto times = [factor](std::uint64_t count) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
  };
  return {times(counts.warp_instructions), times(counts.thread_instructions)};
}

}  // namespace

std::string Work::too_small() const {
  return fmt::format("a sample has {} {}, and needs {}", simulated, unit, least());
}

Sampler::Sampler(Machine& machine, Work work)
    : machine_(machine),
      work_(std::move(work)),
      before_(machine.totals()),
      instructions_before_(machine.instructions()) {
  machine_.ask_every(cycles_between_moments);
}

Sampler::~Sampler() { machine_.ask_every(0); }

void Sampler::note() {
  if (asked_++ % step_ != 0) return;
  Moment now{machine_.totals().since(before_), machine_.instructions().since(instructions_before_)};
  now.begun = std::min(work_.begun(now.counters), work_.simulated);
  moments_.push_back(std::move(now));
  if (moments_.size() < most_moments) return;
  // Half as many, for the next ones to come half as often.
  for (std::size_t i = 0; 2 * i < moments_.size(); ++i) {
    if (i != 0) moments_[i] = std::move(moments_[2 * i]);
  }
  moments_.resize(moments_.size() / 2);
  step_ *= 2;
}

std::vector<Sampler::Moment> Sampler::batch_ends() const {
  const auto first = std::ranges::find_if(
      moments_, [this](std::uint64_t begun) { return begun >= work_.resident; }, &Moment::begun);
  const auto end = std::ranges::find(moments_, work_.simulated, &Moment::begun);
  if (first >= end) return {};
  const std::uint64_t work = std::prev(end)->begun - first->begun;
  const std::uint64_t batches = std::clamp<std::uint64_t>(work / work_.resident, 1, most_batches);
  std::vector<Moment> ends{*first};
  for (auto moment = first; moment != end; ++moment) {
    const std::uint64_t next = first->begun + work * ends.size() / batches;
    if (moment->begun >= next && moment->begun > ends.back().begun) ends.push_back(*moment);
  }
  return ends;
}

std::vector<Sampler::Batch> Sampler::batches() const {
  const std::vector<Moment> ends = batch_ends();
  std::vector<Batch> batches;
  for (std::size_t i = 1; i < ends.size(); ++i) {
    const Moment& begin = ends[i - 1];
    const Moment& end = ends[i];
    batches.push_back({end.counters.since(begin.counters), end.instructions.since(begin.instructions),
                       static_cast<double>(end.begun - begin.begun), 0});
  }
  if (batches.size() < 2) {
    throw ExecutionError(
        fmt::format("a sample of {} of {} {} has no phase in which the machine works at capacity, and nothing can be "
                    "estimated from it: lower sample.every",
                    work_.simulated, work_.whole, work_.unit));
  }
  const auto simulated = static_cast<double>(work_.simulated);
  const double missing = (static_cast<double>(work_.whole) - simulated) / simulated;  // for each unit
  double rest = simulated;
  for (Batch& batch : batches) {
    batch.weight = missing;
    rest -= batch.work;
  }
  batches.back().weight *= 1 + rest / batches.back().work;
  return batches;
}

Sample Sampler::estimate(Statistics& counters, InstructionCounts& instructions) {
  const std::vector<Batch> all = batches();
  Sample sample{work_.unit, work_.whole, work_.simulated, all.size(), counters, {}};
  Estimate& estimate = sample.estimates.emplace_back();
  estimate.counters = counters;
  double missing = 0;
  for (const Batch& batch : all) {
    estimate.counters += batch.counters.scaled(batch.weight);
    instructions += scaled(batch.instructions, batch.weight);
    missing += batch.weight * batch.work;
  }
  for (const Batch& left_out : all) {
    const Statistics all_missing = estimate.counters.since(counters);
    const Statistics others = all_missing.since(left_out.counters.scaled(left_out.weight));
    Statistics& without = estimate.without.emplace_back(counters);
    without += others.scaled(missing / (missing - left_out.weight * left_out.work));
  }
  counters = estimate.counters;
  return sample;
}

}  // namespace reconverge::sampling
