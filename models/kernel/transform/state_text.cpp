// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/state_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace reconverge::kernel {

namespace {

// `.v4.b32`
std::string suffix_of(const StateAccess& access) {
  const std::string vector = access.items.size() == 1 ? "" : fmt::format(".v{}", access.items.size());
  return fmt::format("{}.b{}", vector, 8 * access.items.front().bytes);
}

std::string_view description_of(SplitPoint::Reason reason) {
  switch (reason) {
    case SplitPoint::Reason::loop:
      return "the loop at line";
    case SplitPoint::Reason::after_loop:
      return "what follows the loop at line";
    case SplitPoint::Reason::knot:
      return "the cycle with several ways in at line";
    case SplitPoint::Reason::side:
      return "a side of the branch at line";
    default:
      return "where the sides meet of the branch at line";
  }
}

// ` (trace.cu:45)`, if there are .loc lines.
std::string source_of(const WrittenKernel& kernel, std::uint32_t instruction) {
  if (!kernel.is_written(instruction) || kernel.written(instruction).source == no_source) return {};
  const SourcePlace& place = kernel.module().sources[kernel.written(instruction).source];
  const auto file = kernel.module().source_files.find(place.file);
  if (file == kernel.module().source_files.end()) return {};
  return fmt::format(" ({}:{})", file->second.substr(file->second.rfind('/') + 1), place.line);
}

}  // namespace

std::string Guard::text(bool inverted) const {
  if (predicate.empty()) return {};
  return fmt::format("@{}{} ", negated != inverted ? "!" : "", predicate);
}

StateText::StateText(const WrittenKernel& kernel, const MicrokernelPlan& plan)
    : kernel_(kernel), plan_(plan), state_(fmt::format("%{}_state", plan.stem)) {}

std::string StateText::line(const std::string& indent, std::string_view instruction) const {
  return fmt::format("{}{};\n", indent, instruction);
}

LocalRegisters StateText::local_registers() const { return {state_, name("address"), name("arrays")}; }

std::string StateText::name(std::string_view what) const { return fmt::format("%{}_{}", plan_.stem, what); }

std::string StateText::parameter() const { return fmt::format(".param .u64 {}_local_arrays", plan_.stem); }

bool StateText::passes(ValueId value) const {
  return std::any_of(plan_.transfers.entries.begin(), plan_.transfers.entries.end(),
                     [&](const MicrokernelEntry& entry) { return entry.passed[value]; });
}

std::string StateText::declarations() const {
  std::string text = fmt::format("\t.reg .b32 \t{};\n", state_);
  if (plan_.local.state_bytes() != 0) text += fmt::format("\t.reg .b32 \t{};\n", local_registers().address);
  if (plan_.local.global_bytes() != 0) {
    text += fmt::format("\t.reg .b64 \t{};\n", local_registers().arrays);
    text += fmt::format("\t.reg .b32 \t%{0}_thread, %{0}_extent, %{0}_place;\n", plan_.stem);
  }
  const auto& edges = plan_.transfers.edges;
  if (std::any_of(edges.begin(), edges.end(), [](const SpawnEdge& edge) { return edge.goes_on; })) {
    text += fmt::format("\t.reg .b32 \t{}, {};\n", name("began"), name("here"));
    text += fmt::format("\t.reg .pred \t{}, {};\n", name("true"), name("together"));
  }
  if (plan_.transfers.predicate_words != 0) {
    text += fmt::format("\t.reg .b32 \t%{0}_bits<{1}>, %{0}_bit;\n", plan_.stem, plan_.transfers.predicate_words);
  }
  for (ValueId value = 0; value < kernel_.values.size(); ++value) {
    const WrittenValue& one = kernel_.values[value];
    if (one.kind == WrittenValue::Kind::special && passes(value))
      text += fmt::format("\t.reg .{} \t{};\n", name_of(one.type), kernel::name_of(plan_, one));
  }
  return text;
}

std::string StateText::grid_entry(const std::string& indent) const {
  std::string text;
  const bool has_local = plan_.local.state_bytes() != 0;
  if (plan_.transfers.grid_needs_state || has_local)
    text += line(indent, fmt::format("mov.u32 \t{}, %spawnMemAddr", state_));
  if (plan_.transfers.grid_may_go_on) text += beginning(indent);
  for (ValueId value = 0; value < kernel_.values.size(); ++value) {
    const WrittenValue& one = kernel_.values[value];
    if (one.kind == WrittenValue::Kind::special && passes(value))
      text += line(indent, fmt::format("mov.u{} \t{}, {}", 8 * one.bytes(), kernel::name_of(plan_, one), one.name));
  }
  if (plan_.local.global_bytes() != 0) text += arrays_entry(indent);
  return text;
}

