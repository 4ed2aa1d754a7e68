// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/inspect/inspect_passes.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <vector>

#include "models/kernel/analysis/convergence_barriers.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/kernel/analysis/side_exits.hpp"
#include "models/kernel/inspect/inspect_parts.hpp"

namespace reconverge::kernel {

namespace {

bool is_conditional(const Instruction& instruction) {
  return instruction.opcode == Opcode::brx || (instruction.opcode == Opcode::bra && instruction.guard.present());
}

// `r0-r3 r7 p0`: rows of a liveness set, consecutive ones combined.
std::string row_list(const Program& program, const ValueSet& rows) {
  std::string text;
  for (auto first = rows.find_first(); first != ValueSet::npos;) {
    const bool predicate = first >= program.register_rows;
    const std::size_t end = predicate ? rows.size() : program.register_rows;
    const std::size_t base = predicate ? program.register_rows : 0;
    auto last = first;
    while (last + 1 < end && rows[last + 1]) ++last;
    const char bank = predicate ? 'p' : 'r';
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", bank, first - base);
    if (last != first) text += fmt::format("-{}{}", bank, last - base);
    first = rows.find_next(last);
  }
  return text;
}

std::size_t registers_in(const Program& program, const ValueSet& rows) {
  std::size_t count = 0;
  for (auto row = rows.find_first(); row < program.register_rows; row = rows.find_next(row)) ++count;
  return count;
}

}  // namespace

std::string loops_text(const Program& program) {
  const LoopForest forest = loops_to_list(program);
  // The loops inside each loop, in reverse order, because they are taken from the end of a list.
  std::vector<std::vector<std::uint32_t>> inside(forest.loops.size());
  for (auto i = static_cast<std::uint32_t>(forest.loops.size()); i-- > 0;) {
    if (forest.loops[i].parent != Loop::none) inside[forest.loops[i].parent].push_back(i);
  }
  return by_function(program, "no loops\n", [&](const FunctionRange& function) {
    std::string text;
    std::vector<std::uint32_t> pending;
    for (auto i = static_cast<std::uint32_t>(forest.loops.size()); i-- > 0;) {
      const Loop& loop = forest.loops[i];
      if (loop.parent == Loop::none && is_in(function, program.blocks[loop.header])) pending.push_back(i);
    }
    // Depth first, so that a loop is listed under the loop that contains it.
    while (!pending.empty()) {
      const std::uint32_t i = pending.back();
      pending.pop_back();
      pending.insert(pending.end(), inside[i].begin(), inside[i].end());
      const Loop& loop = forest.loops[i];
      const std::vector<std::uint32_t> exits = forest.exits_of(program.blocks, i);
      text += fmt::format("{}loop at {}: depth {}, blocks {}, back from {}, left to {}\n",
                          std::string(std::size_t{2} * (loop.depth - 1), ' '), block_name(program, loop.header),
                          loop.depth, block_list(forest.blocks_of(i)), block_list(loop.latches),
                          exits.empty() ? "nowhere" : block_list(exits));
    }
    for (const IrreducibleRegion& region : forest.irreducible) {
      if (!is_in(function, program.blocks[region.blocks.front()])) continue;
      text +=
          fmt::format("irreducible: blocks {}, entered at {}\n", block_list(region.blocks), block_list(region.entries));
    }
    return text;
  });
}

std::string liveness_text(const Program& program) {
  const std::vector<Accesses> accesses = accesses_of(program);
  const std::size_t rows = program.register_rows + program.predicates;
  const Liveness liveness = compute_liveness(program.blocks, accesses, rows);
  std::vector<std::string> lines(program.instructions.size());
  std::size_t most = 0;
  Pc most_at = 0;
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    ValueSet live = liveness.live_out[i];
    for (Pc pc = program.blocks[i].end; pc-- > program.blocks[i].first;) {
      step_back(accesses[pc], live);
      const std::size_t registers = registers_in(program, live);
      if (registers >= most) {
        most = registers;
        most_at = pc;
      }
      lines[pc] = fmt::format("{:6}  {:4}  {:<44}  {}\n", pc, registers, row_list(program, live), program.text[pc]);
    }
  }
  return fmt::format("{}: {} registers in {} rows, at most {} live (before pc {})\n    pc  live  rows\n", program.name,
                     program.registers, program.register_rows, most, most_at) +
         by_function(program, "", [&](const FunctionRange& function) {
           return fmt::format("{}", fmt::join(lines.begin() + function.first, lines.begin() + function.end, ""));
         });
}

