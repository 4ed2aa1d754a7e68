// SPDX-License-Identifier: Apache-2.0
// Votes, shuffles, matches, reductions and warp barriers: operations between the threads of a warp.

#include <algorithm>

#include "models/core/lane_mask.hpp"
#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge {

using kernel::Instruction;
using kernel::Opcode;
using kernel::Operand;
using kernel::ShuffleMode;
using kernel::VoteMode;
using reference::ThreadState;

namespace {

/// The lane that a thread of lane `lane` takes its value from, and whether that is inside its segment.
struct ShuffleSource {
  unsigned lane = 0;
  bool inside = false;
};

ShuffleSource shuffle_source(ShuffleMode mode, unsigned lane, std::uint64_t b, std::uint64_t c) {
  const auto delta = static_cast<int>(b & 0x1f);
  const auto clamp = static_cast<int>(c & 0x1f);
  const auto segment = static_cast<int>(c >> 8 & 0x1f);
  const auto own = static_cast<int>(lane);
  const int first = own & segment;
  const int bound = first | (clamp & ~segment & 0x1f);
  const auto result = [own](int from, bool inside) {
    return ShuffleSource{static_cast<unsigned>(inside ? from : own), inside};
  };
  switch (mode) {
    case ShuffleMode::up:
      return result(own - delta, own - delta >= bound);
    case ShuffleMode::down:
      return result(own + delta, own + delta <= bound);
    case ShuffleMode::bfly:
      return result(own ^ delta, (own ^ delta) <= bound);
    default:
      break;
  }
  const int from = first | (delta & ~segment & 0x1f);
  return result(from, from <= bound);
}

/// The operand that names the member threads of the .sync form.
Operand members_of(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bar:
    case Opcode::elect:
      return instruction.source[0];
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
      return instruction.source[1];
    case Opcode::shfl:
      return instruction.source[3];
    default:
      return {};
  }
}

}  // namespace

bool ScalarInterpreter::run_exchange(std::size_t first, std::size_t end, bool stranded) {
  // The lowest waiting thread determines the operation; all live threads, or all members, must wait there, too.
  const auto begin_of = threads_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end_of = threads_.begin() + static_cast<std::ptrdiff_t>(end);
  bool released = false;
  // Of stranded threads, only those at the first instruction in program order continue.
  kernel::Pc only = kernel::no_pc;
  if (stranded) {
    for (auto thread = begin_of; thread != end_of; ++thread) {
      const bool waits = thread->state == ThreadState::at_exchange;
      if (waits && !members_of(program_->instructions[thread->pc]).present()) only = std::min(only, thread->pc);
    }
  }
  for (auto leader = begin_of; leader != end_of; ++leader) {
    if (leader->state != ThreadState::at_exchange || (stranded && leader->pc != only)) continue;
    const Instruction& instruction = program_->instructions[leader->pc];
    const Operand members = members_of(instruction);
    const std::uint64_t mask = members.present() ? read(*leader, members, false) : all_lanes;
    // Threads that the guard or the mask excludes do not wait for others.
    if ((mask >> leader->lane() & 1U) == 0 && !passes_guard(*leader, instruction)) {
      leader->state = ThreadState::running;
      ++leader->pc;
      released = true;
      continue;
    }
    std::vector<Thread*> group;
    bool complete = true;
    for (auto thread = begin_of; thread != end_of; ++thread) {
      if (thread->state == ThreadState::ended || (mask >> thread->lane() & 1U) == 0) continue;
      // With other members it is a different exchange, of another round of a loop.
      const bool same = thread->state == ThreadState::at_exchange && thread->pc == leader->pc &&
                        (!members.present() || read(*thread, members, false) == mask);
      if (same) {
        group.push_back(&*thread);
      } else {
        complete = false;
      }
    }
    if (group.empty() || (!stranded && !complete)) continue;

    // Threads that the guard disables take no part.
    std::vector<Thread*> taking_part;
    std::array<std::uint64_t, warp_size> value{};
    std::array<bool, warp_size> present{};
    reference::WarpValues values;
    for (Thread* thread : group) {
      if (!passes_guard(*thread, instruction)) continue;
      taking_part.push_back(thread);
      if (reference::takes_matrices(instruction.opcode)) continue;
      value[thread->lane()] = source(*thread, instruction, 0);
      present[thread->lane()] = true;
      values[thread->lane()] = value[thread->lane()];
    }
    if (reference::takes_matrices(instruction.opcode) && !taking_part.empty()) run_matrix(taking_part, instruction);
    std::uint64_t ballot = 0;
    for (const Thread* thread : taking_part) ballot |= (value[thread->lane()] & 1U) << thread->lane();
    const auto yes = static_cast<std::size_t>(std::popcount(ballot));
    for (Thread* thread : taking_part) {
      ++thread->instructions;
      if (instruction.opcode == Opcode::bar || reference::takes_matrices(instruction.opcode)) continue;
      if (instruction.opcode == Opcode::vote) {
        std::uint64_t answer = 0;
        switch (static_cast<VoteMode>(instruction.variant)) {
          case VoteMode::all:
            answer = yes == taking_part.size() ? 1 : 0;
            break;
          case VoteMode::any:
            answer = yes != 0 ? 1 : 0;
            break;
          case VoteMode::uni:
            answer = yes == 0 || yes == taking_part.size() ? 1 : 0;
            break;
          case VoteMode::ballot:
            answer = ballot;
            break;
        }
        write_destination(*thread, instruction, 0, answer);
        continue;
      }
      if (instruction.opcode != Opcode::shfl) {
        const reference::WarpResult result = reference::warp_result(instruction, values, thread->lane());
        write_destination(*thread, instruction, 0, result.value);
        write_destination(*thread, instruction, 1, result.predicate ? 1 : 0);
        continue;
      }
      const ShuffleSource from = shuffle_source(static_cast<ShuffleMode>(instruction.variant), thread->lane(),
                                                source(*thread, instruction, 1), source(*thread, instruction, 2));
      // The value of a thread that takes no part is undefined in PTX, and 0 on an NVIDIA H100.
      write_destination(*thread, instruction, 0, present[from.lane] ? value[from.lane] : 0);
      write_destination(*thread, instruction, 1, from.inside ? 1 : 0);
    }
    for (Thread* thread : group) {
      thread->state = ThreadState::running;
      ++thread->pc;
    }
    released = true;
  }
  return released;
}

}  // namespace reconverge
