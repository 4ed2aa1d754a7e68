// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/syntax/declaration_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "models/kernel/syntax/constant_expression.hpp"
#include "models/kernel/syntax/operand_parser.hpp"
#include "models/kernel/syntax/type_names.hpp"
#include "models/kernel/texture.hpp"

namespace reconverge::kernel {

namespace {

class DeclarationParser {
 public:
  explicit DeclarationParser(TokenStream& tokens) : tokens_(tokens) {}

  std::vector<VariableDeclaration> variables(bool external, std::deque<std::string>& made_names) {
    std::vector<VariableDeclaration> result;
    VariableDeclaration head = parse_head();
    head.external = external;
    do {
      VariableDeclaration variable = parse_declarator(head);
      if (!variable.array && tokens_.accept('<')) {
        add_range(variable, made_names, result);
        continue;
      }
      if (tokens_.accept('=')) {
        if (variable.space != Space::global && variable.space != Space::constant) {
          tokens_.refuse(tokens_.previous(), fmt::format("'{}' has an initial value", variable.name),
                         "only .global and .const variables have one: store it when the kernel begins");
        }
        parse_initial(variable);
      }
      result.push_back(std::move(variable));
    } while (tokens_.accept(','));
    tokens_.expect(';', "after a declaration");
    return result;
  }

  std::vector<VariableDeclaration> parameters() {
    std::vector<VariableDeclaration> result;
    if (tokens_.accept(')')) return result;
    do {
      if (!tokens_.peek().is_dotted("param") && !tokens_.peek().is_dotted("reg")) {
        tokens_.refuse(tokens_.peek(), fmt::format(".param expected, found {}", shown(tokens_.peek())));
      }
      result.push_back(parse_declarator(parse_head()));
    } while (tokens_.accept(','));
    tokens_.expect(')', "after parameters");
    return result;
  }

 private:
  std::uint32_t parse_alignment() {
    const std::uint64_t alignment = tokens_.expect_integer("an alignment");
    if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0) {
      tokens_.refuse(tokens_.previous(), "an alignment is a power of two of at most 4096");
    }
    return static_cast<std::uint32_t>(alignment);
  }

  // `.space {.align n} {.v4} .type {.ptr .space .align n}`: the common part of a declaration.
  VariableDeclaration parse_head() {
    VariableDeclaration head;
    head.position = tokens_.peek().position;
    const Token& space = tokens_.take();
    head.space = state_space(space.text).value_or(Space::none);
    head.texture = space.text == "tex";
    for (;;) {
      if (tokens_.accept_dotted("align")) {
        head.alignment = parse_alignment();
      } else if (tokens_.accept_dotted("v2")) {
        head.vector_width = 2;
      } else if (tokens_.accept_dotted("v4")) {
        head.vector_width = 4;
      } else if (tokens_.accept_dotted("attribute")) {
        tokens_.skip_parentheses();
      } else {
        break;
      }
    }
    if (tokens_.accept_dotted("texref")) {
      head.texture = true;
    } else if (tokens_.peek().is_dotted("surfref") || tokens_.peek().is_dotted("samplerref")) {
      head.opaque_type = tokens_.take().text;
      make_texture_reference(head);
    } else {
      head.type = parse_type(tokens_, "in a declaration");
    }
    if (head.type == DataType::pred && head.space != Space::none) {
      tokens_.refuse(tokens_.previous(), "a variable cannot be a predicate: only registers can",
                     "pass .reg .pred, or a .b32 that selp makes of it");
    }
    if (tokens_.accept_dotted("ptr")) {
      while (tokens_.peek().kind == Token::Kind::dotted) {
        if (tokens_.take().text == "align") parse_alignment();
      }
    }
    if (head.texture) make_texture_reference(head);
    if (head.alignment == 0) head.alignment = head.bytes_of_element() * head.vector_width;
    return head;
  }

  // A texture reference, `.global .texref name` or, in old PTX, `.tex .u32 name`: bytes that the host fills to bind a
  // texture.
  static void make_texture_reference(VariableDeclaration& head) {
    head.type = DataType::b8;
    head.elements = texture_descriptor_bytes;
    head.alignment = texture_descriptor_bytes;
    head.array = true;
  }

  VariableDeclaration parse_declarator(VariableDeclaration variable) {
    variable.position = tokens_.peek().position;
    variable.name = tokens_.expect_identifier("a name");
    while (tokens_.accept('[')) {
      variable.array = true;
      const std::uint64_t size = tokens_.peek().is(']') ? 0 : parse_constant_integer(tokens_, "an array size");
      constexpr std::uint64_t limit = std::uint64_t{1} << 32;
      if (size != 0 && variable.elements > limit / size) {
        tokens_.refuse(tokens_.previous(), "a variable of more than 4 G elements");
      }
      variable.elements *= size;
      variable.extents.push_back(size);
      constexpr std::size_t most_extents = 32;
      if (variable.extents.size() > most_extents) tokens_.refuse(tokens_.previous(), "an array of too many dimensions");
      tokens_.expect(']', "after an array size");
    }
    if (variable.vector_width > 1) variable.extents.push_back(variable.vector_width);
    return variable;
  }

  // `.param .u64 p<3>;` declares p0, p1 and p2.
  void add_range(VariableDeclaration variable, std::deque<std::string>& made_names,
                 std::vector<VariableDeclaration>& result) {
    const std::uint64_t count = tokens_.expect_integer("the number of variables");
    constexpr std::uint64_t limit = 1U << 16U;
    if (count == 0 || count > limit) {
      tokens_.refuse(tokens_.previous(), fmt::format("a range has 1 to {} variables", limit));
    }
    tokens_.expect('>', "after the number of variables");
    const std::string_view stem = variable.name;
    for (std::uint64_t i = 0; i < count; ++i) {
      variable.name = made_names.emplace_back(fmt::format("{}{}", stem, i));
      result.push_back(variable);
    }
  }

