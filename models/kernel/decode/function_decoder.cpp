// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/function_decoder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/decode/call_lowering.hpp"
#include "models/kernel/decode/legacy_forms.hpp"
#include "models/kernel/decode/lowering.hpp"
#include "models/kernel/decode/matrix_forms.hpp"
#include "models/kernel/decode/source_line_table.hpp"
#include "models/kernel/decode/vector_forms.hpp"
#include "models/kernel/syntax/type_names.hpp"

namespace reconverge::kernel {

namespace {

using Kind = OperandRule::Kind;
using Written = SyntaxOperand::Kind;

constexpr std::size_t most_extension_registers = 32;
constexpr Operand own_state(Bank::special, static_cast<unsigned>(SpecialRow::extension_1));

// Joins text into one line; runs of blanks become one blank.
std::string tidy(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  return result;
}

DataType twice(DataType type) {
  switch (type) {
    case DataType::u16:
      return DataType::u32;
    case DataType::s16:
      return DataType::s32;
    case DataType::u32:
      return DataType::u64;
    default:
      return DataType::s64;
  }
}

class FunctionDecoder {
 public:
  FunctionDecoder(const Function& function, const DecoderState& shared)
      : shared_(shared),
        module_(shared.module),
        function_(function),
        extensions_(shared.extensions),
        draft_(shared.draft),
        source_lines_(module_, draft_.program),
        symbols_(module_, shared.symbols, function),
        frame_(function, module_, passed_variables(function, symbols_)),
        binder_({module_, function, symbols_}, draft_, shared.constants, frame_),
        calls_({module_, function, symbols_}, draft_, binder_, frame_, shared.functions),
        first_(next_pc()) {}

  FrameSize run() {
    emit_all(calls_.prologue());
    for (std::size_t i = 0; i < function_.statements.size(); ++i) {
      binder_.enter(symbols_.scope_of_statement()[i]);
      decode_statement(function_.statements[i]);
    }
    binder_.enter(1);
    end_body();
    drop_labels_at_end();
    resolve_targets();
    draft_.program.functions.push_back(
        {std::string(function_.name), first_, next_pc(), 0, shared_.constants.function_address(function_)});
    return {frame_.bytes(), frame_.alignment()};
  }

 private:
  struct Fixup {
    Pc pc = 0;
    const Statement* label = nullptr;
  };

  Pc next_pc() const { return static_cast<Pc>(draft_.program.instructions.size()); }

  void emit(Work work) {
    if (draft_.program.instructions.size() == max_instructions) {
      binder_.refuse(syntax_ == nullptr ? function_.position : syntax_->position,
                     fmt::format("the kernel becomes more than {} instructions here", max_instructions),
                     "pass large structures by pointer, or split the kernel");
    }
    work.instruction.line = syntax_ == nullptr ? function_.position.line : syntax_->position.line;
    draft_.program.source_lines.push_back(source_lines_.line_of(syntax_ == nullptr ? no_source : syntax_->source));
    draft_.program.instructions.push_back(work.instruction);
    draft_.program.text.push_back(syntax_ == nullptr ? std::string(unwritten_text_) : tidy(syntax_->text));
    draft_.operands.push_back(work.values);
  }

  void emit_all(const std::vector<Work>& all) {
    for (const Work& work : all) emit(work);
  }

  void decode_statement(const Statement& statement) {
    if (statement.kind == Statement::Kind::label) {
      draft_.labels.emplace_back(next_pc(), std::string(statement.label));
      label_pcs_.emplace(&statement, next_pc());
    } else if (statement.kind == Statement::Kind::instruction) {
      decode_instruction(function_.instructions[statement.index]);
    }
  }

  void decode_instruction(const SyntaxInstruction& written) {
    const std::vector<SyntaxInstruction> parts = split_vectors(written, module_.file);
    if (overwrites_sources(parts)) return decode_exchange(parts);
    for (const SyntaxInstruction& part : parts) decode_one(part);
    if (parts.empty()) decode_one(written);
  }

  // All parts of a mov read their sources before one of them writes.
  void decode_exchange(const std::vector<SyntaxInstruction>& parts) {
    std::vector<Work> copies;
    for (const SyntaxInstruction& part : parts) {
      SyntaxInstruction read = part;
      read.guard = {};
      decode_one(read);
      copies.push_back(postponed_write(part, draft_.operands.back(), binder_));
    }
    syntax_ = &parts.back();
    emit_all(copies);
    syntax_ = nullptr;
  }

