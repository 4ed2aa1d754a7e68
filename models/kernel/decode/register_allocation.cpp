// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/register_allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/core/error.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/decode/register_demand.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

// Limit for the size of the interference graph: each value may interfere with all values that are live at the same
// time.
constexpr std::uint64_t max_pairs = std::uint64_t{1} << 27U;

using Interference = std::vector<std::vector<ValueId>>;

bool share_bank(ValueClass a, ValueClass b) { return (a == ValueClass::predicate) == (b == ValueClass::predicate); }

Interference interference_of(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                             std::span<const ValueClass> values) {
  Interference graph(values.size());
  // A neighbour may be listed twice: colouring does not depend on it, and sorting all lists would dominate the run
  // time.
  const auto connect = [&](ValueId a, ValueId b) {
    if (a == b || !share_bank(values[a], values[b])) return;
    graph[a].push_back(b);
    graph[b].push_back(a);
  };
  // For a value that is written many times, a set of its neighbours is kept as soon as the list is as large as the set.
  std::vector<ValueSet> known(values.size());
  const auto connect_live = [&](ValueId definition, const ValueSet& live) {
    constexpr std::size_t bits_of_entry = 8 * sizeof(ValueId);
    ValueSet& before = known[definition];
    if (before.empty() && graph[definition].size() > values.size() / bits_of_entry) {
      before.resize(values.size());
      for (const ValueId neighbour : graph[definition]) before.set(neighbour);
    }
    const auto connect_all = [&](const ValueSet& others) {
      for (auto other = others.find_first(); other != ValueSet::npos; other = others.find_next(other)) {
        connect(definition, static_cast<ValueId>(other));
      }
    };
    if (before.empty()) return connect_all(live);
    connect_all(live - before);
    before |= live;
  };
  const Liveness liveness = compute_liveness(blocks, accesses, values.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ValueSet live = liveness.live_out[i];
    for (Pc pc = blocks[i].end; pc-- > blocks[i].first;) {
      const Accesses& at = accesses[pc];
      for (const ValueId definition : at.definitions) {
        connect_live(definition, live);
        for (const ValueId sibling : at.definitions) connect(definition, sibling);
        if (at.definitions.size() > 1) {
          for (const ValueId use : at.uses) connect(definition, use);
        }
      }
      step_back(at, live);
    }
    // Values that are read before any definition reaches them are undefined, but still interfere.
    if (i != 0 && !blocks[i].predecessors.empty()) continue;
    for (auto a = live.find_first(); a != ValueSet::npos; a = live.find_next(a)) {
      for (auto b = live.find_next(a); b != ValueSet::npos; b = live.find_next(b)) {
        connect(static_cast<ValueId>(a), static_cast<ValueId>(b));
      }
    }
  }
  return graph;
}

// Values in the order of their first use along a thread's execution; unused values last.
std::vector<ValueId> order_of_appearance(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                                         std::size_t values) {
  std::vector<ValueId> order;
  std::vector<bool> seen(values, false);
  const auto meet = [&](ValueId value) {
    if (seen[value]) return;
    seen[value] = true;
    order.push_back(value);
  };
  for (const std::uint32_t block : reverse_post_order(blocks)) {
    for (Pc pc = blocks[block].first; pc < blocks[block].end; ++pc) {
      for (const ValueId value : accesses[pc].uses) meet(value);
      for (const ValueId value : accesses[pc].definitions) meet(value);
    }
  }
  for (ValueId value = 0; value < values; ++value) meet(value);
  return order;
}

Allocation colour(const Interference& graph, std::span<const ValueId> order, std::span<const ValueClass> values) {
  Allocation result;
  result.row.assign(values.size(), no_row);
  std::vector<ValueId> taken_by;  // by row: the last value that could not get the row
  for (const ValueId value : order) {
    for (const ValueId other : graph[value]) {
      if (result.row[other] == no_row) continue;
      const std::uint32_t end = result.row[other] + (values[other] == ValueClass::wide ? 2 : 1);
      if (taken_by.size() < end + 2) taken_by.resize(end + 2, no_value);
      for (std::uint32_t row = result.row[other]; row < end; ++row) taken_by[row] = value;
    }
    const auto is_free = [&](std::uint32_t row) { return row >= taken_by.size() || taken_by[row] != value; };
    const bool wide = values[value] == ValueClass::wide;
    std::uint32_t row = 0;
    while (!is_free(row) || (wide && !is_free(row + 1))) row += wide ? 2 : 1;
    result.row[value] = row;
    std::uint32_t& bank = values[value] == ValueClass::predicate ? result.predicates : result.register_rows;
    bank = std::max(bank, row + (wide ? 2 : 1));
  }
  return result;
}

