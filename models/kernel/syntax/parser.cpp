// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "models/kernel/syntax/constant_expression.hpp"
#include "models/kernel/syntax/declaration_parser.hpp"
#include "models/kernel/syntax/operand_parser.hpp"
#include "models/kernel/syntax/performance_directives.hpp"

namespace reconverge::kernel {

namespace {

constexpr unsigned max_scope_depth = 256;
constexpr std::size_t most_inlined = 32;  // limit of nested inlined functions that are recorded for an instruction

constexpr std::array<std::string_view, 4> axes = {"x", "y", "z", "w"};  // parts of a vector register
constexpr std::array<std::string_view, 2> halves = {"lo", "hi"};        // parts of a register of 128 bits

/// File, line and column of a .loc.
using WrittenPlace = std::array<std::uint32_t, 3>;

/// The .loc for a location.
struct Place {
  std::uint32_t source = no_source;  ///< index into Module::sources
  std::size_t depth = 0;             ///< number of nested inlined functions
};

class Parser {
 public:
  explicit Parser(Module& module) : module_(module), tokens_(tokenize(*module.source, module.file), module.file) {}

  void run() {
    while (!tokens_.at_end()) parse_top_level();
    if (module_.version.empty()) {
      throw InputError({module_.file, 0, 0}, "no .version directive: this is no PTX",
                       "give the text that `clang -S --cuda-device-only` or `nvcc -ptx` writes");
    }
  }

 private:
  void parse_top_level() {
    const Token& token = tokens_.peek();
    if (token.kind != Token::Kind::dotted) {
      tokens_.refuse(token, fmt::format("a directive expected at module level, found {}", shown(token)),
                     "instructions stand inside .entry or .func");
    }
    if (parse_module_directive()) return;
    const bool external = parse_linkage();
    if (tokens_.accept_dotted("entry")) return parse_function(true);
    if (tokens_.accept_dotted("func")) return parse_function(false);
    const auto space = tokens_.peek().kind == Token::Kind::dotted ? state_space(tokens_.peek().text) : std::nullopt;
    if (tokens_.accept_dotted("reg")) {
      vector_registers_ = module_vectors_;
      parse_registers([this](const RegisterDeclaration& one) { module_.registers.push_back(one); });
      module_vectors_ = vector_registers_;
      return;
    }
    if (!space || *space == Space::param) {
      tokens_.refuse(tokens_.peek(), fmt::format("directive {} is not supported", shown(tokens_.peek())),
                     "module level takes .entry, .func, .reg, and .global, .const, .shared or .local variables");
    }
    for (VariableDeclaration& variable : parse_variables(tokens_, external, module_.made_names))
      module_.variables.push_back(std::move(variable));
  }

  bool parse_module_directive() {
    if (tokens_.accept_dotted("version")) {
      module_.version = tokens_.take().text;
    } else if (tokens_.accept_dotted("target")) {
      module_.target = tokens_.expect_identifier("a target such as sm_70");
      while (tokens_.accept(',')) module_.doubles_are_singles |= tokens_.take().text == "map_f64_to_f32";
    } else if (tokens_.accept_dotted("address_size")) {
      const auto bits = tokens_.expect_integer("32 or 64");
      if (bits != 32 && bits != 64) tokens_.refuse(tokens_.previous(), "addresses have 32 or 64 bits");
      module_.address_size = static_cast<unsigned>(bits);
      module_.address_size_given = true;
    } else if (tokens_.accept_dotted("alias")) {
      const Position position = tokens_.peek().position;
      const std::string_view name = tokens_.expect_identifier("another name of a function");
      tokens_.expect(',', "between a function's other name and its own");
      module_.aliases.push_back({name, tokens_.expect_identifier("the name of a function"), position});
      tokens_.expect(';', "after .alias");
    } else {
      return parse_ignored();
    }
    return true;
  }

  // Directives for debuggers and assemblers, allowed at module level and in bodies.
  bool parse_ignored() {
    if (tokens_.accept_dotted("loc")) {
      parse_location();
    } else if (tokens_.accept_dotted("file")) {
      parse_source_file();
    } else if (tokens_.accept_dotted("section")) {
      while (!tokens_.accept('{')) {
        if (tokens_.at_end()) tokens_.refuse(tokens_.peek(), "'{' expected after .section");
        tokens_.take();
      }
      tokens_.skip_block();
    } else if (tokens_.accept_dotted("pragma")) {
      parse_pragma(tokens_);
    } else {
      return false;
    }
    return true;
  }