  void decode_one(const SyntaxInstruction& written) {
    const std::optional<SyntaxInstruction> full = in_full(written, module_);
    syntax_ = full ? &*full : &written;
    decode_syntax(*syntax_);
    syntax_ = nullptr;
  }

  void decode_syntax(const SyntaxInstruction& syntax) {
    Work work;
    if (decode_extension(syntax, work)) return emit_behind_prelude({work});
    if (const ExtensionInstruction* own = find_access(syntax)) return decode_access(syntax, *own, work);
    if (const ExtensionInstruction* own = find_identity(syntax)) return decode_identity(syntax, *own, work);
    if (syntax.mnemonic == "call") return decode_call(syntax, work);
    const CompiledRule& rule = shared_.matcher.match(syntax, module_.file, work.instruction);
    Instruction& instruction = work.instruction;
    if (is_first_generation(module_)) flush_as_first_generation(instruction);
    if (module_.doubles_are_singles) refuse_double(instruction);
    if (takes_double_pipe(instruction)) instruction.operation_class = OperationClass::fp64;
    // A register holds two elements of a matrix.
    if (instruction.opcode == Opcode::ldmatrix || instruction.opcode == Opcode::stmatrix)
      instruction.type = DataType::b32;
    if (instruction.space == Space::none && has_address(rule)) instruction.space = Space::generic;
    binder_.guard(work, syntax);
    check_count(rule, syntax);
    if (instruction.opcode == Opcode::mov) return emit_behind_prelude(lower_mov(syntax, work, binder_));
    if (instruction.opcode == Opcode::mma) return emit_behind_prelude(lower_matrix(syntax, work, binder_));
    const bool copies = syntax.mnemonic == "cp" && instruction.opcode == Opcode::st;
    if (copies) return emit_behind_prelude(lower_copy(syntax, work, binder_));
    if (instruction.opcode == Opcode::bulk_copy) return emit_behind_prelude(lower_bulk_copy(syntax, work, binder_));
    if (converts_one_number(instruction)) return emit_behind_prelude(lower_cvt(syntax, work, binder_));
    const std::vector<Work> folded = lower_predicate_constant(syntax, work, binder_);
    if (!folded.empty()) return emit_behind_prelude(folded);
    if (instruction.opcode == Opcode::ret) return emit_return(work);
    bind_operands(rule, syntax, work);
    emit_all(binder_.take_prelude());
    if (instruction.opcode == Opcode::ld_param) return emit_all(lower_parameter_load(work, binder_));
    emit(work);
  }

  void emit_behind_prelude(const std::vector<Work>& all) {
    emit_all(binder_.take_prelude());
    emit_all(all);
  }

  // A return from a kernel ends the thread.
  void emit_return(Work work) {
    if (!function_.entry) return emit_all(calls_.leave(work));
    work.instruction.opcode = Opcode::exit;
    emit(work);
  }

  void decode_call(const SyntaxInstruction& syntax, Work work) {
    if (!std::all_of(syntax.modifiers.begin(), syntax.modifiers.end(),
                     [](std::string_view modifier) { return modifier == "uni"; })) {
      binder_.refuse(syntax.position, "a call takes no modifier but .uni");
    }
    work.instruction.uniform = !syntax.modifiers.empty();
    binder_.guard(work, syntax);
    const Function* callee = nullptr;
    const std::vector<Work> steps = calls_.call(syntax, work, callee);
    emit_all(binder_.take_prelude());
    for (const Work& step : steps) {
      if (step.instruction.opcode == Opcode::call && callee != nullptr) shared_.calls.push_back({next_pc(), callee});
      emit(step);
    }
  }

  // Excluded: conversion of two numbers to a pair, and to tf32, which is not a register type.
  static bool converts_one_number(const Instruction& instruction) {
    const bool to_pair = instruction.type == DataType::f16x2 || instruction.type == DataType::bf16x2;
    return instruction.opcode == Opcode::cvt && !to_pair && instruction.source_type != DataType::none;
  }

  // The table selects the class for arithmetic; these instructions have one row for all types.
  static bool takes_double_pipe(const Instruction& instruction) {
    const bool by_type = instruction.opcode == Opcode::setp || instruction.opcode == Opcode::set ||
                         instruction.opcode == Opcode::testp || instruction.opcode == Opcode::cvt;
    return by_type && (instruction.type == DataType::f64 || instruction.source_type == DataType::f64);
  }