std::string reconvergence_text(const Program& program) {
  const std::vector<FlowEdge> exits = find_side_exits(program.instructions, program.blocks);
  return by_function(program, "no branches\n", [&](const FunctionRange& function) {
    std::string text;
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
      const BasicBlock& block = program.blocks[i];
      const Pc pc = block.end - 1;
      const Instruction& instruction = program.instructions[pc];
      if (!is_in(function, block) || !is_conditional(instruction)) continue;
      const std::string where =
          instruction.reconvergence == no_pc
              ? std::string(end_of(program, i))
              : fmt::format("pc {}, {}", instruction.reconvergence, block_name(program, block.immediate_postdominator));
      fmt::format_to(std::back_inserter(text), "{:6}  {:<44}  meets at {}\n", pc, program.text[pc], where);
      for (const FlowEdge& exit : exits) {
        if (exit.from != i) continue;
        fmt::format_to(std::back_inserter(text), "{:54}lanes that go to {} are gone\n", "",
                       block_name(program, exit.to));
      }
    }
    return text;
  });
}

std::string divergence_text(const Program& program) {
  const Divergence divergence = analyse_divergence(program);
  const std::vector<Accesses> accesses = accesses_of(program);
  const Liveness liveness = compute_liveness(program.blocks, accesses, program.register_rows + program.predicates);
  return by_function(program, "", [&](const FunctionRange& function) {
    std::string text;
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
      if (!is_in(function, program.blocks[i])) continue;
      const ValueSet differing = divergence.at_entry[i] & liveness.live_in[i];
      text += fmt::format("{}: {}\n", block_name(program, i),
                          differing.none() ? "all live values uniform" : row_list(program, differing) + " may differ");
      const Pc pc = program.blocks[i].end - 1;
      if (!is_conditional(program.instructions[pc])) continue;
      fmt::format_to(std::back_inserter(text), "{:6}  {:<9}  {}\n", pc, divergence.branch[pc] ? "divergent" : "uniform",
                     program.text[pc]);
    }
    return text;
  });
}

std::string barriers_text(const Program& program) {
  const ConvergenceBarriers barriers = place_convergence_barriers(program, analyse_divergence(program));
  return by_function(program, "no divergent branches\n", [&](const FunctionRange& function) {
    std::string text;
    for (const BarrierAction& action : barriers.actions) {
      if (action.pc < function.first || action.pc >= function.end) continue;
      fmt::format_to(std::back_inserter(text), "{:6}  {:<5}  B{:<3}  before {}\n", action.pc, name_of(action.kind),
                     barriers.regions[action.region].barrier, program.text[action.pc]);
    }
    for (const UnsynchronisedBranch& branch : barriers.unsynchronised) {
      if (!is_in(function, program.blocks[branch.block])) continue;
      const Pc pc = program.blocks[branch.block].end - 1;
      fmt::format_to(std::back_inserter(text), "{:6}  no barrier for {}: {}\n", pc, program.text[pc],
                     name_of(branch.reason));
    }
    return text;
  });
}

std::string scoreboards_text(const Program& program) {
  const std::vector<ScoreboardUse> uses = allocate_scoreboards(program);
  return by_function(program, "", [&](const FunctionRange& function) {
    std::string text;
    for (Pc pc = function.first; pc < function.end; ++pc) {
      std::string marks;
      if (uses[pc].waits_for != 0) {
        for (unsigned i = 0; i < si_scoreboards; ++i) {
          if ((uses[pc].waits_for >> i & 1U) != 0) marks += fmt::format("{}sb{}", marks.empty() ? "&req=" : ",", i);
        }
      }
      if (uses[pc].reports_to) marks += fmt::format("{}&wr=sb{}", marks.empty() ? "" : " ", *uses[pc].reports_to);
      fmt::format_to(std::back_inserter(text), "{:6}  {:<24}  {}\n", pc, marks, program.text[pc]);
    }
    return text;
  });
}

std::string occupancy_text(const Program& program, const OccupancyQuestion& question) {
  const LaunchBounds& bounds = program.launch_bounds;
  std::string text = fmt::format("{}: {} registers a thread, {} B shared memory a block, started by {}\n", program.name,
                                 program.registers, program.shared_bytes + question.dynamic_shared_bytes,
                                 question.unit == LaunchUnit::block ? "block" : "warp");
  if (bounds.maximum_registers != 0) {
    text += fmt::format(".maxnreg {}: {}\n", bounds.maximum_registers,
                        program.registers <= bounds.maximum_registers ? "kept" : "exceeded");
  }
  fmt::format_to(std::back_inserter(text), "{:>7} {:>7} {:>7} {:>7}  limit\n", "block", "blocks", "warps", "threads");
  for (const std::uint32_t threads : question.block_sizes) {
    const LaunchNeeds needs{program.registers, program.shared_bytes + question.dynamic_shared_bytes, threads};
    const Occupancy found = occupancy(needs, question.limits, question.unit);
    fmt::format_to(std::back_inserter(text), "{:>7} {:>7} {:>7} {:>7}  {}", threads, found.blocks, found.warps,
                   found.threads, name_of(found.limit));
    if (bounds.minimum_blocks != 0) {
      text += fmt::format("; .minnctapersm {} {}", bounds.minimum_blocks,
                          found.blocks >= bounds.minimum_blocks ? "kept" : "missed");
    }
    text += '\n';
  }
  return text;
}

}  // namespace reconverge::kernel
