// SPDX-License-Identifier: Apache-2.0
// Block barriers: threads arrive one by one, and continue together.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "models/core/lane_mask.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::BarrierMode;
using kernel::Instruction;
using reference::ThreadState;

void ScalarInterpreter::arrive(Thread& thread, const Instruction& instruction) {
  const std::uint64_t number =
      instruction.offset < 0 ? source(thread, instruction, 0) : static_cast<std::uint64_t>(instruction.offset);
  if (number >= barriers_.size()) fail(thread, fmt::format("barrier {} does not exist", number));
  Arrival arrival;
  arrival.thread = static_cast<std::size_t>(&thread - threads_.data());
  arrival.pc = thread.pc;
  arrival.threads = source(thread, instruction, 1);
  arrival.vote = source(thread, instruction, 2) != 0;
  if (instruction.source[1].present() && (arrival.threads == 0 || arrival.threads % warp_size != 0)) {
    fail(thread, fmt::format("a barrier of {} threads", arrival.threads));
  }
  barriers_[number].push_back(arrival);
  if (static_cast<BarrierMode>(instruction.variant) != BarrierMode::arrive) thread.state = ThreadState::at_barrier;
}

bool ScalarInterpreter::complete(std::size_t barrier) const {
  const std::vector<Arrival>& arrivals = barriers_[barrier];
  if (arrivals.empty()) return false;
  std::vector<bool> here(threads_.size(), false);
  for (const Arrival& arrival : arrivals) here[arrival.thread] = true;
  // A warp counts if none of its threads is still on its way.
  std::map<std::size_t, bool> warps;
  bool everybody = true;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const bool on_its_way = threads_[i].state != ThreadState::ended && !here[i];
    everybody = everybody && !on_its_way;
    if (here[i]) warps.try_emplace(i / warp_size, true);
  }
  if (arrivals.front().threads == 0) return everybody;
  std::uint64_t count = 0;
  for (const auto& [warp, unused] : warps) {
    bool whole = true;
    for (std::size_t i = warp * warp_size; i < std::min<std::size_t>((warp + 1) * warp_size, threads_.size()); ++i) {
      whole = whole && (here[i] || threads_[i].state == ThreadState::ended);
    }
    if (whole) count += warp_size;
  }
  return count >= arrivals.front().threads;
}

bool ScalarInterpreter::release_barriers() {
  bool released = false;
  for (std::size_t number = 0; number < barriers_.size(); ++number) {
    if (!complete(number)) continue;
    const std::vector<Arrival> arrivals = std::exchange(barriers_[number], {});
    const auto reduces = [&](const Arrival& arrival) {
      return static_cast<BarrierMode>(program_->instructions[arrival.pc].variant) >= BarrierMode::red_popc;
    };
    const auto voters = std::count_if(arrivals.begin(), arrivals.end(), reduces);
    const auto votes = std::count_if(arrivals.begin(), arrivals.end(),
                                     [&](const Arrival& arrival) { return reduces(arrival) && arrival.vote; });
    for (const Arrival& arrival : arrivals) {
      const Instruction& instruction = program_->instructions[arrival.pc];
      Thread& thread = threads_[arrival.thread];
      const auto mode = static_cast<BarrierMode>(instruction.variant);
      if (mode != BarrierMode::arrive) thread.state = ThreadState::running;
      switch (mode) {
        case BarrierMode::red_popc:
          write_destination(thread, instruction, 0, static_cast<std::uint64_t>(votes));
          break;
        case BarrierMode::red_and:
          write_destination(thread, instruction, 0, votes == voters ? 1 : 0);
          break;
        case BarrierMode::red_or:
          write_destination(thread, instruction, 0, votes != 0 ? 1 : 0);
          break;
        default:
          break;
      }
    }
    released = true;
  }
  return released;
}

}  // namespace reconverge
