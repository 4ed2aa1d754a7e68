// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/microkernel_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/syntax/lexer.hpp"
#include "models/kernel/transform/state_text.hpp"
#include "models/kernel/transform/text_edits.hpp"

namespace reconverge::kernel {

namespace {

class Writer {
 public:
  Writer(const WrittenKernel& kernel, const MicrokernelPlan& plan)
      : kernel_(kernel), plan_(plan), text_(kernel, plan), edits_(*kernel.module().source) {
    for (const SpawnEdge& edge : plan.transfers.edges) {
      if (edge.from != BasicBlock::no_block) edges_[edge.from][plan.splits[edge.split].block] = &edge;
    }
    for (std::uint32_t i = 0; i < plan.splits.size(); ++i) split_of_[plan.splits[i].block] = i;
  }

  std::string run(std::string_view comment) {
    for (const auto& [from, edges] : edges_) {
      for (const auto& [to, edge] : edges) check_names(*edge, to);
    }
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    std::string_view source = *kernel_.module().source;
    const std::size_t start = source.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    edits_.insert_before(source.substr(start, 0), std::string(comment));
    declare_registers();
    begin_kernel();
    for (std::uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
      if (split_of_.contains(block)) begin_microkernel(block);
      if (edges_.contains(block)) end_microkernel(block);
    }
    rewrite_special_registers();
    rewrite_local_accesses(kernel_, plan_.local, plan_.layout.local_offset, text_.local_registers(), edits_);
    return edits_.apply();
  }

 private:
  // Names in a spawn must have the same meaning as at the start of its micro-kernel.
  void check_names(const SpawnEdge& edge, std::uint32_t to) const {
    const std::uint32_t last = kernel_.blocks[edge.from].end - 1;
    const std::uint32_t scope = kernel_.scope_of(last);
    const Position position = kernel_.written(last).position;
    for (auto value = edge.stored.find_first(); value != ValueSet::npos; value = edge.stored.find_next(value)) {
      if (kernel_.names_value(scope, kernel_.values[value])) continue;
      kernel_.refuse(
          position,
          fmt::format("'{}' must be stored here, but another register has this name", kernel_.values[value].name),
          "give registers of inner scopes unique names");
    }
    const Statement* const label = label_statement(kernel_.blocks[to].first);
    if (label != nullptr && kernel_.find(label->label, scope).statement != label) {
      kernel_.refuse(position, fmt::format("control goes into a scope here, to '{}'", label->label),
                     "leave out the braces around the label");
    }
  }

  void declare_registers() {
    const std::string_view name = kernel_.function().name;
    const std::string& source = *kernel_.module().source;
    const std::vector<Token> tokens = tokenize(source, kernel_.module().file);
    const auto body = std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) {
      return token.is('{') && token.text.data() > name.data();
    });
    edits_.insert_behind(static_cast<std::size_t>(body->text.data() - source.data()), text_.declarations());
    if (plan_.local.global_bytes() != 0) add_parameter(tokens, body);
  }

  // Inserted after the last of the author's parameters, or in a new list.
  void add_parameter(const std::vector<Token>& tokens, std::vector<Token>::const_iterator body) {
    const auto name = std::find_if(
        tokens.begin(), body, [&](const Token& token) { return token.text.data() == kernel_.function().name.data(); });
    auto end = name;
    for (auto token = name; token != body; ++token) {
      if (token->is(')')) end = token;
    }
    const bool has_list = end != name;
    const bool first = kernel_.function().prototype.parameters.empty();
    if (has_list)
      edits_.replace(end->text.substr(0, 1), fmt::format("{}{})", first ? "" : ", ", text_.parameter()));
    else
      edits_.replace(name->text, fmt::format("{}({})", name->text, text_.parameter()));
  }

  // Threads of the grid begin at the top of the body; the code there computes the values that only they have.
  void begin_kernel() {
    const auto& statements = kernel_.function().statements;
    const auto first = std::find_if(statements.begin(), statements.end(), [](const Statement& statement) {
      return statement.kind == Statement::Kind::label || statement.kind == Statement::Kind::instruction;
    });
    const std::string_view place = first->kind == Statement::Kind::label ? first->label : kernel_.written(0).text;
    std::string text = text_.grid_entry(indentation());
    for (const SpawnEdge& edge : plan_.transfers.edges) {
      if (edge.from == BasicBlock::no_block) text += text_.spawn(edge, indentation());
    }
    edits_.insert_before(place, std::move(text));
  }