  void refuse_double(const Instruction& instruction) const {
    if (instruction.type != DataType::f64 && instruction.source_type != DataType::f64) return;
    binder_.refuse(syntax_->position, "with map_f64_to_f32 an instruction on .f64 means one on .f32, which is not done",
                   "compile for sm_13 or later, or without double");
  }

  static bool has_address(const CompiledRule& rule) {
    return std::any_of(rule.operands.begin(), rule.operands.end(),
                       [](const OperandRule& operand) { return operand.kind == Kind::memory; });
  }

  void check_count(const CompiledRule& rule, const SyntaxInstruction& syntax) const {
    const auto optional = static_cast<std::size_t>(std::count_if(
        rule.operands.begin(), rule.operands.end(), [](const OperandRule& one) { return one.may_be_left_out(); }));
    const std::size_t most = count_written(rule);
    const std::size_t given = syntax.operands.size();
    if (given > most || given + optional < most) {
      binder_.refuse(syntax.position, fmt::format("'{}' has {} operands", syntax.mnemonic, given),
                     "write " + describe(*rule.rule));
    }
  }

  static std::size_t count_written(const CompiledRule& rule) {
    return static_cast<std::size_t>(std::count_if(rule.operands.begin(), rule.operands.end(),
                                                  [](const OperandRule& operand) { return operand.written(); }));
  }

  void bind_operands(const CompiledRule& rule, const SyntaxInstruction& syntax, Work& work) {
    std::size_t left_out = count_written(rule) - syntax.operands.size();
    unsigned destination = 0;
    unsigned source = 0;
    auto written = syntax.operands.begin();
    for (const OperandRule& operand : rule.operands) {
      if (!operand.written()) {
        binder_.carry(work, operand.destination, operand.destination ? destination++ : source++);
        continue;
      }
      const bool absent = operand.may_be_left_out() && left_out != 0;
      if (operand.kind == Kind::policy) {
        binder_.policy(syntax, absent ? nullptr : &*written++);
        continue;
      }
      if (absent) {
        --left_out;
        ++source;
        continue;
      }
      bind_operand(operand, *written++, work, destination, source);
    }
    binder_.check_form(work, syntax);
    const Instruction& instruction = work.instruction;
    const bool compares = instruction.opcode == Opcode::setp || instruction.opcode == Opcode::set;
    if (compares && (instruction.boolean != Boolean::none) != (work.values.source[2] != no_value)) {
      binder_.refuse(syntax.position, "a boolean operator and a predicate to combine with go together",
                     "write setp.lt.and.s32 p, a, b, c or setp.lt.s32 p, a, b");
    }
  }

  void bind_operand(const OperandRule& rule, const SyntaxOperand& written, Work& work, unsigned& destination,
                    unsigned& source) {
    Instruction& instruction = work.instruction;
    switch (rule.kind) {
      case Kind::memory:
        binder_.address(work, written);
        ++source;
        return;
      case Kind::vector:
        binder_.memory_data(work, written, rule.destination, source);
        if (!rule.destination) source += instruction.vector_width;
        return;
      case Kind::offset:
        instruction.offset = static_cast<std::int32_t>(binder_.integer(written, "this operand"));
        return;
      case Kind::barrier:
        return bind_barrier(written, work, source);
      case Kind::label:
        return bind_label(written);
      case Kind::table:
        return bind_table(written, work);
      case Kind::texture:
        return binder_.texture(work, written);
      case Kind::part:
        return binder_.part(work, rule.destination, rule.destination ? destination++ : source++, written);
      default:
        break;
    }
    if (instruction.opcode == Opcode::isspacep && !rule.destination)
      return binder_.generic_address(work, source++, written);
    DataType type = rule.type;
    if (rule.kind == Kind::type) type = instruction.type;
    if (rule.kind == Kind::source_type) type = instruction.source_type;
    if (rule.kind == Kind::wide_type) type = twice(instruction.type);
    if (rule.kind == Kind::predicate) type = DataType::pred;
    if (rule.checked) return binder_.check(written, type);
    if (!rule.destination) return binder_.source(work, source++, written, type);
    if (written.kind == Written::pair) {
      if (!rule.pair) binder_.refuse(written.position, "one destination is needed here, not a pair");
      binder_.destination(work, destination++, written.elements[0], type);
      binder_.destination(work, destination++, written.elements[1], DataType::pred);
    } else {
      binder_.destination(work, destination++, written, type);
    }
  }

