// SPDX-License-Identifier: Apache-2.0
// Operands of few instructions: parts of registers, the condition code, operands without effect.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/kernel/decode/lowering.hpp"
#include "models/kernel/decode/special_registers.hpp"
#include "models/kernel/decode/video.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::array<std::string_view, 7> part_names = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};

unsigned part_of(std::string_view name) {
  for (unsigned i = 1; i < part_names.size(); ++i) {
    if (name.ends_with(part_names[i])) return i;
  }
  return 0;
}

bool has_cache_hint(const SyntaxInstruction& syntax) {
  const auto& modifiers = syntax.modifiers;
  return std::find(modifiers.begin(), modifiers.end(), "L2::cache_hint") != modifiers.end();
}

// Part of a copy: ld or st of `bytes` under the guard of `copy`.
Work copy_step(const Work& copy, Opcode opcode, Space space, std::int64_t bytes) {
  Work step = copy;
  step.instruction.opcode = opcode;
  step.instruction.operation_class = opcode == Opcode::ld ? OperationClass::load : OperationClass::store;
  step.instruction.space = space;
  step.instruction.type = bytes == 4 ? DataType::b32 : DataType::b64;
  step.instruction.vector_width = bytes == 16 ? 2 : 1;
  return step;
}

Work plain(Opcode opcode, DataType type) {
  Work step;
  step.instruction.opcode = opcode;
  step.instruction.type = type;
  return step;
}

// A copy of `bytes` bytes, of which the first `size` (at most `bytes`) are read and the others are zeros. Copies word
// by word, because the memory after the bytes that are read need not exist.
std::vector<Work> lower_partial_copy(const SyntaxInstruction& syntax, const Work& work, std::int64_t bytes,
                                     OperandBinder& binder) {
  constexpr auto word = static_cast<std::int64_t>(sizeof(std::uint32_t));
  std::vector<Work> result;
  for (std::int64_t at = 0; at < bytes; at += word) {
    const Position position = syntax.operands[3].position;
    // The number of bytes left to read from this word on, and whether there are any, in lanes that copy.
    Work rest = plain(Opcode::sub, DataType::s32);
    const ValueId left = binder.new_value(ValueClass::narrow);
    binder.source(rest, 0, syntax.operands[3], DataType::u32);
    binder.constant(rest, 1, static_cast<std::uint64_t>(at), false, position);
    binder.place(rest, true, 0, left);
    Work compare = plain(Opcode::setp, DataType::s32);
    const ValueId reads = binder.new_value(ValueClass::predicate);
    compare.instruction.comparison = Comparison::gt;
    binder.place(compare, false, 0, left);
    binder.constant(compare, 1, 0, false, position);
    if (work.values.guard != no_value) {
      compare.instruction.boolean = Boolean::and_;
      compare.instruction.negated_sources = static_cast<std::uint8_t>(work.instruction.guard_negated ? 1U << 2U : 0U);
      binder.place(compare, false, 2, work.values.guard);
    }
    binder.place(compare, true, 0, reads);

    const ValueId value = binder.new_value(ValueClass::narrow);
    Work clear = plain(Opcode::mov, DataType::u32);
    binder.constant(clear, 0, 0, false, position);
    binder.place(clear, true, 0, value);
    Work load = copy_step(work, Opcode::ld, Space::global, word);
    binder.address(load, syntax.operands[1]);
    load.instruction.offset += static_cast<std::int32_t>(at);
    load.instruction.guard = Operand(Bank::predicate, 0);
    load.instruction.guard_negated = false;
    load.values.guard = reads;
    binder.place(load, true, 0, value);

    // The bytes of this word that are not read: bits from 8 * left on.
    Work extract = plain(Opcode::bfe, DataType::u32);
    const ValueId bits = binder.new_value(ValueClass::narrow);
    Work count = plain(Opcode::shl, DataType::b32);
    binder.place(count, false, 0, left);
    binder.constant(count, 1, 3, false, position);
    binder.place(count, true, 0, bits);
    const ValueId kept = binder.new_value(ValueClass::narrow);
    Work least = plain(Opcode::min, DataType::u32);
    binder.place(least, false, 0, bits);
    binder.constant(least, 1, 32, false, position);
    binder.place(least, true, 0, bits);
    binder.place(extract, false, 0, value);
    binder.constant(extract, 1, 0, false, position);
    binder.place(extract, false, 2, bits);
    binder.place(extract, true, 0, kept);

    Work store = copy_step(work, Opcode::st, Space::shared, word);
    binder.address(store, syntax.operands[0]);
    store.instruction.offset += static_cast<std::int32_t>(at);
    binder.place(store, false, 1, kept);
    result.insert(result.end(), {rest, compare, clear, load, count, least, extract, store});
  }
  return result;
}

}  // namespace