  void begin_microkernel(std::uint32_t block) {
    const std::uint32_t split = split_of_.at(block);
    const BasicBlock& one = kernel_.blocks[block];
    // Control that falls through into the block spawns, unless the branch before it already did.
    std::string text;
    if (const SpawnEdge* const edge = falls_into(block)) text += text_.spawn(*edge, indentation());
    text += text_.microkernel_entry(split, indentation());
    const Statement* const label = label_statement(one.first);
    if (label != nullptr) return edits_.insert_before(label->label, std::move(text));
    if (one.first == 0) return edits_.insert_before(kernel_.written(0).text, std::move(text));
    edits_.insert_after(kernel_.written(one.first - 1).text, std::move(text));
  }

  // The first of the author's labels directly before an instruction; null if there is none.
  const Statement* label_statement(std::uint32_t instruction) const {
    const auto& statements = kernel_.function().statements;
    const std::uint32_t begin = instruction == 0 ? 0 : kernel_.statement_of[instruction - 1] + 1;
    for (std::uint32_t i = begin; i < kernel_.statement_of[instruction]; ++i) {
      if (statements[i].kind == Statement::Kind::label) return &statements[i];
    }
    return nullptr;
  }

  const SpawnEdge* falls_into(std::uint32_t block) const {
    if (block == 0) return nullptr;
    const auto before = edges_.find(block - 1);
    if (before == edges_.end() || !before->second.contains(block)) return nullptr;
    const Instruction& last = last_of(block - 1);
    if (leaves_program(last) || (is_branch(last) && !last.guard.present())) return nullptr;
    return spawns_both_ways(block - 1) ? nullptr : before->second.at(block);
  }

  const Instruction& last_of(std::uint32_t block) const { return kernel_.operations[kernel_.blocks[block].end - 1]; }

  // Whether a guarded bra has split points on both sides; then it is replaced by two spawns.
  bool spawns_both_ways(std::uint32_t block) const {
    const auto& edges = edges_.at(block);
    const Instruction& last = last_of(block);
    return last.opcode == Opcode::bra && last.guard.present() && edges.contains(target_of(last)) &&
           other_side(block) != nullptr;
  }

  // The split point that control reaches if the branch at the end of the block is not taken.
  const SpawnEdge* other_side(std::uint32_t block) const {
    const auto& edges = edges_.at(block);
    if (const auto falls = edges.find(block + 1); falls != edges.end()) return falls->second;
    const auto jumps = std::find_if(edges.begin(), edges.end(), [](const auto& one) { return one.second->by_jump; });
    return jumps == edges.end() ? nullptr : jumps->second;
  }

  std::uint32_t target_of(const Instruction& branch) const { return block_of(kernel_.blocks, branch.target); }

  void end_microkernel(std::uint32_t block) {
    const Instruction& last = last_of(block);
    const auto& edges = edges_.at(block);
    if (last.opcode == Opcode::brx) return branch_through_table(block);
    if (last.opcode != Opcode::bra || !edges.contains(target_of(last))) return;
    const SyntaxInstruction& written = kernel_.written(kernel_.blocks[block].end - 1);
    const SpawnEdge& taken = *edges.at(target_of(last));
    const std::string indent = edits_.indentation_of(written.text);
    std::string text;
    if (!last.guard.present()) {
      text = text_.spawn(taken, indent);
    } else {
      const Guard guard{written.guard, written.guard_negated};
      const SpawnEdge* const other = other_side(block);
      text = text_.spawn(taken, other, guard, indent);
      if (other != nullptr && other->by_jump)
        edits_.replace(kernel_.written(kernel_.blocks[block + 1].first).text, "exit");
    }
    edits_.replace(written.text, without_ends(text, indent));
  }

  // The text before and after already has the author's blanks and the semicolon.
  static std::string without_ends(std::string text, const std::string& indent) {
    text.erase(0, indent.size());
    text.resize(text.rfind(';'));
    return text;
  }