  void bind_barrier(const SyntaxOperand& written, Work& work, unsigned& source) {
    constexpr std::int64_t barriers = 16;
    if (written.kind == Written::integer) {
      if (written.integer < 0 || written.integer >= barriers) {
        binder_.refuse(written.position, fmt::format("barrier {} does not exist", written.integer),
                       "barriers are 0 to 15");
      }
      work.instruction.offset = static_cast<std::int32_t>(written.integer);
    } else {
      work.instruction.offset = -1;
      binder_.source(work, source, written, DataType::u32);
    }
    ++source;
  }

  const Statement* label_named(std::string_view name, Position position) const {
    const Symbol symbol = binder_.find(name);
    if (symbol.kind == Symbol::Kind::label) return symbol.statement;
    SyntaxOperand operand;
    operand.name = name;
    operand.position = position;
    if (symbol.kind == Symbol::Kind::none) binder_.refuse_unknown(operand);
    binder_.refuse(position, fmt::format("'{}' is no label", name));
  }

  void bind_label(const SyntaxOperand& written) {
    if (written.kind != Written::name) binder_.refuse(written.position, "a label is needed here");
    binder_.refuse_offset(written, "put a label where the branch shall go");
    fixups_.push_back({next_pc(), label_named(written.name, written.position)});
  }

  void bind_table(const SyntaxOperand& written, Work& work) {
    const Symbol symbol = binder_.find(written.name);
    if (symbol.kind != Symbol::Kind::branch_targets) {
      binder_.refuse(written.position, fmt::format("'{}' is no .branchtargets table", written.name),
                     "declare it: name: .branchtargets label, label;");
    }
    draft_.table_targets += symbol.statement->targets.size();
    if (draft_.table_targets > max_table_targets) {
      binder_.refuse(written.position,
                     fmt::format("the branches of the kernel have more than {} targets in tables", max_table_targets),
                     "branch to one place that branches through the table");
    }
    work.instruction.target = static_cast<Pc>(draft_.program.branch_tables.size() + tables_.size());
    std::vector<const Statement*> labels;
    for (const std::string_view target : symbol.statement->targets) {
      labels.push_back(label_named(target, symbol.statement->position));
    }
    tables_.push_back(std::move(labels));
  }

  bool decode_extension(const SyntaxInstruction& syntax, Work& work) {
    if (extensions_.empty()) return false;
    std::string mnemonic(syntax.mnemonic);
    for (const std::string_view modifier : syntax.modifiers) mnemonic.append(".").append(modifier);
    const auto found = std::find_if(extensions_.begin(), extensions_.end(), [&](const ExtensionInstruction& one) {
      return one.mnemonic == mnemonic && !one.memory && one.reads_identity.empty() &&
             (one.writes_state.empty() || writes(syntax, one.writes_state));
    });
    if (found == extensions_.end()) return false;
    check_count(*found, syntax);
    Instruction& instruction = work.instruction;
    instruction.opcode = Opcode::extension;
    instruction.operation_class = OperationClass::extension;
    instruction.space = found->space;
    instruction.type = found->type;
    instruction.variant = static_cast<std::uint8_t>(found->fork);
    instruction.extension = extension_index(*found);
    binder_.guard(work, syntax);
    auto written = syntax.operands.begin();
    if (found->target) bind_label(*written++);
    if (found->stores_at_state) {
      store_at_state(work, *written);
      return true;
    }
    if (!found->writes_state.empty()) {
      instruction.destination[0] = own_state;
      ++written;
    }
    if (found->reads_state) instruction.source[0] = own_state;
    for (unsigned i = 0; i < found->destinations.size(); ++i) {
      binder_.destination(work, i, *written++, found->destinations[i]);
    }
    for (unsigned i = 0; i < found->sources.size(); ++i) binder_.source(work, i, *written++, found->sources[i]);
    if (found->registers) bind_registers(*written, work, syntax);
    return true;
  }

  void store_at_state(Work& work, const SyntaxOperand& written) {
    Instruction& instruction = work.instruction;
    instruction.opcode = Opcode::st;
    instruction.operation_class = OperationClass::store;
    instruction.type = instruction.source_type = DataType::b32;
    instruction.wide_address = false;
    instruction.source[0] = own_state;
    binder_.source(work, 1, written, DataType::b32);
  }