std::vector<Work> lower_copy(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder) {
  const auto& operands = syntax.operands;
  const std::int64_t bytes = binder.integer(operands[2], "the size of a copy");
  const bool whole_sectors = work.instruction.variant == static_cast<std::uint8_t>(CacheOperator::cg);
  if (bytes != 16 && (whole_sectors || (bytes != 4 && bytes != 8))) {
    binder.refuse(operands[2].position, fmt::format("a copy of {} bytes", bytes), ".ca copies 4, 8 or 16, .cg 16");
  }
  const std::size_t sizes = operands.size() - (has_cache_hint(syntax) ? 1 : 0);
  if (sizes < 3 || sizes > 4) {
    binder.refuse(syntax.position, "a cache policy is the last operand, and only with .L2::cache_hint");
  }
  if (has_cache_hint(syntax)) binder.check(operands.back(), DataType::b64);
  if (sizes == 4 && (operands[3].kind != SyntaxOperand::Kind::integer || operands[3].integer != bytes)) {
    return lower_partial_copy(syntax, work, bytes, binder);
  }
  Work load = copy_step(work, Opcode::ld, Space::global, bytes);
  Work store = copy_step(work, Opcode::st, Space::shared, bytes);
  binder.address(load, operands[1]);
  binder.address(store, operands[0]);
  for (unsigned i = 0; i < load.instruction.vector_width; ++i) {
    const ValueId value = binder.new_value(class_of(load.instruction.type));
    binder.place(load, true, i, value);
    binder.place(store, false, 1 + i, value);
  }
  return {load, store};
}

std::vector<Work> lower_bulk_copy(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder) {
  constexpr unsigned to_global = 1;
  constexpr std::int64_t unit = 16;
  const auto& operands = syntax.operands;
  const bool from_shared = work.instruction.variant == to_global;
  const std::size_t own_operands = from_shared ? 3 : 4;
  const bool has_policy = operands.size() > own_operands;
  binder.policy(syntax, has_policy ? &operands.back() : nullptr);
  if (operands[2].kind == SyntaxOperand::Kind::integer && operands[2].integer % unit != 0) {
    binder.refuse(operands[2].position, fmt::format("a bulk copy of {} bytes", operands[2].integer),
                  "copy a multiple of 16");
  }
  Work copy = work;
  copy.instruction.space = Space::global;
  copy.instruction.type = DataType::b32;
  binder.address(copy, operands[from_shared ? 0 : 1]);
  binder.shared_address(copy, 1, operands[from_shared ? 1 : 0]);
  binder.source(copy, 2, operands[2], DataType::u32);
  if (from_shared) return {copy};

  // The mbarrier counts the bytes when they have been copied: it takes their number from the copy.
  const ValueId bytes = binder.new_value(ValueClass::narrow);
  binder.place(copy, true, 0, bytes);
  Work complete = work;
  complete.instruction.opcode = Opcode::mbarrier;
  complete.instruction.operation_class = OperationClass::atomic;
  complete.instruction.variant = static_cast<std::uint8_t>(MbarrierOperation::complete_tx);
  complete.instruction.type = DataType::b64;
  complete.instruction.space = Space::shared;
  binder.address(complete, operands[3]);
  binder.place(complete, false, 1, bytes);
  return {copy, complete};
}

void OperandBinder::shared_address(Work& work, unsigned slot, const SyntaxOperand& operand) {
  if (operand.kind != SyntaxOperand::Kind::address || operand.elements.size() != 1) {
    refuse(operand.position, "an address in [ ] is needed here");
  }
  SyntaxOperand value = operand.elements.front();
  const Symbol symbol = value.kind == SyntaxOperand::Kind::name ? find(value.name) : Symbol();
  const bool is_variable = symbol.kind == Symbol::Kind::variable || symbol.kind == Symbol::Kind::parameter;
  if (is_variable && symbol.variable->space != Space::shared) {
    refuse(value.position, fmt::format("'{}' is in .{}, not in .shared", value.name, name_of(symbol.variable->space)));
  }
  value.integer += operand.integer;
  const bool wide = class_of(declared_type(value)) == ValueClass::wide;
  source(work, slot, value, wide ? DataType::b64 : DataType::b32);
}

void OperandBinder::part(Work& work, bool is_destination, unsigned slot, const SyntaxOperand& operand) {
  Instruction& instruction = work.instruction;
  const bool is_mad = instruction.variant == video(VideoOperation::mad);
  SyntaxOperand whole = operand;
  const unsigned part = operand.kind == SyntaxOperand::Kind::name ? part_of(operand.name) : 0;
  whole.name.remove_suffix(part_names[part].size());
  if (operand.minus && (!is_mad || is_destination)) refuse(operand.position, "only sources of vmad take a '-'");
  if (part != 0) refuse_offset(operand);
  if (part != 0 && slot == 2)
    refuse(operand.position, "the third source cannot be a part of a register", "write only the register");
  whole.minus = false;
  if (operand.minus) instruction.offset |= 1 << (VideoForm::negate_bits + slot);
  const unsigned at = is_destination ? VideoForm::d_part_bits
                      : slot == 0    ? VideoForm::a_part_bits
                                     : VideoForm::b_part_bits;
  instruction.offset |= static_cast<std::int32_t>(part << at);
  if (is_destination) return destination(work, slot, whole, DataType::b32);
  source(work, slot, whole, DataType::b32);
}

