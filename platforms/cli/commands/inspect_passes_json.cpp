// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/kernel/analysis/convergence_barriers.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/kernel/analysis/side_exits.hpp"
#include "models/kernel/inspect/inspect_parts.hpp"
#include "platforms/cli/commands/inspect_json.hpp"

namespace reconverge::kernel {

namespace json = boost::json;

namespace {

bool is_branch(const Instruction& instruction) {
  return instruction.opcode == Opcode::brx || (instruction.opcode == Opcode::bra && instruction.guard.present());
}

/// `r3`, or `p1` for a predicate; predicates are numbered after the registers.
std::string row_name(const Program& program, std::size_t row) {
  return row < program.register_rows ? fmt::format("r{}", row) : fmt::format("p{}", row - program.register_rows);
}

json::array row_names(const Program& program, const ValueSet& rows) {
  json::array names;
  for (auto row = rows.find_first(); row != ValueSet::npos; row = rows.find_next(row)) {
    names.emplace_back(row_name(program, row));
  }
  return names;
}

Liveness liveness_of(const Program& program, std::span<const Accesses> accesses) {
  return compute_liveness(program.blocks, accesses, program.register_rows + program.predicates);
}

json::object fields_json(const RecordFields& fields) {
  json::array rows;
  for (const std::uint16_t row : fields.registers) rows.emplace_back(fmt::format("r{}", row));
  for (const std::uint16_t row : fields.predicates) rows.emplace_back(fmt::format("p{}", row));
  for (const SpecialRow row : fields.specials) rows.emplace_back(name_of(row));
  return {{"bytes", fields.bytes()}, {"rows", std::move(rows)}};
}

std::string_view kind_of(const StreamNode& node) {
  switch (node.kind) {
    case NodeKind::merging:
      return "merging";
    case NodeKind::accumulation:
      return "accumulation";
    case NodeKind::regular:
      break;
  }
  return "regular";
}

/// The arrays that a kernel works on.
template <typename Does>
json::array arrays_that(const PassKernel& kernel, const Does& does) {
  json::array arrays;
  for (const ArrayUse& use : kernel.arrays) {
    if (use.*does) arrays.emplace_back(use.array);
  }
  return arrays;
}

}  // namespace

json::object loops_json(const Program& program) {
  const LoopForest forest = loops_to_list(program);
  json::array loops;
  for (std::uint32_t i = 0; i < forest.loops.size(); ++i) {
    const Loop& loop = forest.loops[i];
    loops.push_back({{"loop", i},
                     {"header", loop.header},
                     {"depth", loop.depth},
                     {"within", json_unless(loop.parent, Loop::none)},
                     {"blocks", json_numbers(forest.blocks_of(i))},
                     {"latches", json_numbers(loop.latches)},
                     {"exits", json_numbers(forest.exits_of(program.blocks, i))}});
  }
  json::array regions;
  for (const IrreducibleRegion& region : forest.irreducible) {
    regions.push_back({{"blocks", json_numbers(region.blocks)}, {"entries", json_numbers(region.entries)}});
  }
  json::object document = json_head(program);
  document["loops"] = std::move(loops);
  document["irreducible"] = std::move(regions);
  return document;
}

json::object liveness_json(const Program& program) {
  const std::vector<Accesses> accesses = accesses_of(program);
  const Liveness liveness = liveness_of(program, accesses);
  std::vector<ValueSet> before(program.instructions.size());
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    ValueSet live = liveness.live_out[i];
    for (Pc pc = program.blocks[i].end; pc-- > program.blocks[i].first;) {
      step_back(accesses[pc], live);
      before[pc] = live;
    }
  }
  json::array instructions;
  for (Pc pc = 0; pc < before.size(); ++pc) {
    instructions.push_back({{"pc", pc}, {"ptx", program.text[pc]}, {"live", row_names(program, before[pc])}});
  }
  json::object document = json_head(program);
  document["instructions"] = std::move(instructions);
  return document;
}

json::object reconvergence_json(const Program& program) {
  const std::vector<FlowEdge> exits = find_side_exits(program.instructions, program.blocks);
  json::array branches;
  for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
    const Pc pc = program.blocks[i].end - 1;
    const Instruction& instruction = program.instructions[pc];
    if (!is_branch(instruction)) continue;
    json::array gone;
    for (const FlowEdge& exit : exits) {
      if (exit.from == i) gone.emplace_back(exit.to);
    }
    branches.push_back({{"pc", pc},
                        {"ptx", program.text[pc]},
                        {"block", i},
                        {"meets_at", json_unless(instruction.reconvergence, no_pc)},
                        {"gone_to", std::move(gone)}});
  }
  json::object document = json_head(program);
  document["branches"] = std::move(branches);
  return document;
}

