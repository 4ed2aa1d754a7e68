// SPDX-License-Identifier: Apache-2.0
#include "models/sm/opcode_cycles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>
#include <string>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::DataType;
using kernel::Opcode;

namespace {

constexpr std::uint16_t all_kinds = (1U << operand_kinds) - 1;
constexpr std::uint16_t exact = all_kinds & ~((1U << exact_kinds) - 1);

OperandKind kind_of(DataType type) {
  if (type == DataType::f64) return double_kind;
  if (type == DataType::f32 || type == DataType::f32x2) return single_kind;
  if (is_float(type)) return half_kind;
  return kernel::bytes_of(type) == 8 ? wide_kind : integer_kind;
}

[[noreturn]] void refuse(std::string_view entry, std::string_view what, std::string_view hint) {
  throw InputError({}, fmt::format("sm.lanes.opcodes: '{}': {}", entry, what), std::string(hint));
}

/// Removes the suffix `ending` from `name`. Returns whether `name` had it.
bool take_ending(std::string_view& name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  name.remove_suffix(ending.size());
  return true;
}

/// Removes the type suffixes of `name` and returns the operand kinds that they select.
std::uint16_t take_kinds(std::string_view& name) {
  static constexpr std::array<std::pair<std::string_view, OperandKind>, 4> types{
      {{".i64", wide_kind}, {".f16", half_kind}, {".f32", single_kind}, {".f64", double_kind}}};
  std::uint16_t kinds = all_kinds;
  for (const auto& [ending, kind] : types) {
    if (take_ending(name, ending)) kinds &= static_cast<std::uint16_t>(1U << kind | 1U << (kind + exact_kinds));
  }
  if (take_ending(name, ".rn")) kinds &= exact;
  return kinds;
}

Opcode opcode_named(std::string_view name, std::string_view entry) {
  for (std::size_t opcode = 0; opcode < static_cast<std::size_t>(Opcode::count); ++opcode) {
    if (name_of(static_cast<Opcode>(opcode)) == name) return static_cast<Opcode>(opcode);
  }
  refuse(entry, "there is no such opcode",
         "give the first word of a PTX instruction, and .rn, .i64, .f16, .f32 or .f64 for only these forms");
}

LanesBusyCycles pipe_named(std::string_view name, std::string_view entry) {
  for (std::uint8_t pipe = 0; pipe < LanesStatistics{}.busy_cycles.size(); ++pipe) {
    if (to_string(static_cast<LanesBusyCycles>(pipe)) == name) return static_cast<LanesBusyCycles>(pipe);
  }
  refuse(entry, "there is no such pipe", "the pipes are alu, integer, multiply, special, fp64 and matrix");
}

/// Whether the cycles of the instruction have separate parameters, or depend on more than its operands.
bool has_other_parameters(Opcode opcode) {
  static constexpr std::array opcodes{
      Opcode::ld,        Opcode::st,   Opcode::ld_param, Opcode::atom,     Opcode::red,       Opcode::mbarrier,
      Opcode::bulk_copy, Opcode::tex,  Opcode::ldmatrix, Opcode::stmatrix, Opcode::mma,       Opcode::bra,
      Opcode::brx,       Opcode::call, Opcode::ret,      Opcode::exit,     Opcode::extension, Opcode::host};
  return std::ranges::find(opcodes, opcode) != opcodes.end();
}

bool has_exact_kinds(Opcode opcode) {
  return opcode == Opcode::div || opcode == Opcode::rem || opcode == Opcode::rcp || opcode == Opcode::sqrt;
}

/// Throws InputError for an entry that applies to no instruction.
void check_use(const OpcodeCycles& cycles, std::string_view entry) {
  if (has_other_parameters(cycles.opcode)) {
    refuse(entry, "its cycles have other parameters", "see load_store, lanes.branch_latency and lanes.matrix_interval");
  }
  if (cycles.kinds == 0) refuse(entry, "two types", "give at most one of .i64, .f16, .f32 and .f64");
  if ((cycles.kinds & ~exact) == 0 && !has_exact_kinds(cycles.opcode)) {
    refuse(entry, "the instruction has no approximate form", "leave out .rn");
  }
  constexpr std::uint16_t conversions = 1U << integer_kind | 1U << single_kind | 1U << double_kind;
  if (cycles.opcode == Opcode::cvt && (cycles.kinds & conversions) == 0) {
    refuse(entry, "no conversion has this type", "give cvt, cvt.f32 or cvt.f64");
  }
}

OpcodeCycles read_entry(std::string_view entry) {
  std::istringstream words{std::string(entry)};
  std::string opcode;
  std::string pipe;
  std::string rest;
  OpcodeCycles cycles;
  const bool complete = (words >> opcode >> pipe >> cycles.latency >> cycles.interval) && !(words >> rest);
  const bool negative = entry.find('-') != std::string_view::npos;
  if (!complete || negative || cycles.latency == 0 || cycles.interval == 0) {
    refuse(entry, "not an opcode, a pipe and two numbers of cycles", "write OPCODE[.TYPE] PIPE LATENCY INTERVAL");
  }
  std::string_view name = opcode;
  cycles.kinds = take_kinds(name);
  cycles.opcode = opcode_named(name, entry);
  cycles.pipe = pipe_named(pipe, entry);
  check_use(cycles, entry);
  return cycles;
}

}  // namespace

std::size_t operand_kind(const kernel::Instruction& instruction) {
  const OperandKind kind = kind_of(instruction.type);
  const Opcode opcode = instruction.opcode;
  if (opcode == Opcode::cvt) {
    const OperandKind from = kind_of(instruction.source_type);
    if (std::max(kind, from) < half_kind) return integer_kind;
    const auto is_wide = [](OperandKind one) { return one == wide_kind || one == double_kind; };
    return is_wide(kind) || is_wide(from) ? double_kind : single_kind;
  }
  return std::size_t{kind} + (has_exact_kinds(opcode) && !instruction.approximate ? std::size_t{exact_kinds} : 0);
}

std::vector<OpcodeCycles> read_opcode_cycles(std::string_view text) {
  std::vector<OpcodeCycles> entries;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    entries.push_back(read_entry(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return std::popcount(a.kinds) > std::popcount(b.kinds); });
  return entries;
}

}  // namespace reconverge