[[noreturn]] void refuse(const Program& program, std::uint32_t registers, std::uint32_t predicates) {
  throw InputError(
      {program.file, 0, 0},
      fmt::format("kernel '{}' needs {} registers and {} predicates a thread", program.name, registers, predicates),
      fmt::format("at most {} of each; unroll less", Operand::max_row));
}

}  // namespace

std::uint32_t most_rows_live(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                             std::span<const ValueClass> values) {
  ValueSet registers(values.size());
  ValueSet pairs(values.size());
  for (ValueId value = 0; value < values.size(); ++value) {
    registers[value] = values[value] != ValueClass::predicate;
    pairs[value] = values[value] == ValueClass::wide;
  }
  const Liveness liveness = compute_liveness(blocks, accesses, values.size());
  std::size_t most = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    ValueSet live = liveness.live_out[i];
    for (Pc pc = blocks[i].end; pc-- > blocks[i].first;) {
      for (const ValueId definition : accesses[pc].definitions) live.set(definition);
      most = std::max(most, (live & registers).count() + (live & pairs).count());
      step_back(accesses[pc], live);
    }
    most = std::max(most, (live & registers).count() + (live & pairs).count());
  }
  return static_cast<std::uint32_t>(most);
}

Allocation allocate_registers(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                              std::span<const ValueClass> values) {
  const Interference graph = interference_of(blocks, accesses, values);
  std::vector<ValueId> order = order_of_appearance(blocks, accesses, values.size());
  Allocation together = colour(graph, order, values);
  std::stable_partition(order.begin(), order.end(), [&](ValueId value) { return values[value] == ValueClass::wide; });
  Allocation pairs_first = colour(graph, order, values);
  return pairs_first.register_rows < together.register_rows ? pairs_first : together;
}

Program assign_registers(Draft draft) {
  Program& program = draft.program;
  const std::vector<Accesses> accesses = accesses_of(draft);
  const std::uint32_t least = most_rows_live(program.blocks, accesses, draft.values);
  if (least > Operand::max_row) refuse(program, least, 0);
  if (std::uint64_t{least} * draft.values.size() > max_pairs) {
    throw InputError(
        {program.file, 0, 0},
        fmt::format("kernel '{}' has {} values, {} of them alive at once: registers cannot be given to them",
                    program.name, draft.values.size(), least),
        "keep arrays in memory");
  }
  const Allocation allocation = allocate_registers(program.blocks, accesses, draft.values);
  if (allocation.register_rows > Operand::max_row || allocation.predicates > Operand::max_row) {
    refuse(program, allocation.register_rows, allocation.predicates);
  }
  program.registers = registers_needed(draft, allocation.register_rows);
  const auto place = [&](ValueId value, Operand& operand) {
    if (value == no_value) return;
    const bool is_predicate = draft.values[value] == ValueClass::predicate;
    operand = Operand(is_predicate ? Bank::predicate : Bank::reg, allocation.row[value]);
  };
  for (std::size_t pc = 0; pc < program.instructions.size(); ++pc) {
    Instruction& instruction = program.instructions[pc];
    const InstructionValues& values = draft.operands[pc];
    place(values.guard, instruction.guard);
    for (std::size_t i = 0; i < values.destination.size(); ++i)
      place(values.destination[i], instruction.destination[i]);
    for (std::size_t i = 0; i < values.source.size(); ++i) place(values.source[i], instruction.source[i]);
  }
  for (const ValueId value : draft.extension_registers) {
    program.extension_registers.push_back(static_cast<std::uint16_t>(allocation.row[value]));
  }
  program.register_rows = allocation.register_rows;
  program.predicates = allocation.predicates;
  return std::move(program);
}

}  // namespace reconverge::kernel