  // `.loc file line column, function_name label+offset, inlined_at file line column`: the last three numbers repeat an
  // earlier .loc of the function, whose location may itself be inlined. The rest of the line is for debuggers.
  void parse_location() {
    const WrittenPlace written = parse_place();
    SourcePlace place{written[0], written[1]};
    std::size_t depth = 0;
    while (tokens_.in_line()) {
      if (!(tokens_.take().text == "inlined_at" && tokens_.in_line())) continue;
      const WrittenPlace site = parse_place();
      const auto known = places_.find(site);
      if (known != places_.end() && known->second.depth < most_inlined) {
        place.inlined_at = known->second.source;
        depth = known->second.depth + 1;
      }
    }
    source_ = place.line == 0 ? no_source : static_cast<std::uint32_t>(module_.sources.size());
    if (place.line == 0) return;
    module_.sources.push_back(place);
    places_.insert_or_assign(written, Place{source_, depth});
  }

  WrittenPlace parse_place() {
    WrittenPlace place{static_cast<std::uint32_t>(tokens_.expect_integer("the number of a source file")),
                       static_cast<std::uint32_t>(tokens_.expect_integer("a source line"))};
    if (tokens_.in_line() && tokens_.peek().kind == Token::Kind::integer)
      place[2] = static_cast<std::uint32_t>(tokens_.take().bits);
    return place;
  }

  // `.file number "name"`.
  void parse_source_file() {
    const std::uint32_t line = tokens_.previous().position.line;
    const auto number = static_cast<std::uint32_t>(tokens_.expect_integer("the number of a source file"));
    if (tokens_.peek().kind == Token::Kind::string) module_.source_files[number] = tokens_.take().text;
    if (tokens_.peek().position.line == line) tokens_.skip_line();
  }

  // Takes linking directives. Returns whether the following declaration is defined elsewhere.
  bool parse_linkage() {
    bool external = false;
    for (;;) {
      if (tokens_.accept_dotted("extern")) {
        external = true;
      } else if (!tokens_.accept_dotted("visible") && !tokens_.accept_dotted("weak") &&
                 !tokens_.accept_dotted("common")) {
        return external;
      }
    }
  }

  void parse_function(bool entry) {
    Function function;
    function.entry = entry;
    function.position = tokens_.previous().position;
    while (tokens_.accept_dotted("attribute")) tokens_.skip_parentheses();
    if (!entry && tokens_.accept('(')) function.prototype.results = parse_passed(tokens_);
    function.name = tokens_.expect_identifier("the name of a function");
    if (tokens_.accept('(')) function.prototype.parameters = entry ? parse_parameters(tokens_) : parse_passed(tokens_);
    source_ = no_source;
    places_.clear();
    vector_registers_ = module_vectors_;
    while (tokens_.peek().kind == Token::Kind::dotted && !at_next_declaration()) parse_function_directive(function);
    // nvcc wrote prototypes without a semicolon up to PTX 3.x, and assemblers still accept that.
    if (!tokens_.accept(';') && !at_next_declaration()) {
      tokens_.expect('{', "before the body of a function");
      function.defined = true;
      if (!entry) declare_passed_vectors(function);
      parse_body(function);
    }
    module_.functions.push_back(std::move(function));
  }

  // Whether a module-level item begins here, so that the preceding text was a prototype.
  bool at_next_declaration() const {
    const Token& token = tokens_.peek();
    if (token.kind == Token::Kind::end) return true;
    constexpr std::array<std::string_view, 12> words = {"entry",  "func",  "visible", "extern", "weak", "common",
                                                        "global", "const", "shared",  "local",  "tex",  "reg"};
    return token.kind == Token::Kind::dotted && std::find(words.begin(), words.end(), token.text) != words.end();
  }

  void parse_function_directive(Function& function) {
    if (parse_ignored()) return;
    const Token& token = tokens_.peek();
    if (function.entry && is_performance_directive(token.text)) {
      function.directives.push_back(parse_performance_directive(tokens_));
    } else if (!function.entry && function.prototype.results.empty() && token.text == "noreturn") {
      tokens_.take();
    } else {
      const bool about_clusters = token.text.find("cluster") != std::string_view::npos;
      refuse_function(function, fmt::format("directive {} is not supported here", shown(token)),
                      about_clusters
                          ? "a block is its own cluster here: compile without clusters"
                          : ".maxntid and its like belong to an .entry, .noreturn to a .func without results");
      skip_directive();
    }
  }

