// SPDX-License-Identifier: Apache-2.0
// wmma.load and wmma.store: the addresses of each lane's elements, and an access for each.

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <map>
#include <optional>

#include "models/kernel/decode/matrix_forms.hpp"

namespace reconverge::kernel {

namespace {

/// A matrix in memory, with the addresses of each lane's elements.
class Accesses {
 public:
  Accesses(const FragmentShape& shape, const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder,
           bool is_load)
      : shape_(shape), binder_(binder), base_(work), is_load_(is_load), position_(syntax.position) {
    base_.instruction = Instruction();
    base_.instruction.guard = work.instruction.guard;
    base_.instruction.guard_negated = work.instruction.guard_negated;
    const std::size_t address = is_load ? 1 : 0;
    if (syntax.operands.size() > 2) stride_ = &syntax.operands[2];
    find_lane(syntax.operands[address], work.instruction.space);
  }

  // Must precede all writes of registers: a fragment may overwrite the stride or the address.
  void find_line(std::int64_t line) {
    if (line == 0 || constant_stride() || lines_.contains(line)) return;
    Work add = make(Opcode::mad, OperationClass::multiply, DataType::u32);
    add.instruction.half = wide_ ? Half::wide : Half::lo;
    binder_.source(add, 0, *stride_, DataType::u32);
    binder_.constant(add, 1, static_cast<std::uint64_t>(line * shape_.bits / 8), false, position_);
    binder_.place(add, false, 2, lane_);
    const ValueId at = binder_.new_value(wide_ ? ValueClass::wide : ValueClass::narrow);
    binder_.place(add, true, 0, at);
    lines_[line] = at;
    steps_.push_back(add);
  }

  /// An access of `type` at `line` strides and `element` elements from the lane's first element, without its data.
  Work access(DataType type, std::int64_t line, std::int64_t element) {
    Work work = make(is_load_ ? Opcode::ld : Opcode::st, is_load_ ? OperationClass::load : OperationClass::store, type);
    work.instruction.space = space_;
    work.instruction.wide_address = wide_;
    std::int64_t offset = offset_ + element * shape_.bits / 8;
    const std::optional<std::int64_t> stride = constant_stride();
    if (stride) offset += line * *stride * shape_.bits / 8;
    if (offset < std::numeric_limits<std::int32_t>::min() || offset > std::numeric_limits<std::int32_t>::max()) {
      binder_.refuse(position_, "the matrix spans more than 32 bits of addresses", "give the stride in a register");
    }
    work.instruction.offset = static_cast<std::int32_t>(offset);
    binder_.place(work, false, 0, line == 0 || stride ? lane_ : lines_.at(line));
    return work;
  }

  Work make(Opcode opcode, OperationClass operation_class, DataType type) const {
    Work work = base_;
    work.instruction.opcode = opcode;
    work.instruction.operation_class = operation_class;
    work.instruction.type = type;
    return work;
  }

  void push(const Work& work) { steps_.push_back(work); }
  std::vector<Work> take() { return std::move(steps_); }
  OperandBinder& binder() { return binder_; }

 private:
  std::optional<std::int64_t> constant_stride() const {
    if (stride_ == nullptr) return shape_.stride;
    if (stride_->kind == SyntaxOperand::Kind::integer) return stride_->integer;
    return std::nullopt;
  }

  ValueId narrow_result(Work& work) {
    const ValueId value = binder_.new_value(ValueClass::narrow);
    binder_.place(work, true, 0, value);
    steps_.push_back(work);
    return value;
  }

  void stride(Work& work, unsigned slot) {
    const std::optional<std::int64_t> known = constant_stride();
    if (!known) return binder_.source(work, slot, *stride_, DataType::u32);
    binder_.constant(work, slot, static_cast<std::uint64_t>(*known), false, position_);
  }

  // The address of the lane's first element: each group of four lanes has a line, and its lanes are along the line.
  void find_lane(const SyntaxOperand& address, Space space) {
    const Operand lane(Bank::special, static_cast<unsigned>(SpecialRow::laneid));
    Work shift = make(Opcode::shr, OperationClass::multiply, DataType::u32);
    shift.instruction.source[0] = lane;
    binder_.constant(shift, 1, 2, false, position_);
    const ValueId group = narrow_result(shift);
    Work mask = make(Opcode::and_, OperationClass::alu, DataType::b32);
    mask.instruction.source[0] = lane;
    binder_.constant(mask, 1, 3, false, position_);
    ValueId along = narrow_result(mask);
    if (shape_.spread > 1) {
      Work spread = make(Opcode::shl, OperationClass::multiply, DataType::b32);
      binder_.place(spread, false, 0, along);
      binder_.constant(spread, 1, static_cast<std::uint64_t>(std::countr_zero(shape_.spread)), false, position_);
      along = narrow_result(spread);
    }
    Work index = make(Opcode::mad, OperationClass::multiply, DataType::u32);
    index.instruction.half = Half::lo;
    binder_.place(index, false, 0, shape_.lines_in_memory ? group : along);
    stride(index, 1);
    binder_.place(index, false, 2, shape_.lines_in_memory ? along : group);
    ValueId element = narrow_result(index);
    if (shape_.bits < 8) {
      Work bytes = make(Opcode::shr, OperationClass::multiply, DataType::u32);
      binder_.place(bytes, false, 0, element);
      binder_.constant(bytes, 1, static_cast<std::uint64_t>(std::countr_zero(8 / shape_.bits)), false, position_);
      element = narrow_result(bytes);
    }

    Work begin = make(Opcode::ld, OperationClass::load, DataType::b32);
    begin.instruction.space = space;
    binder_.address(begin, address);
    space_ = begin.instruction.space;
    if (space_ == Space::local || begin.instruction.opcode != Opcode::ld) {
      binder_.refuse(address.position, "a matrix lies in global or shared memory");
    }
    wide_ = begin.instruction.wide_address;
    offset_ = begin.instruction.offset;
    Work sum = make(Opcode::mad, OperationClass::multiply, DataType::u32);
    sum.instruction.half = wide_ ? Half::wide : Half::lo;
    binder_.place(sum, false, 0, element);
    binder_.constant(sum, 1, shape_.bits < 8 ? 1 : shape_.bits / 8, false, position_);
    sum.instruction.source[2] = begin.instruction.source[0];
    sum.values.source[2] = begin.values.source[0];
    if (begin.instruction.wide_source(0)) {
      sum.instruction.wide_operands = static_cast<std::uint16_t>(sum.instruction.wide_operands | 1U << (4 + 2));
    }
    lane_ = binder_.new_value(wide_ ? ValueClass::wide : ValueClass::narrow);
    binder_.place(sum, true, 0, lane_);
    steps_.push_back(sum);
  }