  // The extension instruction that this load or store belongs to.
  const ExtensionInstruction* find_access(const SyntaxInstruction& syntax) const {
    if (syntax.mnemonic != "ld" && syntax.mnemonic != "st") return nullptr;
    const auto found = std::find_if(extensions_.begin(), extensions_.end(), [&](const ExtensionInstruction& one) {
      if (!one.memory || !one.mnemonic.starts_with(syntax.mnemonic)) return false;
      const std::string_view space = one.mnemonic.substr(syntax.mnemonic.size() + 1);
      return std::find(syntax.modifiers.begin(), syntax.modifiers.end(), space) != syntax.modifiers.end();
    });
    return found == extensions_.end() ? nullptr : &*found;
  }

  void decode_access(const SyntaxInstruction& syntax, const ExtensionInstruction& own, Work& work) {
    SyntaxInstruction in_shared = syntax;
    const std::string_view space = own.mnemonic.substr(syntax.mnemonic.size() + 1);
    std::replace(in_shared.modifiers.begin(), in_shared.modifiers.end(), space, std::string_view("shared"));
    if (std::none_of(in_shared.modifiers.begin(), in_shared.modifiers.end(),
                     [](std::string_view modifier) { return type_named(modifier).has_value(); })) {
      in_shared.modifiers.emplace_back("b32");
    }
    const CompiledRule& rule = shared_.matcher.match(in_shared, module_.file, work.instruction);
    work.instruction.space = own.space;
    work.instruction.extension = extension_index(own);
    binder_.guard(work, syntax);
    check_count(rule, syntax);
    bind_operands(rule, syntax, work);
    emit_behind_prelude({work});
  }

  // The extension instruction whose name for the thread's identity this instruction reads.
  const ExtensionInstruction* find_identity(const SyntaxInstruction& syntax) const {
    const auto found = std::find_if(extensions_.begin(), extensions_.end(), [&](const ExtensionInstruction& one) {
      return !one.reads_identity.empty() && syntax.mnemonic == "mov" && syntax.operands.size() == 2 &&
             syntax.operands[1].kind == Written::name && syntax.operands[1].name == one.reads_identity &&
             binder_.find(one.reads_identity).kind == Symbol::Kind::none;
    });
    return found == extensions_.end() ? nullptr : &*found;
  }

  void decode_identity(const SyntaxInstruction& syntax, const ExtensionInstruction& own, Work& work) {
    SyntaxInstruction plain = syntax;
    plain.operands[1].name = name_of(SpecialRow::extension_0);
    const CompiledRule& rule = shared_.matcher.match(plain, module_.file, work.instruction);
    work.instruction.extension = extension_index(own);
    binder_.guard(work, plain);
    check_count(rule, plain);
    emit_behind_prelude(lower_mov(plain, work, binder_));
  }

  // Whether the first operand is the special register `name`.
  bool writes(const SyntaxInstruction& syntax, std::string_view name) const {
    if (syntax.operands.empty()) return false;
    const SyntaxOperand& first = syntax.operands.front();
    return first.kind == Written::name && first.name == name && first.integer == 0 &&
           binder_.find(name).kind == Symbol::Kind::none;
  }

  void check_count(const ExtensionInstruction& extension, const SyntaxInstruction& syntax) const {
    const std::size_t destinations = extension.destinations.size() + (extension.writes_state.empty() ? 0 : 1);
    const std::size_t wanted =
        destinations + extension.sources.size() + (extension.registers ? 1 : 0) + (extension.target ? 1 : 0);
    if (syntax.operands.size() == wanted) return;
    binder_.refuse(
        syntax.position, fmt::format("'{}' has {} operands", extension.mnemonic, syntax.operands.size()),
        fmt::format("it takes {}{} destinations, {} sources{}", extension.target ? "a label, " : "", destinations,
                    extension.sources.size(), extension.registers ? " and registers in braces" : ""));
  }