json::object divergence_json(const Program& program) {
  const Divergence divergence = analyse_divergence(program);
  const std::vector<Accesses> accesses = accesses_of(program);
  const Liveness liveness = liveness_of(program, accesses);
  json::array blocks;
  json::array branches;
  for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
    blocks.push_back({{"block", i}, {"may_differ", row_names(program, divergence.at_entry[i] & liveness.live_in[i])}});
    const Pc pc = program.blocks[i].end - 1;
    if (!is_branch(program.instructions[pc])) continue;
    branches.push_back({{"pc", pc}, {"ptx", program.text[pc]}, {"divergent", bool{divergence.branch[pc]}}});
  }
  json::object document = json_head(program);
  document["blocks"] = std::move(blocks);
  document["branches"] = std::move(branches);
  return document;
}

json::object barriers_json(const Program& program) {
  const ConvergenceBarriers barriers = place_convergence_barriers(program, analyse_divergence(program));
  json::array actions;
  for (const BarrierAction& action : barriers.actions) {
    actions.push_back({{"pc", action.pc},
                       {"action", name_of(action.kind)},
                       {"barrier", barriers.regions[action.region].barrier},
                       {"region", action.region}});
  }
  json::array regions;
  for (const ConvergenceRegion& region : barriers.regions) {
    regions.push_back({{"barrier", region.barrier},
                       {"joins", json_numbers(region.joins)},
                       {"meet", region.meet},
                       {"branches", json_numbers(region.branches)}});
  }
  json::array unsynchronised;
  for (const UnsynchronisedBranch& branch : barriers.unsynchronised) {
    unsynchronised.push_back({{"pc", program.blocks[branch.block].end - 1}, {"reason", name_of(branch.reason)}});
  }
  json::object document = json_head(program);
  document["actions"] = std::move(actions);
  document["regions"] = std::move(regions);
  document["unsynchronised"] = std::move(unsynchronised);
  return document;
}

json::object scoreboards_json(const Program& program) {
  const std::vector<ScoreboardUse> uses = allocate_scoreboards(program);
  json::array instructions;
  for (Pc pc = 0; pc < uses.size(); ++pc) {
    json::array waits;
    for (unsigned i = 0; i < si_scoreboards; ++i) {
      if ((uses[pc].waits_for >> i & 1U) != 0) waits.emplace_back(i);
    }
    const auto& reports = uses[pc].reports_to;
    instructions.push_back({{"pc", pc},
                            {"ptx", program.text[pc]},
                            {"waits_for", std::move(waits)},
                            {"reports_to", reports ? json::value(*reports) : json::value(nullptr)}});
  }
  json::object document = json_head(program);
  document["instructions"] = std::move(instructions);
  return document;
}

json::object streams_json(const StreamingGraph& graph) {
  json::array nodes;
  for (const StreamNode& node : graph.nodes) {
    nodes.push_back({{"node", node.name},
                     {"kind", kind_of(node)},
                     {"instructions", node.instructions},
                     {"record", fields_json(node.fields)},
                     {"shared_words", node.uniforms.size()},
                     {"waits_for", json_numbers(node.waits_for)},
                     {"repeats_in_place", node.repeats()},
                     {"order", node.order}});
  }
  json::array arcs;
  for (const StreamArc& arc : graph.arcs) {
    arcs.push_back({{"from", json_unless(arc.from, StreamArc::source)},
                    {"to", arc.to},
                    {"bytes", graph.nodes[arc.to].fields.bytes()},
                    {"feedback", arc.feedback},
                    {"stack", arc.stack}});
  }
  json::object document = json_head(*graph.program);
  document["by_hand"] = graph.by_hand;
  document["nodes"] = std::move(nodes);
  document["arcs"] = std::move(arcs);
  return document;
}

json::object passes_json(const Partition& partition) {
  json::array arrays;
  for (const PassArray& array : partition.arrays) {
    json::array rows;
    for (const ValueId value : array.values) rows.emplace_back(row_name(*partition.program, value));
    arrays.push_back({{"bytes", array.bytes()}, {"rows", std::move(rows)}, {"double_buffered", array.double_buffered}});
  }
  json::array kernels;
  for (const PassKernel& kernel : partition.kernels) {
    kernels.push_back({{"kernel", kernel.name},
                       {"copies_alone", kernel.copies()},
                       {"instructions", kernel.instructions},
                       {"reads", arrays_that(kernel, &ArrayUse::read)},
                       {"writes", arrays_that(kernel, &ArrayUse::written)},
                       {"copies", arrays_that(kernel, &ArrayUse::copied)},
                       {"shared_words", kernel.uniforms.size()},
                       {"passes", kernel.all_passes()},
                       {"successors", json_numbers(kernel.successors)},
                       {"order", kernel.order}});
  }
  json::object document = json_head(*partition.program);
  document["static_bindings"] = partition.static_bindings;
  document["arrays"] = std::move(arrays);
  document["kernels"] = std::move(kernels);
  return document;
}

}  // namespace reconverge::kernel