  // Targets of the table that are split points are replaced by new labels.
  void branch_through_table(std::uint32_t block) {
    const Instruction& last = last_of(block);
    const SyntaxInstruction& written = kernel_.written(kernel_.blocks[block].end - 1);
    const std::string indent = edits_.indentation_of(written.text);
    const std::string table = fmt::format("{}_table_{}", plan_.stem, last.target);
    const Statement& names =
        *kernel_.find(written.operands[1].name, kernel_.scope_of(kernel_.blocks[block].end - 1)).statement;
    std::map<std::uint32_t, std::string> places;
    std::string spawns;
    std::string targets;
    const std::vector<Pc>& pcs = kernel_.tables[last.target];
    for (std::size_t i = 0; i < pcs.size(); ++i) {
      const std::uint32_t target = block_of(kernel_.blocks, pcs[i]);
      const auto edge = edges_.at(block).find(target);
      if (i != 0) targets += ", ";
      if (edge == edges_.at(block).end()) {
        targets += names.targets[i];
        continue;
      }
      const auto [place, is_new] = places.try_emplace(target, fmt::format("{}_{}", table, places.size()));
      targets += place->second;
      if (is_new) spawns += fmt::format("{}:\n{}", place->second, text_.spawn(*edge->second, indent));
    }
    if (places.empty()) return;
    std::string before = fmt::format("{}: .branchtargets {};\n", table, targets);
    const std::string around = fmt::format("{}_around_{}", plan_.stem, last.target);
    if (last.guard.present())
      before += fmt::format("{}@{}{} bra \t{};\n", indent, written.guard_negated ? "" : "!", written.guard, around);
    edits_.insert_before(written.text, std::move(before));
    edits_.replace(written.operands[1].name, table);
    if (last.guard.present()) spawns += around + ":\n";
    // Inserted before the code that control falls into, which has the same position.
    edits_.insert_after(written.text, std::move(spawns));
  }

  void rewrite_special_registers() {
    for (const SpecialUse& use : kernel_.special_uses) {
      if (!text_.passes(use.value)) continue;
      const WrittenValue& value = kernel_.values[use.value];
      if (use.text.empty()) {
        kernel_.refuse(value.position, fmt::format("{} is read as a part of a vector after a spawn", value.name),
                       "name its parts: mov.u32 %r, %tid.x");
      }
      edits_.replace(use.text, name_of(plan_, value));
    }
  }

  std::string indentation() const { return edits_.indentation_of(kernel_.written(0).text); }

  const WrittenKernel& kernel_;
  const MicrokernelPlan& plan_;
  StateText text_;
  TextEdits edits_;
  std::map<std::uint32_t, std::map<std::uint32_t, const SpawnEdge*>> edges_;  // by block, then by the split's block
  std::map<std::uint32_t, std::uint32_t> split_of_;                           // by block
};

std::string_view word_of(SplitPoint::Reason reason) {
  switch (reason) {
    case SplitPoint::Reason::loop:
      return "loop";
    case SplitPoint::Reason::after_loop:
      return "after_loop";
    case SplitPoint::Reason::knot:
      return "knot";
    case SplitPoint::Reason::side:
      return "side";
    default:
      return "meeting";
  }
}

}  // namespace

std::string free_stem(std::string_view source) {
  std::string stem = "mk";
  for (unsigned i = 2; source.find(stem + "_") != std::string_view::npos; ++i) stem = fmt::format("mk{}", i);
  return stem;
}

std::vector<std::string> microkernel_labels(std::span<const SplitPoint> splits, std::string_view stem) {
  std::map<std::string, unsigned> used;
  std::vector<std::string> result;
  for (const SplitPoint& split : splits) {
    std::string label = fmt::format("{}_{}_{}", stem, word_of(split.reason), split.line);
    const unsigned count = ++used[label];
    if (count > 1) label += fmt::format("_{}", count);
    result.push_back(std::move(label));
  }
  return result;
}

std::string name_of(const MicrokernelPlan& plan, const WrittenValue& value) {
  if (value.kind == WrittenValue::Kind::arrays) return fmt::format("%{}_arrays", plan.stem);
  if (value.kind != WrittenValue::Kind::special) return std::string(value.name);
  std::string name = fmt::format("%{}_{}", plan.stem, value.name.substr(1));
  std::replace(name.begin(), name.end(), '.', '_');
  return value.bytes() == 4 ? name : fmt::format("{}_{}", name, 8 * value.bytes());
}

std::string written_microkernels(const WrittenKernel& kernel, const MicrokernelPlan& plan, std::string_view comment) {
  return Writer(kernel, plan).run(comment);
}

}  // namespace reconverge::kernel