// The number of a thread in the launch: consecutive within a block, block after block.
std::string StateText::arrays_entry(const std::string& indent) const {
  const std::string thread = name("thread");
  const std::string extent = name("extent");
  const std::string place = name("place");
  std::string text = line(indent, fmt::format("mov.u32 \t{}, %ctaid.z", thread));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> inner = {{{"%nctaid.y", "%ctaid.y"},
                                                                                   {"%nctaid.x", "%ctaid.x"},
                                                                                   {"%ntid.z", "%tid.z"},
                                                                                   {"%ntid.y", "%tid.y"},
                                                                                   {"%ntid.x", "%tid.x"}}};
  for (const auto& [extent_of, place_of] : inner) {
    text += line(indent, fmt::format("mov.u32 \t{}, {}", extent, extent_of));
    text += line(indent, fmt::format("mov.u32 \t{}, {}", place, place_of));
    text += line(indent, fmt::format("mad.lo.u32 \t{0}, {0}, {1}, {2}", thread, extent, place));
  }
  const std::string arrays = local_registers().arrays;
  text += line(indent, fmt::format("ld.param.u64 \t{}, [{}_local_arrays]", arrays, plan_.stem));
  text += line(indent, fmt::format("mad.wide.u32 \t{0}, {1}, {2}, {0}", arrays, thread, plan_.local.global_bytes()));
  return text;
}

std::string StateText::microkernel_entry(std::uint32_t split, const std::string& indent) const {
  const MicrokernelEntry& entry = plan_.transfers.entries[split];
  const std::vector<StateAccess> loads = accesses_to(plan_.layout, kernel_, plan_.transfers, entry.loaded);
  std::string text =
      fmt::format("\n// Micro-kernel: {} {}{}. Loads {} bytes.\n{}:\n", description_of(plan_.splits[split].reason),
                  plan_.splits[split].line, source_of(kernel_, kernel_.blocks[plan_.splits[split].block].first),
                  bytes_of(loads), plan_.labels[split]);
  if (entry.needs_state) {
    text += line(indent, fmt::format("mov.u32 \t{}, %spawnMemAddr", state_));
    text += line(indent, fmt::format("ld.spawnMem.u32 \t{0}, [{0}]", state_));
  }
  if (entry.may_go_on) text += beginning(indent);
  for (const StateAccess& access : loads) {
    text += line(indent,
                 fmt::format("ld.spawnMem{} \t{}, [{}+{}]", suffix_of(access), data_of(access), state_, access.offset));
  }
  for (const StateAccess& access : loads) {
    for (const StateItem& item : access.items) {
      if (item.predicates) text += unpacked(item, entry.loaded, indent);
    }
  }
  for (const std::uint32_t instruction : entry.computed) {
    text += line(indent, plan_.local.uses_state[instruction]
                             ? local_address_text(kernel_, plan_.local, instruction, plan_.layout.local_offset,
                                                  local_registers())
                             : std::string(kernel_.written(instruction).text));
  }
  if (is_gone_on_at(split)) text += fmt::format("{}_on:\n", plan_.labels[split]);
  return text;
}

// A vote without a member mask applies only to the lanes that are present: others may have ended or be on other paths.
std::string StateText::beginning(const std::string& indent) const {
  return line(indent, fmt::format("setp.eq.u32 \t{0}, {1}, {1}", name("true"), state_)) +
         line(indent, fmt::format("vote.ballot.b32 \t{}, {}", name("began"), name("true")));
}

std::string StateText::go_on(const SpawnEdge& edge, const std::string& predicate, const std::string& indent) const {
  if (!edge.goes_on) return {};
  return line(indent, fmt::format("vote.ballot.b32 \t{}, {}", name("here"), predicate)) +
         line(indent, fmt::format("setp.eq.u32 \t{}, {}, {}", name("together"), name("here"), name("began"))) +
         line(indent, fmt::format("@{} bra \t{}_on", name("together"), plan_.labels[edge.split]));
}

// The likelier case is tested first: the next iteration of a loop.
std::string StateText::go_on(const SpawnEdge& taken, const SpawnEdge* other, const Guard& guard,
                             const std::string& indent) const {
  const auto holding = [&](bool inverted) {
    return fmt::format("{}{}", guard.negated != inverted ? "!" : "", guard.predicate);
  };
  const std::string to_taken = go_on(taken, holding(false), indent);
  if (other == nullptr) return to_taken;
  const std::string to_other = go_on(*other, holding(true), indent);
  return goes_back(*other) && !goes_back(taken) ? to_other + to_taken : to_taken + to_other;
}

