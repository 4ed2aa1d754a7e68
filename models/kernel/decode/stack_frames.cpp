// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/stack_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "models/core/error.hpp"
#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/liveness.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::uint64_t max_local_bytes = std::uint64_t{1} << 30;

/// A register that is saved in the frame, at `offset`.
struct Saved {
  ValueId value = no_value;
  std::uint32_t offset = 0;
};

class StackLayout {
 public:
  StackLayout(Draft& draft, ConstantPool& constants) : draft_(draft), program_(draft.program), constants_(constants) {}

  void run(std::span<const FrameSize> frames) {
    frames_.assign(frames.begin(), frames.end());
    for (const FrameSize& frame : frames) alignment_ = std::max(alignment_, frame.alignment);
    find_saved();
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      program_.functions[i].frame_bytes = (frames_[i].bytes + alignment_ - 1) / alignment_ * alignment_;
    }
    rewrite();
    move_targets();
    measure_depth();
  }

 private:
  void find_saved() {
    const std::vector<BasicBlock> blocks = basic_blocks(program_.instructions, program_.branch_tables, draft_.labels);
    const std::vector<Accesses> accesses = accesses_of(draft_);
    const Liveness liveness = compute_liveness(blocks, accesses, draft_.values.size());
    std::size_t function = 0;
    std::map<ValueId, std::uint32_t> places;  // of the function
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i].first >= program_.functions[function].end) {
        ++function;
        places.clear();
      }
      ValueSet live = liveness.live_out[i];
      for (Pc pc = blocks[i].end; pc-- > blocks[i].first;) {
        if (program_.instructions[pc].opcode == Opcode::call) note_call(pc, live, frames_[function], places);
        step_back(accesses[pc], live);
      }
    }
  }

  void note_call(Pc pc, const ValueSet& live_after, FrameSize& frame, std::map<ValueId, std::uint32_t>& places) {
    std::vector<Saved>& saved = saved_[pc];
    count_ += 2 * live_after.count();
    if (count_ > max_instructions) {
      throw InputError({program_.file, program_.instructions[pc].line, 0},
                       fmt::format("saving registers over calls takes more than {} instructions", max_instructions),
                       "keep fewer values over calls, or call less often");
    }
    for (auto value = live_after.find_first(); value != ValueSet::npos; value = live_after.find_next(value)) {
      const auto id = static_cast<ValueId>(value);
      if (id == draft_.stack_pointer || id == draft_.link) continue;
      const auto [place, is_new] = places.try_emplace(id, 0);
      if (is_new) {
        const std::uint32_t bytes = draft_.values[id] == ValueClass::wide ? 8 : 4;
        place->second = (frame.bytes + bytes - 1) / bytes * bytes;
        frame.bytes = place->second + bytes;
      }
      saved.push_back({id, place->second});
    }
  }

  void emit(const Instruction& instruction, const InstructionValues& values, const std::string& text) {
    instructions_.push_back(instruction);
    operands_.push_back(values);
    texts_.push_back(text);
    lines_.push_back(source_);
  }

  ValueId new_value(ValueClass value_class) {
    draft_.values.push_back(value_class);
    return static_cast<ValueId>(draft_.values.size() - 1);
  }

  // An instruction at the PTX line of the call.
  Instruction make(Opcode opcode, OperationClass operation_class, DataType type) const {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.operation_class = operation_class;
    instruction.type = type;
    instruction.line = line_;
    return instruction;
  }

  void move_stack_pointer(std::uint32_t by) {
    Instruction instruction = make(Opcode::add, OperationClass::alu, DataType::u32);
    InstructionValues values;
    values.destination[0] = draft_.stack_pointer;
    values.source[0] = draft_.stack_pointer;
    instruction.source[1] = constants_.literal(by, false, {});
    emit(instruction, values, "(stack pointer)");
  }

  // A load or store of `value`, of one or two rows, at `offset` of the frame.
  void access(Opcode opcode, ValueId value, std::uint32_t offset) {
    const bool is_load = opcode == Opcode::ld;
    const bool wide = draft_.values[value] == ValueClass::wide;
    Instruction instruction =
        make(opcode, is_load ? OperationClass::load : OperationClass::store, wide ? DataType::u64 : DataType::u32);
    instruction.space = Space::local;
    instruction.wide_address = false;
    instruction.offset = static_cast<std::int32_t>(offset);
    const unsigned operand = is_load ? 0 : 5;
    if (wide) instruction.wide_operands = static_cast<std::uint16_t>(1U << operand);
    InstructionValues values;
    values.source[0] = draft_.stack_pointer;
    (is_load ? values.destination[0] : values.source[1]) = value;
    emit(instruction, values, is_load ? "(take back)" : "(save)");
  }

  void save(const Saved& saved) {
    if (draft_.values[saved.value] != ValueClass::predicate) return access(Opcode::st, saved.value, saved.offset);
    const ValueId word = new_value(ValueClass::narrow);
    Instruction select = make(Opcode::selp, OperationClass::alu, DataType::b32);
    InstructionValues values;
    select.source[0] = constants_.literal(1, false, {});
    select.source[1] = constants_.literal(0, false, {});
    values.source[2] = saved.value;
    values.destination[0] = word;
    emit(select, values, "(save)");
    access(Opcode::st, word, saved.offset);
  }

  void take_back(const Saved& saved) {
    if (draft_.values[saved.value] != ValueClass::predicate) return access(Opcode::ld, saved.value, saved.offset);
    const ValueId word = new_value(ValueClass::narrow);
    access(Opcode::ld, word, saved.offset);
    Instruction compare = make(Opcode::setp, OperationClass::alu, DataType::u32);
    compare.comparison = Comparison::ne;
    InstructionValues values;
    values.source[0] = word;
    compare.source[1] = constants_.literal(0, false, {});
    values.destination[0] = saved.value;
    emit(compare, values, "(take back)");
  }

  void rewrite() {
    std::size_t function = 0;
    moved_.reserve(program_.instructions.size() + 1);
    for (Pc pc = 0; pc < program_.instructions.size(); ++pc) {
      if (pc >= program_.functions[function].end) ++function;
      moved_.push_back(static_cast<Pc>(instructions_.size()));
      Instruction instruction = program_.instructions[pc];
      const std::uint32_t frame = program_.functions[function].frame_bytes;
      line_ = instruction.line;
      source_ = program_.source_lines[pc];
      if (draft_.operands[pc].beyond_frame) instruction.offset += static_cast<std::int32_t>(frame);
      if (instruction.opcode != Opcode::call) {
        emit(instruction, draft_.operands[pc], program_.text[pc]);
        continue;
      }
      for (const Saved& saved : saved_[pc]) save(saved);
      move_stack_pointer(frame);
      emit(instruction, draft_.operands[pc], program_.text[pc]);
      move_stack_pointer(0 - frame);
      for (const Saved& saved : saved_[pc]) take_back(saved);
    }
    moved_.push_back(static_cast<Pc>(instructions_.size()));
  }

  void move_targets() {
    for (Instruction& instruction : instructions_) {
      if (instruction.target != no_pc && instruction.opcode != Opcode::brx) {
        instruction.target = moved_[instruction.target];
      }
    }
    for (std::vector<Pc>& table : program_.branch_tables) {
      for (Pc& target : table) target = moved_[target];
    }
    for (auto& [pc, label] : draft_.labels) pc = moved_[pc];
    for (FunctionRange& function : program_.functions) {
      function.first = moved_[function.first];
      function.end = moved_[function.end];
    }
    program_.instructions = std::move(instructions_);
    program_.text = std::move(texts_);
    program_.source_lines = std::move(lines_);
    draft_.operands = std::move(operands_);
  }

  // Local memory of a thread: the deepest chain of calls, or every frame once if the depth is unbounded.
  void measure_depth() {
    const std::optional<std::uint64_t> deepest = call_graph(program_).stack_bytes.front();
    program_.deep_stack = !deepest;
    std::uint64_t every = 0;
    for (const FunctionRange& function : program_.functions) every += function.frame_bytes;
    const std::uint64_t bytes = deepest.value_or(every);
    if (bytes > max_local_bytes) {
      throw InputError({program_.file, 0, 0},
                       fmt::format("the calls of kernel '{}' take {} bytes of local memory", program_.name, bytes),
                       fmt::format("a thread has at most {}", max_local_bytes));
    }
    program_.local_bytes = static_cast<std::uint32_t>(bytes);
  }

  Draft& draft_;
  Program& program_;
  ConstantPool& constants_;
  std::vector<FrameSize> frames_;
  std::uint32_t alignment_ = 16;
  std::map<Pc, std::vector<Saved>> saved_;  // by pc of the call
  std::size_t count_ = 0;                   // number of instructions that save and restore
  std::vector<Pc> moved_;                   // new pc of each instruction
  std::uint32_t line_ = 0;
  SourceLine source_;
  std::vector<Instruction> instructions_;
  std::vector<InstructionValues> operands_;
  std::vector<std::string> texts_;
  std::vector<SourceLine> lines_;
};

}  // namespace

void lay_out_stack(Draft& draft, ConstantPool& constants, std::span<const FrameSize> frames) {
  if (draft.stack_pointer != no_value) return StackLayout(draft, constants).run(frames);
  // Without calls, there is only the frame of the entry.
  const std::uint32_t bytes = (frames.front().bytes + 3) / 4 * 4;
  draft.program.functions.front().frame_bytes = bytes;
  draft.program.local_bytes = bytes;
}

}  // namespace reconverge::kernel