  // Other functions of the module can run without this one. Only the first reason is kept.
  void refuse_function(Function& function, std::string_view message, std::string_view hint) {
    if (!function.refused) function.refused.emplace(locate(module_.file, tokens_.peek().position), message, hint);
  }

  // A directive of a function with its values, up to the next directive, the body or the end of a prototype.
  void skip_directive() {
    do {
      tokens_.take();
    } while (!tokens_.at_end() && tokens_.peek().kind != Token::Kind::dotted && !tokens_.peek().is('{') &&
             !tokens_.peek().is(';'));
  }

  void add(Function& function, Statement::Kind kind, Position position, std::size_t index = 0) {
    Statement statement;
    statement.kind = kind;
    statement.position = position;
    statement.index = static_cast<std::uint32_t>(index);
    function.statements.push_back(std::move(statement));
  }

  void parse_body(Function& function) {
    const Token opening = tokens_.previous();
    for (unsigned depth = 1; depth != 0;) {
      if (tokens_.at_end()) tokens_.refuse(opening, fmt::format("the body of '{}' is never closed", function.name));
      const Position position = tokens_.peek().position;
      if (tokens_.accept('{')) {
        if (++depth > max_scope_depth) tokens_.refuse(tokens_.previous(), "scopes are nested too deep");
        add(function, Statement::Kind::scope_begin, position);
      } else if (tokens_.accept('}')) {
        if (--depth != 0) add(function, Statement::Kind::scope_end, position);
      } else if (function.refused) {
        tokens_.take();
      } else if (!tokens_.accept(';')) {
        parse_statement(function);
      }
    }
  }

  void parse_statement(Function& function) {
    const Token& token = tokens_.peek();
    if (token.kind == Token::Kind::dotted) return parse_body_directive(function);
    if (token.kind == Token::Kind::identifier && tokens_.peek(1).is(':')) return parse_label(function);
    parse_instruction(function);
  }

  void parse_label(Function& function) {
    const Token& token = tokens_.take();
    tokens_.take();
    Statement statement;
    statement.kind = Statement::Kind::label;
    statement.position = token.position;
    statement.label = token.text;
    if (tokens_.accept_dotted("branchtargets")) {
      statement.kind = Statement::Kind::branch_targets;
      do {
        statement.targets.push_back(tokens_.expect_identifier("a label"));
      } while (tokens_.accept(','));
      tokens_.expect(';', "after .branchtargets");
    } else if (tokens_.accept_dotted("calltargets")) {
      statement.kind = Statement::Kind::call_targets;
      do {
        statement.targets.push_back(tokens_.expect_identifier("a function"));
      } while (tokens_.accept(','));
      tokens_.expect(';', "after .calltargets");
    } else if (tokens_.accept_dotted("callprototype")) {
      statement.kind = Statement::Kind::prototype;
      statement.index = static_cast<std::uint32_t>(function.prototypes.size());
      function.prototypes.push_back(parse_prototype());
    }
    function.statements.push_back(std::move(statement));
  }

  // `(results) _ (parameters);`, each list optional; text after the lists is a hint.
  Prototype parse_prototype() {
    Prototype prototype;
    if (tokens_.accept('(')) prototype.results = parse_passed(tokens_);
    tokens_.expect_identifier("_");
    if (tokens_.accept('(')) prototype.parameters = parse_passed(tokens_);
    tokens_.skip_statement();
    return prototype;
  }

  // Before PTX 1.4, the parameters of a kernel are declared in its body, among the registers.
  bool has_parameters_in_bodies() const {
    const std::string_view version = module_.version;
    return version.substr(0, 2) == "1." && version.size() == 3 && version.back() < '4';
  }

  void parse_body_directive(Function& function) {
    if (parse_ignored()) return;
    if (tokens_.accept_dotted("reg")) {
      return parse_registers([&](const RegisterDeclaration& one) { add_registers(function, one); });
    }
    if (function.entry && tokens_.peek().text == "param" && has_parameters_in_bodies()) {
      for (VariableDeclaration& variable : parse_variables(tokens_, false, module_.made_names))
        function.prototype.parameters.push_back(std::move(variable));
      return;
    }
    if (state_space(tokens_.peek().text)) {
      const Position position = tokens_.peek().position;
      const std::size_t first = function.variables.size();
      for (VariableDeclaration& variable : parse_variables(tokens_, false, module_.made_names))
        function.variables.push_back(std::move(variable));
      for (std::size_t i = first; i < function.variables.size(); ++i)
        add(function, Statement::Kind::variable, position, i);
      return;
    }
    refuse_function(function, fmt::format("directive {} is not supported in a body", shown(tokens_.peek())),
                    "bodies take .reg, .local, .shared, .param, .loc and .pragma");
  }