bool StateText::is_gone_on_at(std::uint32_t split) const {
  const auto& edges = plan_.transfers.edges;
  return std::any_of(edges.begin(), edges.end(),
                     [&](const SpawnEdge& edge) { return edge.goes_on && edge.split == split; });
}

bool StateText::goes_back(const SpawnEdge& edge) const { return plan_.splits[edge.split].block <= edge.from; }

std::string StateText::spawn(const SpawnEdge& edge, const std::string& indent) const {
  return go_on(edge, name("true"), indent) + stores(edge.stored, {}, indent) + spawn_line(edge, {}, indent) +
         line(indent, "exit");
}

std::string StateText::spawn(const SpawnEdge& taken, const SpawnEdge* other, const Guard& guard,
                             const std::string& indent) const {
  const std::string together = go_on(taken, other, guard, indent);
  if (other == nullptr) {
    return together + stores(taken.stored, guard.text(), indent) + spawn_line(taken, guard.text(), indent) +
           line(indent, guard.text() + "exit");
  }
  // Values that both sides store need no guard: all lanes store them together. Words of predicates need no guard only
  // if both sides store the same predicates.
  ValueSet both = taken.stored & other->stored;
  for (std::uint32_t word = 0; word < plan_.transfers.predicate_words; ++word) {
    const std::vector<ValueId> held = predicates_of(word, taken.stored);
    if (held == predicates_of(word, other->stored)) continue;
    for (const ValueId value : held) both.reset(value);
  }
  return together + stores(both, {}, indent) + stores(taken.stored - both, guard.text(), indent) +
         stores(other->stored - both, guard.text(true), indent) + spawn_line(taken, guard.text(), indent) +
         spawn_line(*other, guard.text(true), indent) + (other->by_jump ? std::string() : line(indent, "exit"));
}

std::string StateText::stores(const ValueSet& values, const std::string& guard, const std::string& indent) const {
  std::string text;
  const std::vector<StateAccess> accesses = accesses_to(plan_.layout, kernel_, plan_.transfers, values);
  for (const StateAccess& access : accesses) {
    for (const StateItem& item : access.items) {
      if (item.predicates) text += packed(item, values, indent);
    }
  }
  for (const StateAccess& access : accesses) {
    text += line(indent, fmt::format("{}st.spawnMem{} \t[{}+{}], {}", guard, suffix_of(access), state_, access.offset,
                                     data_of(access)));
  }
  return text;
}

std::string StateText::spawn_line(const SpawnEdge& edge, const std::string& guard, const std::string& indent) const {
  return line(indent, fmt::format("{}spawn \t{}, {}", guard, plan_.labels[edge.split], state_));
}

std::vector<ValueId> StateText::predicates_of(std::uint32_t word, const ValueSet& values) const {
  std::vector<ValueId> result;
  for (auto value = values.find_first(); value != ValueSet::npos; value = values.find_next(value)) {
    if (kernel_.values[value].predicate() && plan_.transfers.predicates[value].word == word)
      result.push_back(static_cast<ValueId>(value));
  }
  return result;
}

std::string StateText::packed(const StateItem& word, const ValueSet& values, const std::string& indent) const {
  std::string text;
  const std::string bits = register_of(word);
  const std::string bit = name("bit");
  bool is_first = true;
  for (const ValueId value : predicates_of(word.index, values)) {
    const std::uint32_t mask = 1U << plan_.transfers.predicates[value].bit;
    text +=
        line(indent, fmt::format("selp.b32 \t{}, {}, 0, {}", is_first ? bits : bit, mask, kernel_.values[value].name));
    if (!is_first) text += line(indent, fmt::format("or.b32 \t{0}, {0}, {1}", bits, bit));
    is_first = false;
  }
  return text;
}

std::string StateText::unpacked(const StateItem& word, const ValueSet& values, const std::string& indent) const {
  std::string text;
  const std::string bit = name("bit");
  for (const ValueId value : predicates_of(word.index, values)) {
    const std::uint32_t mask = 1U << plan_.transfers.predicates[value].bit;
    text += line(indent, fmt::format("and.b32 \t{}, {}, {}", bit, register_of(word), mask));
    text += line(indent, fmt::format("setp.ne.u32 \t{}, {}, 0", kernel_.values[value].name, bit));
  }
  return text;
}

std::string StateText::register_of(const StateItem& item) const {
  if (item.predicates) return fmt::format("%{}_bits{}", plan_.stem, item.index);
  return kernel::name_of(plan_, kernel_.values[item.index]);
}

std::string StateText::data_of(const StateAccess& access) const {
  if (access.items.size() == 1) return register_of(access.items.front());
  std::string text;
  for (const StateItem& item : access.items) text += fmt::format("{}{}", text.empty() ? "{" : ", ", register_of(item));
  return text + "}";
}

}  // namespace reconverge::kernel
