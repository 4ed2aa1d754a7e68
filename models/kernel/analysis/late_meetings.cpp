#include "models/kernel/analysis/late_meetings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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
      : program_(program), blocks_(without(program.blocks, find_side_exits(program.instructions, program.blocks))) {}

  std::vector<Warning> run() {
    std::vector<Warning> warnings;
    for (const Loop& loop : find_loops(blocks_).loops) {
      const std::optional<Pc> asking = find_asking(loop);
      if (!asking) continue;
      if (!divergence_) divergence_ = analyse_divergence(program_);
      if (auto warning = check(loop, *asking)) warnings.push_back(std::move(*warning));
    }
    return warnings;
  }

 private:
  static bool is_in(const Loop& loop, std::uint32_t block) {
    return std::binary_search(loop.blocks.begin(), loop.blocks.end(), block);
  }

  std::optional<Pc> find_asking(const Loop& loop) const {
    for (const std::uint32_t block : loop.blocks) {
      for (Pc pc = blocks_[block].first; pc < blocks_[block].end; ++pc) {
        if (depends_on_company(program_.instructions[pc])) return pc;
      }
    }
    return std::nullopt;
  }

  // One round of the loop, as if no lane left it: the end of the round is one more block.
  std::vector<BasicBlock> round_of(const Loop& loop) const {
    std::vector<BasicBlock> round(blocks_.size() + 1);
    const auto end = static_cast<std::uint32_t>(blocks_.size());
    for (const std::uint32_t block : loop.blocks) {
      for (const std::uint32_t successor : blocks_[block].successors) {
        if (!is_in(loop, successor)) continue;
        const std::uint32_t to = successor == loop.header ? end : successor;
        round[block].successors.push_back(to);
        round[to].predecessors.push_back(block);
      }
    }
    return round;
  }

  std::uint32_t line_of(std::uint32_t block) const { return program_.instructions[blocks_[block].end - 1].line; }

  std::optional<Warning> check(const Loop& loop, Pc asking) const {
    const std::vector<BasicBlock> round = round_of(loop);
    const std::vector<std::uint32_t> meetings = immediate_postdominators(round);
    for (const std::uint32_t block : loop.blocks) {
      if (round[block].successors.size() < 2 || !divergence_->branch[blocks_[block].end - 1]) continue;
      const std::uint32_t meeting = meetings[block] == blocks_.size() ? loop.header : meetings[block];
      const std::uint32_t actual = blocks_[block].immediate_postdominator;
      if (meeting == BasicBlock::no_block || meeting == actual) continue;
      const std::string where = actual == BasicBlock::no_block
                                    ? "only when they end"
                                    : fmt::format("only at line {}", program_.instructions[blocks_[actual].first].line);
      return Warning{
          line_of(block),
          fmt::format(
              "lanes that this branch parts meet {}, since some leave the loop before line {}, where the others "
              "meet; so '{}' in line {} may find fewer lanes together than on a GPU: let lanes leave by a "
              "flag and a branch at the end of the loop, or by a block that only returns",
              where, program_.instructions[blocks_[meeting].first].line, program_.text[asking],
              program_.instructions[asking].line)};
    }
    return std::nullopt;
  }

  const Program& program_;
  std::vector<BasicBlock> blocks_;
  std::optional<Divergence> divergence_;
};

}  // namespace

std::vector<Warning> late_meetings(const Program& program) {
  const bool any = std::any_of(program.instructions.begin(), program.instructions.end(), depends_on_company);
  return any ? LateMeetings(program).run() : std::vector<Warning>();
}

}  // namespace reconverge::kernel