  using Declare = std::function<void(const RegisterDeclaration&)>;

  void parse_registers(const Declare& declare) {
    const bool pairs = tokens_.accept_dotted("v2");
    const bool words = !pairs && tokens_.accept_dotted("b128");
    const unsigned width = pairs || words ? 2 : tokens_.accept_dotted("v4") ? 4 : 1;
    RegisterDeclaration declaration;
    declaration.type = words ? DataType::b64 : parse_type(tokens_, "after .reg");
    do {
      declaration.position = tokens_.peek().position;
      declaration.name = tokens_.expect_identifier("a register");
      vector_registers_.erase(declaration.name);
      declaration.count = parse_register_count(width);
      if (width > 1) {
        declare_vectors(declaration, words ? std::span<const std::string_view>(halves) : std::span(axes).first(width),
                        declare);
      } else {
        declare(declaration);
      }
    } while (tokens_.accept(','));
    tokens_.expect(';', "after registers");
  }

  void add_registers(Function& function, const RegisterDeclaration& declaration) {
    add(function, Statement::Kind::registers, declaration.position, function.registers.size());
    function.registers.push_back(declaration);
  }

  // The parts of the vector registers that a function receives and returns are registers of its body.
  void declare_passed_vectors(Function& function) {
    for (auto* const list : {&function.prototype.results, &function.prototype.parameters}) {
      for (VariableDeclaration& passed : *list) {
        if (passed.space == Space::param) continue;
        vector_registers_.erase(passed.name);
        if (passed.vector_width == 1) continue;
        declare_vectors({passed.position, passed.name, passed.type}, std::span(axes).first(passed.vector_width),
                        [&](const RegisterDeclaration& one) { add_registers(function, one); });
        passed.parts = vector_registers_.at(passed.name);
      }
    }
  }

  // `<52>` after the name of a range; 0 if there is none.
  std::uint32_t parse_register_count(unsigned width) {
    if (!tokens_.accept('<')) return 0;
    const std::uint64_t count = tokens_.expect_integer("the number of registers");
    // Vectors are created one by one.
    const std::uint64_t limit = width > 1 ? 1U << 16U : 1U << 24U;
    if (count == 0 || count > limit) {
      tokens_.refuse(tokens_.previous(), fmt::format("a range has 1 to {} registers", limit));
    }
    tokens_.expect('>', "after the number of registers");
    return static_cast<std::uint32_t>(count);
  }

  // `.reg .v4 .f32 v;`: its parts are separate registers, v.x v.y v.z v.w, also known as v.r v.g v.b v.a; the same for
  // each register of a range. `.reg .b128 q;`: its words are q.lo and q.hi.
  void declare_vectors(const RegisterDeclaration& declaration, std::span<const std::string_view> names,
                       const Declare& declare) {
    RegisterDeclaration part = declaration;
    part.count = 0;
    for (std::uint32_t i = 0; i < std::max(1U, declaration.count); ++i) {
      const std::string_view name = declaration.count == 0
                                        ? declaration.name
                                        : module_.made_names.emplace_back(fmt::format("{}{}", declaration.name, i));
      std::vector<std::string_view> parts;
      for (const std::string_view one : names) {
        part.name = module_.made_names.emplace_back(fmt::format("{}.{}", name, one));
        parts.push_back(part.name);
        declare(part);
      }
      vector_registers_.insert_or_assign(name, std::move(parts));
    }
  }

  // Replaces a vector register by its parts.
  void spell_out_vectors(SyntaxOperand& operand) const {
    for (SyntaxOperand& element : operand.elements) spell_out_vectors(element);
    if (operand.kind != SyntaxOperand::Kind::name) return;
    if (const auto found = vector_registers_.find(operand.name); found != vector_registers_.end()) {
      if (operand.integer != 0) {
        throw InputError(locate(module_.file, operand.position),
                         fmt::format("the vector register '{}' takes no offset", operand.name), "add to its elements");
      }
      SyntaxOperand element = operand;
      operand.kind = SyntaxOperand::Kind::vector;
      for (const std::string_view part : found->second) {
        element.name = part;
        operand.elements.push_back(element);
      }
      return;
    }
    const std::size_t dot = operand.name.size() < 2 ? 0 : operand.name.size() - 2;
    const std::size_t colour = operand.name[dot] == '.' ? std::string_view("rgba").find(operand.name.back()) : 4;
    const auto found = vector_registers_.find(operand.name.substr(0, dot));
    if (found != vector_registers_.end() && colour < found->second.size()) operand.name = found->second[colour];
  }