void OperandBinder::texture(Work& work, const SyntaxOperand& operand) {
  if (operand.kind != SyntaxOperand::Kind::address || operand.elements.size() != 2 || operand.integer != 0) {
    refuse(operand.position, "a texture and a coordinate are needed here", "write [texture, {register}]");
  }
  const SyntaxOperand& base = operand.elements[0];
  const Symbol symbol = find(base.name);
  if (symbol.kind == Symbol::Kind::variable && !symbol.variable->texture) {
    refuse(base.position, fmt::format("'{}' is no texture reference", base.name), "declare it .global .texref");
  }
  source(work, 0, base, DataType::b64);
  const SyntaxOperand& coordinates = operand.elements[1];
  const bool in_vector = coordinates.kind == SyntaxOperand::Kind::vector;
  // A row or plane may have surplus coordinates, which are not read: PTX 1.x had four of each. A volume's fourth is
  // always surplus.
  const std::size_t dimensions = work.instruction.variant + std::size_t{1};
  const std::size_t given = in_vector ? coordinates.elements.size() : 1;
  if (given < dimensions || given == 3) {
    constexpr std::array<std::string_view, 3> forms = {"{x}", "{x, y}", "{x, y, z, unused}"};
    refuse(coordinates.position, fmt::format("{} coordinates for tex.{}d", given, dimensions),
           fmt::format("write [texture, {}]", forms.at(dimensions - 1)));
  }
  for (unsigned i = 0; i < dimensions; ++i) {
    source(work, 1 + i, in_vector ? coordinates.elements[i] : coordinates, work.instruction.source_type);
  }
}

void OperandBinder::generic_address(Work& work, unsigned slot, const SyntaxOperand& operand) {
  const DataType declared = declared_type(operand);
  const bool wide = declared == DataType::none ? module_.address_size == 64 : class_of(declared) == ValueClass::wide;
  work.instruction.wide_address = wide;
  source(work, slot, operand, wide ? DataType::b64 : DataType::b32);
}

void OperandBinder::require_target(const SyntaxOperand& special) {
  const unsigned first = first_target_of(special.name);
  if (target_number(module_.target) < first) {
    refuse(special.position, fmt::format("GPUs before sm_{} have no {}", first, special.name),
           fmt::format("compile for sm_{} or later", first));
  }
  if (names_reserved_shared(special.name)) draft_.program.names_reserved_shared = true;
}

void OperandBinder::carry(Work& work, bool is_destination, unsigned slot) {
  if (carry_ == no_value) carry_ = new_value(ValueClass::predicate);
  place(work, is_destination, slot, carry_);
}

void OperandBinder::check_form(const Work& work, const SyntaxInstruction& syntax) const {
  const Instruction& instruction = work.instruction;
  const bool is_atomic = instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red;
  constexpr unsigned address_bit = 1U << 4;
  const bool has_wide = (instruction.wide_operands & ~address_bit) != 0;
  const bool takes_words = bytes_of(instruction.type) == 4 && (is_atomic || instruction.opcode == Opcode::tex);
  if (takes_words && has_wide) {
    refuse(syntax.position, fmt::format("'{}' takes values of 32 bits", syntax.mnemonic), "use 32-bit registers");
  }
  if (instruction.opcode != Opcode::video) return;
  const VideoForm form(instruction);
  const bool has_third = instruction.source[2].present() || work.values.source[2] != no_value;
  if (instruction.variant == video(VideoOperation::mad)) {
    if ((form.negate_a != form.negate_b) + form.negate_c + form.plus_one > 1) {
      refuse(syntax.position, "vmad adds one once: by .po, by the sign of the product, or by that of the addend",
             "keep one of them");
    }
    return;
  }
  const bool merges = form.d != VideoPart::word;
  const bool combines = form.secondary != VideoSecondary::none;
  if (form.parts > 1 && combines && instruction.saturate) {
    refuse(syntax.position, "saturated parts are not added up", "leave out .sat or .add");
  }
  if (merges && combines) {
    refuse(syntax.position, "a part of the destination and a second operation exclude each other",
           "use two instructions");
  }
  if ((merges || combines) && !has_third) {
    refuse(syntax.position, "a third source is needed", "it is what the result is merged into or combined with");
  }
}

void OperandBinder::policy(const SyntaxInstruction& syntax, const SyntaxOperand* operand) {
  const bool hinted = has_cache_hint(syntax);
  if (hinted && operand == nullptr) {
    refuse(syntax.position, "a cache policy is needed; it is an operand of .L2::cache_hint", "write it last");
  }
  if (!hinted && operand != nullptr) {
    refuse(operand->position, "a cache policy needs .L2::cache_hint", "leave it out, or write the modifier");
  }
  if (operand != nullptr) check(*operand, DataType::b64);
}

void OperandBinder::check(const SyntaxOperand& operand, DataType type) {
  Work unused;
  source(unused, 0, operand, type);
}

}  // namespace reconverge::kernel