  const FragmentShape& shape_;
  OperandBinder& binder_;
  Work base_;
  bool is_load_;
  Position position_;
  const SyntaxOperand* stride_ = nullptr;
  std::vector<Work> steps_;
  ValueId lane_ = no_value;                // address of the lane's first element
  std::map<std::int64_t, ValueId> lines_;  // address of each line, by number of strides from lane_
  Space space_ = Space::generic;
  bool wide_ = true;
  std::int64_t offset_ = 0;
};

DataType element_type(unsigned bits) {
  switch (bits) {
    case 8:
      return DataType::u8;
    case 16:
      return DataType::u16;
    case 64:
      return DataType::f64;
    default:
      return DataType::b32;
  }
}

// Loads elements that are a stride apart one by one, and packs them into `to`.
void gather(Accesses& at, const FragmentShape& shape, std::int64_t line, std::int64_t element,
            const SyntaxOperand& to) {
  OperandBinder& binder = at.binder();
  std::vector<ValueId> parts;
  for (unsigned i = 0; i < shape.elements; ++i) {
    Work load = at.access(element_type(shape.bits), line + i, element);
    parts.push_back(binder.new_value(ValueClass::narrow));
    binder.place(load, true, 0, parts.back());
    at.push(load);
  }
  for (unsigned i = 1; i < parts.size(); ++i) {
    Work add = at.make(Opcode::mad, OperationClass::multiply, DataType::u32);
    add.instruction.half = Half::lo;
    binder.place(add, false, 0, parts[i]);
    const unsigned shift = i * shape.bits % 32;
    binder.constant(add, 1, std::uint64_t{1} << shift, false, to.position);
    binder.place(add, false, 2, parts[0]);
    if (i + 1 == parts.size()) {
      binder.destination(add, 0, to, shape.type);
    } else {
      const ValueId sum = binder.new_value(ValueClass::narrow);
      binder.place(add, true, 0, sum);
      parts[0] = sum;
    }
    at.push(add);
  }
}

// The inverse: only f16 accumulators have two elements in a register.
void scatter(Accesses& at, const FragmentShape& shape, std::int64_t line, std::int64_t element,
             const SyntaxOperand& from) {
  OperandBinder& binder = at.binder();
  for (unsigned i = 0; i < shape.elements; ++i) {
    Work store = at.access(element_type(shape.bits), line + i, element);
    if (i == 0) {
      binder.source(store, 1, from, shape.type, OperandBinder::Fit::wider);
    } else {
      Work shift = at.make(Opcode::shr, OperationClass::multiply, DataType::u32);
      binder.source(shift, 0, from, shape.type);
      binder.constant(shift, 1, i * shape.bits, false, from.position);
      const ValueId upper = binder.new_value(ValueClass::narrow);
      binder.place(shift, true, 0, upper);
      at.push(shift);
      binder.place(store, false, 1, upper);
    }
    at.push(store);
  }
}

}  // namespace

std::vector<Work> move_fragment(const FragmentShape& shape, const SyntaxInstruction& syntax, const Work& work,
                                OperandBinder& binder, bool is_load) {
  const std::vector<SyntaxOperand> registers = fragment(syntax.operands[is_load ? 0 : 1], shape.registers, binder);
  Accesses at(shape, syntax, work, binder, is_load);
  const bool whole = shape.lines_in_memory || shape.elements == 1;
  const auto line_of = [&](const FragmentPlace& place) { return shape.lines_in_memory ? place.outer : place.inner; };
  const auto element_of = [&](const FragmentPlace& place) { return shape.lines_in_memory ? place.inner : place.outer; };
  for (const FragmentPlace& place : shape.places) {
    for (unsigned i = 0; i < (whole ? 1 : shape.elements); ++i) at.find_line(line_of(place) + i);
  }
  for (std::size_t i = 0; i < shape.places.size(); ++i) {
    const std::int64_t line = line_of(shape.places[i]);
    const std::int64_t element = element_of(shape.places[i]);
    if (!whole) {
      (is_load ? gather : scatter)(at, shape, line, element, registers[i]);
      continue;
    }
    Work access = at.access(shape.elements == 1 ? element_type(shape.bits) : DataType::b32, line, element);
    if (is_load) {
      binder.destination(access, 0, registers[i], shape.type);
    } else {
      binder.source(access, 1, registers[i], shape.type);
    }
    at.push(access);
  }
  for (std::size_t i = shape.places.size(); i < registers.size(); ++i) {
    Work copy = at.make(Opcode::mov, OperationClass::alu, DataType::b32);
    binder.source(copy, 0, registers[i % shape.places.size()], DataType::b32);
    binder.destination(copy, 0, registers[i], DataType::b32);
    at.push(copy);
  }
  return at.take();
}

}  // namespace reconverge::kernel