  // `ld.global.u32 %r1, table[2];` loads the third element, `mov.u64 %rd1, table[2];` takes its address.
  void parse_index(const Function& function, SyntaxInstruction& instruction) {
    SyntaxOperand& operand = instruction.operands.back();
    const VariableDeclaration* const array = array_named(function, operand.name);
    if (operand.kind != SyntaxOperand::Kind::name || operand.integer != 0 || array == nullptr) {
      tokens_.refuse(tokens_.previous(), "only arrays have elements", "addresses read [register+offset]");
    }
    if (tokens_.peek().kind == Token::Kind::identifier && !starts_constant(tokens_)) {
      tokens_.refuse(tokens_.peek(), "an index is a number here", "compute the address in a register");
    }
    const std::uint64_t index = parse_constant_integer(tokens_, "an index");
    tokens_.expect(']', "after an index");
    const auto offset = static_cast<std::int64_t>(index * array->bytes_of_element());
    const bool is_access =
        instruction.mnemonic == "ld" || instruction.mnemonic == "st" || instruction.mnemonic == "ldu";
    if (!is_access) {
      operand.integer = offset;
      return;
    }
    SyntaxOperand address;
    address.kind = SyntaxOperand::Kind::address;
    address.position = operand.position;
    address.integer = offset;
    address.elements.push_back(operand);
    operand = std::move(address);
  }

  // The last declared array of this name; none if another array of this name has elements of a different size.
  const VariableDeclaration* array_named(const Function& function, std::string_view name) const {
    const VariableDeclaration* found = nullptr;
    using Lists = std::array<const std::vector<VariableDeclaration>*, 3>;
    for (const auto* const variables : Lists{&module_.variables, &function.prototype.parameters, &function.variables}) {
      for (const VariableDeclaration& variable : *variables) {
        if (variable.name != name) continue;
        const bool differs = found != nullptr && found->bytes_of_element() != variable.bytes_of_element();
        if (differs || !variable.array || variable.vector_width != 1) return nullptr;
        found = &variable;
      }
    }
    return found;
  }

  void parse_instruction(Function& function) {
    SyntaxInstruction instruction;
    const Token first = tokens_.peek();
    instruction.position = first.position;
    instruction.source = source_;
    if (tokens_.accept('@')) {
      instruction.guard_negated = tokens_.accept('!');
      instruction.guard_position = tokens_.peek().position;
      instruction.guard = tokens_.expect_identifier("a predicate");
    }
    instruction.mnemonic = tokens_.expect_identifier("an instruction");
    while (tokens_.peek().kind == Token::Kind::dotted) instruction.modifiers.push_back(tokens_.take().text);
    if (!tokens_.peek().is(';')) {
      do {
        const bool lists = instruction.mnemonic == "call" && tokens_.accept('(');
        instruction.operands.push_back(lists ? parse_list(tokens_) : parse_operand(tokens_));
        if (tokens_.accept('[')) parse_index(function, instruction);
      } while (tokens_.accept(','));
    }
    if (!vector_registers_.empty()) {
      for (SyntaxOperand& operand : instruction.operands) spell_out_vectors(operand);
    }
    const char* end = tokens_.previous().text.data() + tokens_.previous().text.size();
    tokens_.expect(';', fmt::format("after '{}'", instruction.mnemonic));
    instruction.text = {first.text.data(), static_cast<std::size_t>(end - first.text.data())};
    add(function, Statement::Kind::instruction, instruction.position, function.instructions.size());
    function.instructions.push_back(std::move(instruction));
  }

  Module& module_;
  TokenStream tokens_;
  std::uint32_t source_ = no_source;
  std::map<WrittenPlace, Place> places_;                                      // of this function
  using Vectors = std::map<std::string_view, std::vector<std::string_view>>;  // with their parts
  Vectors vector_registers_;                                                  // of this function
  Vectors module_vectors_;
};

}  // namespace

Module parse_module(std::string text, std::string_view file) {
  Module module;
  module.source = std::make_shared<const std::string>(std::move(text));
  module.file = std::string(file);
  Parser(module).run();
  return module;
}

}  // namespace reconverge::kernel