  void parse_initial(VariableDeclaration& variable) {
    if (!variable.opaque_type.empty() && tokens_.accept('{')) return tokens_.skip_block();
    std::uint64_t end = 0;
    if (tokens_.accept('{')) {
      parse_row(variable, variable.extents, end);
    } else {
      parse_initial_value(variable, end++);
    }
    if (variable.array && variable.elements == 0) {
      const std::uint64_t row = elements_of_row(variable.extents);
      variable.elements = (end + row - 1) / row * row / variable.vector_width;
    }
  }

  // The number of elements between consecutive values of the first index.
  static std::uint64_t elements_of_row(std::span<const std::uint64_t> extents) {
    std::uint64_t elements = 1;
    for (std::size_t i = 1; i < extents.size(); ++i) elements *= extents[i];
    return std::max<std::uint64_t>(elements, 1);
  }

  // Values up to the closing brace, or rows in nested braces; missing ones are zero.
  void parse_row(VariableDeclaration& variable, std::span<const std::uint64_t> extents, std::uint64_t& element) {
    if (tokens_.accept('}')) return;
    const std::uint64_t row = elements_of_row(extents);
    do {
      if (extents.size() < 2 || !tokens_.accept('{')) {
        parse_initial_value(variable, element++);
        continue;
      }
      const std::uint64_t first = (element + row - 1) / row * row;
      element = first;
      parse_row(variable, extents.subspan(1), element);
      if (element - first > row) tokens_.refuse(tokens_.previous(), "more values than the row has elements");
      element = first + row;
    } while (tokens_.accept(','));
    tokens_.expect('}', "after an initialiser");
  }

  void parse_initial_value(VariableDeclaration& variable, std::uint64_t element) {
    InitialValue initial;
    initial.element = element;
    const bool is_name = tokens_.peek().kind == Token::Kind::identifier && !starts_constant(tokens_);
    initial.value = is_name ? parse_operand(tokens_) : parse_constant(tokens_);
    using Kind = SyntaxOperand::Kind;
    const bool is_mask = initial.value.kind == Kind::integer;
    if (tokens_.accept('(')) {
      initial.generic = initial.value.name == "generic";
      if (!initial.generic && !is_mask)
        tokens_.refuse(tokens_.previous(), "generic(name) or mask(name) is written here");
      if (is_mask) initial.mask = static_cast<std::uint64_t>(initial.value.integer);
      // A mask may enclose generic( ): 0xFF(generic(name)).
      SyntaxOperand inner = parse_operand(tokens_);
      if (inner.name == "generic" && tokens_.accept('(')) {
        initial.generic = true;
        inner = parse_operand(tokens_);
        tokens_.expect(')', "after an address");
        add_offset(inner);
      }
      tokens_.expect(')', "after an address");
      add_offset(inner);
      initial.value = inner;
    }
    const bool is_number = initial.value.kind == Kind::integer || initial.value.kind == Kind::single ||
                           initial.value.kind == Kind::floating;
    if (!is_number && (initial.value.kind != Kind::name || initial.value.negated)) {
      tokens_.refuse(tokens_.previous(), "an initialiser holds numbers and addresses");
    }
    variable.initial.push_back(std::move(initial));
  }

  void add_offset(SyntaxOperand& address) {
    const auto sum = static_cast<std::uint64_t>(address.integer) + static_cast<std::uint64_t>(parse_offset(tokens_));
    address.integer = static_cast<std::int64_t>(sum);
  }

  TokenStream& tokens_;
};

}  // namespace

std::optional<Space> state_space(std::string_view word) {
  if (word == "global" || word == "tex") return Space::global;
  if (word == "shared" || word == "shared::cta") return Space::shared;
  if (word == "local") return Space::local;
  if (word == "const") return Space::constant;
  if (word == "param") return Space::param;
  return std::nullopt;
}

DataType parse_type(TokenStream& tokens, std::string_view where) {
  const Token& token = tokens.peek();
  const auto type = token.kind == Token::Kind::dotted ? type_named(token.text) : std::nullopt;
  if (!type || *type == DataType::f32x2) {
    tokens.refuse(token, fmt::format("a type expected {}, found {}", where, shown(token)),
                  "supported: .pred .b8-.b64 .u8-.u64 .s8-.s64 .f16 .f16x2 .f32 .f64");
  }
  tokens.take();
  return *type;
}

std::vector<VariableDeclaration> parse_variables(TokenStream& tokens, bool external,
                                                 std::deque<std::string>& made_names) {
  return DeclarationParser(tokens).variables(external, made_names);
}

std::vector<VariableDeclaration> parse_parameters(TokenStream& tokens) {
  return DeclarationParser(tokens).parameters();
}

std::vector<VariableDeclaration> parse_passed(TokenStream& tokens) {
  std::vector<VariableDeclaration> passed = parse_parameters(tokens);
  std::uint64_t bytes = 0;
  for (const VariableDeclaration& variable : passed) bytes += variable.bytes();
  if (bytes > max_parameter_bytes) {
    tokens.refuse(tokens.previous(), fmt::format("a function is passed {} bytes", bytes),
                  "at most 32764 are possible; pass a pointer");
  }
  return passed;
}

}  // namespace reconverge::kernel