  // The warp as a whole may get new values in these registers, so all of its lanes must execute the instruction.
  void bind_registers(const SyntaxOperand& written, const Work& work, const SyntaxInstruction& syntax) {
    if (!function_.entry) {
      binder_.refuse(syntax.position, fmt::format("{} stands in a function that is called", syntax.mnemonic),
                     "write it in the kernel itself: what the caller keeps on its stack does not move");
    }
    if (!syntax.guard.empty()) {
      binder_.refuse(syntax.guard_position, fmt::format("{} takes no guard", syntax.mnemonic),
                     "all lanes of a warp move together");
    }
    if (!draft_.extension_registers.empty()) {
      binder_.refuse(syntax.position, fmt::format("the kernel has an {} already", syntax.mnemonic),
                     "write one, at the head of the loop");
    }
    if (written.kind != Written::vector) {
      binder_.refuse(written.position, "registers are needed here, in braces", "write {%f1, %r2, ...}");
    }
    if (written.elements.size() > most_extension_registers) {
      binder_.refuse(written.position, fmt::format("{} registers", written.elements.size()),
                     fmt::format("at most {} are possible: keep the rest in memory", most_extension_registers));
    }
    for (const SyntaxOperand& element : written.elements) {
      Work one;
      binder_.destination(one, 0, element, DataType::b32);
      const ValueId value = one.values.destination[0];
      if (value == no_value) binder_.refuse(element.position, "a register is needed here, not '_'");
      std::vector<ValueId>& all = draft_.extension_registers;
      if (value == work.values.destination[0] || std::find(all.begin(), all.end(), value) != all.end()) {
        binder_.refuse(element.position,
                       fmt::format("register '{}' stands in this {} twice", element.name, syntax.mnemonic),
                       "name each register once, and none of the destination");
      }
      all.push_back(value);
    }
  }

  std::uint8_t extension_index(const ExtensionInstruction& extension) {
    std::vector<ExtensionInstruction>& used = draft_.program.extensions;
    const auto found = std::find_if(used.begin(), used.end(), [&](const ExtensionInstruction& one) {
      return one.mnemonic == extension.mnemonic && one.writes_state == extension.writes_state;
    });
    const auto index = static_cast<std::uint8_t>(found - used.begin());
    if (found == used.end()) used.push_back(extension);
    return index;
  }

  // Whether a branch targets a label after the last instruction. Debug sections may name other such labels.
  bool branches_to_end() const {
    const auto is_end = [&](const Statement* label) { return label_pcs_.at(label) == next_pc(); };
    return std::any_of(fixups_.begin(), fixups_.end(), [&](const Fixup& fixup) { return is_end(fixup.label); }) ||
           std::any_of(tables_.begin(), tables_.end(),
                       [&](const auto& labels) { return std::any_of(labels.begin(), labels.end(), is_end); });
  }

  // Control that reaches the end of a body returns.
  void end_body() {
    const Program& program = draft_.program;
    if (!branches_to_end() && next_pc() != first_) {
      const Instruction& last = program.instructions.back();
      const bool leaves = last.opcode == Opcode::bra || last.opcode == Opcode::brx || last.opcode == Opcode::ret ||
                          last.opcode == Opcode::exit || last.opcode == Opcode::trap;
      if (leaves && draft_.operands.back().guard == no_value) return;
    }
    syntax_ = nullptr;
    unwritten_text_ = "(return)";
    Work work;
    work.instruction.opcode = Opcode::ret;
    work.instruction.operation_class = OperationClass::control;
    emit_return(work);
  }

  // No branch targets a label after the last instruction: the next function begins there.
  void drop_labels_at_end() {
    while (!draft_.labels.empty() && draft_.labels.back().first == next_pc()) draft_.labels.pop_back();
  }

  void resolve_targets() {
    Program& program = draft_.program;
    for (const Fixup& fixup : fixups_) program.instructions[fixup.pc].target = label_pcs_.at(fixup.label);
    for (const auto& labels : tables_) {
      std::vector<Pc> table;
      table.reserve(labels.size());
      for (const Statement* label : labels) table.push_back(label_pcs_.at(label));
      program.branch_tables.push_back(std::move(table));
    }
  }

  const DecoderState& shared_;
  const Module& module_;
  const Function& function_;
  std::span<const ExtensionInstruction> extensions_;
  Draft& draft_;
  SourceLineTable source_lines_;
  SymbolTable symbols_;
  CallFrame frame_;
  OperandBinder binder_;
  CallLowering calls_;
  Pc first_;
  const SyntaxInstruction* syntax_ = nullptr;  // the current instruction; null for one that is not written in PTX
  std::string_view unwritten_text_ = "(enter)";
  std::unordered_map<const Statement*, Pc> label_pcs_;
  std::vector<Fixup> fixups_;
  std::vector<std::vector<const Statement*>> tables_;
};

}  // namespace

FrameSize decode_function(const Function& function, const DecoderState& shared) {
  if (function.refused) throw InputError(*function.refused);
  return FunctionDecoder(function, shared).run();
}

}  // namespace reconverge::kernel
