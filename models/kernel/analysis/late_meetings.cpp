// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/late_meetings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "models/kernel/analysis/company.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/postdominators.hpp"
#include "models/kernel/analysis/side_exits.hpp"

namespace reconverge::kernel {

namespace {

bool depends_on_company(const Instruction& instruction) {
  const bool may_be_shared = instruction.space == Space::shared || instruction.space == Space::generic;
  return asks_who_is_there(instruction) || (may_be_shared && is_volatile(instruction));
}

class LateMeetings {
 public:
  explicit LateMeetings(const Program& program)
      : program_(program),
        blocks_(without(program.blocks, find_side_exits(program.instructions, program.blocks))),
        place_(blocks_.size(), 0) {}

  std::vector<Warning> run() {
    loops_ = find_loops(blocks_);
    const std::vector<Pc> asking = find_asking();
    std::vector<Warning> warnings;
    for (std::uint32_t loop = 0; loop < loops_.loops.size(); ++loop) {
      if (asking[loop] == no_pc) continue;
      if (!divergence_) divergence_ = analyse_divergence(program_);
      if (auto warning = check(loop, asking[loop])) warnings.push_back(std::move(*warning));
    }
    return warnings;
  }

 private:
  /// By loop: its first instruction that depends on the lanes that are present, or no_pc.
  std::vector<Pc> find_asking() const {
    std::vector<Pc> asking(loops_.loops.size(), no_pc);
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      if (loops_.innermost[block] == Loop::none) continue;
      Pc& first = asking[loops_.innermost[block]];
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end && first == no_pc; ++pc) {
        if (depends_on_company(program_.instructions[pc])) first = pc;
      }
    }
    // A loop precedes the loops inside it.
    for (std::size_t loop = asking.size(); loop-- > 0;) {
      const std::uint32_t parent = loops_.loops[loop].parent;
      if (parent != Loop::none) asking[parent] = std::min(asking[parent], asking[loop]);
    }
    return asking;
  }

  // The graph of one iteration of a loop that no lane leaves: its blocks, by index in `body`, and the iteration's end.
  std::vector<BasicBlock> round_of(std::uint32_t loop, std::span<const std::uint32_t> body) {
    std::vector<BasicBlock> round(body.size() + 1);
    const auto end = static_cast<std::uint32_t>(body.size());
    for (std::uint32_t i = 0; i < end; ++i) place_[body[i]] = i;
    for (std::uint32_t i = 0; i < end; ++i) {
      if (!loops_.contains(loop, body[i])) continue;
      for (const std::uint32_t successor : blocks_[body[i]].successors) {
        if (!loops_.contains(loop, successor)) continue;
        const std::uint32_t to = successor == loops_.loops[loop].header ? end : place_[successor];
        round[i].successors.push_back(to);
        round[to].predecessors.push_back(i);
      }
    }
    return round;
  }

  std::uint32_t line_of(std::uint32_t block) const { return program_.instructions[blocks_[block].end - 1].line; }

  std::optional<Warning> check(std::uint32_t loop, Pc asking) {
    std::vector<std::uint32_t> body = loops_.blocks_of(loop);
    // Graph walks begin at block 0. It is first in every iteration, so that no walk begins inside the loop.
    if (body.front() != 0) body.insert(body.begin(), 0);
    const std::vector<BasicBlock> round = round_of(loop, body);
    const std::vector<std::uint32_t> meetings = immediate_postdominators(round);
    for (std::size_t i = 0; i < body.size(); ++i) {
      const std::uint32_t block = body[i];
      if (round[i].successors.size() < 2 || !divergence_->branch[blocks_[block].end - 1]) continue;
      if (meetings[i] == BasicBlock::no_block) continue;
      const std::uint32_t meeting = meetings[i] == body.size() ? loops_.loops[loop].header : body[meetings[i]];
      const std::uint32_t actual = blocks_[block].immediate_postdominator;
      if (meeting == actual) continue;
      const std::string where = actual == BasicBlock::no_block
                                    ? "only when they end"
                                    : fmt::format("only at line {}", program_.instructions[blocks_[actual].first].line);
      return Warning{
          line_of(block),
          fmt::format("lanes that this branch splits reconverge {}, since some leave the loop before line {}, where "
                      "the others reconverge; so '{}' in line {} may find fewer lanes together than on a GPU: let "
                      "lanes leave by a flag and a branch at the end of the loop, or by a block that only returns",
                      where, program_.instructions[blocks_[meeting].first].line, program_.text[asking],
                      program_.instructions[asking].line)};
    }
    return std::nullopt;
  }

  const Program& program_;
  std::vector<BasicBlock> blocks_;
  LoopForest loops_;
  std::vector<std::uint32_t> place_;  // by block: in the current iteration
  std::optional<Divergence> divergence_;
};

}  // namespace

std::vector<Warning> late_meetings(const Program& program) {
  const bool any = std::any_of(program.instructions.begin(), program.instructions.end(), depends_on_company);
  return any ? LateMeetings(program).run() : std::vector<Warning>();
}

}  // namespace reconverge::kernel
