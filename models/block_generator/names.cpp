// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace reconverge::block_generator {

namespace {

/// Lower-case keywords and alternative tokens of C++20, and names that C's headers define as macros.
constexpr std::array<std::string_view, 98> reserved_words{
    "alignas",       "alignof",     "and",       "and_eq",    "asm",          "assert",
    "auto",          "bitand",      "bitor",     "bool",      "break",        "case",
    "catch",         "char",        "char16_t",  "char32_t",  "char8_t",      "class",
    "co_await",      "co_return",   "co_yield",  "compl",     "concept",      "const",
    "const_cast",    "consteval",   "constexpr", "constinit", "continue",     "decltype",
    "default",       "delete",      "do",        "double",    "dynamic_cast", "else",
    "enum",          "errno",       "explicit",  "export",    "extern",       "false",
    "float",         "for",         "friend",    "goto",      "if",           "inline",
    "int",           "linux",       "long",      "mutable",   "namespace",    "new",
    "noexcept",      "not",         "not_eq",    "nullptr",   "operator",     "or",
    "or_eq",         "private",     "protected", "public",    "register",     "reinterpret_cast",
    "requires",      "return",      "short",     "signed",    "sizeof",       "static",
    "static_assert", "static_cast", "struct",    "switch",    "template",     "this",
    "thread_local",  "throw",       "true",      "try",       "typedef",      "typeid",
    "typename",      "union",       "unix",      "unsigned",  "using",        "virtual",
    "void",          "volatile",    "wchar_t",   "while",     "xor",          "xor_eq",
    "stdin",         "stdout"};

/// Names that the generated code and the configuration reserve.
constexpr std::array<std::string_view, 4> taken_names{"description", "descriptions", "extends", "all_blocks"};

bool is_reserved(std::string_view word) {
  return std::find(reserved_words.begin(), reserved_words.end(), word) != reserved_words.end();
}

constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool is_snake_case(std::string_view name) {
  if (name.empty() || !is_lower(name.front()) || name.back() == '_') return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && name[i - 1] == '_') return false;
    if (name[i] != '_' && !is_lower(name[i]) && !is_digit(name[i])) return false;
  }
  return true;
}

std::string name_problem(std::string_view name) {
  if (!is_snake_case(name)) return "is not snake_case";
  if (is_reserved(name)) return "is a word of C++";
  if (std::find(taken_names.begin(), taken_names.end(), name) != taken_names.end()) return "is taken";
  return {};
}

std::string camel_case(std::string_view name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    result += upper && is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return result;
}

std::string parameters_type(std::string_view block) { return camel_case(block) + "Parameters"; }
std::string statistics_type(std::string_view block) { return camel_case(block) + "Statistics"; }
std::string enum_type(std::string_view block, std::string_view member) {
  return camel_case(block) + camel_case(member);
}
std::string description_name(std::string_view block) { return std::string(block) + "_block"; }

std::string enumerator(std::string_view word) { return std::string(word) + (is_reserved(word) ? "_" : ""); }

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < ' ' || byte > '~') {
      // Octal escapes end after three digits, so that the next character never joins them.
      result += fmt::format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace reconverge::block_generator
