// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/source_scan.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace reconverge::block_generator {

namespace {

using Tokens = std::span<const std::string_view>;

constexpr std::array<std::string_view, 11> assignments{
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

bool is_assignment(std::string_view token) {
  return std::find(assignments.begin(), assignments.end(), token) != assignments.end();
}
bool is_step(std::string_view token) { return token == "++" || token == "--"; }
bool is_access(std::string_view token) { return token == "." || token == "->"; }
bool is_word(std::string_view token) {
  const char c = token.front();
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The token at `index`, or an empty-looking one outside.
std::string_view token_at(Tokens tokens, std::size_t index) { return index < tokens.size() ? tokens[index] : ";"; }

/// Index after the brackets that open at `index`.
std::size_t skip_brackets(Tokens tokens, std::size_t index) {
  int depth = 0;
  for (; index < tokens.size(); ++index) {
    if (tokens[index] == "[") ++depth;
    if (tokens[index] == "]" && --depth == 0) return index + 1;
  }
  return index;
}

/// Index after the indices and members that follow a name: from `.lost` in `s.lost.values[i] += 1` to `+=`.
std::size_t chain_end(Tokens tokens, std::size_t index) {
  while (true) {
    if (token_at(tokens, index) == "[") {
      index = skip_brackets(tokens, index);
    } else if (is_access(token_at(tokens, index)) && is_word(token_at(tokens, index + 1))) {
      index += 2;
    } else {
      return index;
    }
  }
}

/// Where the bracket that closes at `index` opens; zero when it never does.
std::size_t opening(Tokens tokens, std::size_t index) {
  int depth = 0;
  for (;; --index) {
    if (tokens[index] == ")" || tokens[index] == "]") ++depth;
    if ((tokens[index] == "(" || tokens[index] == "[") && --depth == 0) return index;
    if (index == 0) return 0;
  }
}

/// The first token of the expression whose `.` or `->` is at `access`: of `a.b[i]` in `++a.b[i].name`.
std::size_t chain_begin(Tokens tokens, std::size_t access) {
  std::size_t begin = access;
  while (begin > 0) {
    std::size_t last = begin - 1;
    const bool closes = tokens[last] == ")" || tokens[last] == "]";
    if (closes) {
      last = opening(tokens, last);
      begin = last;
      // A call or an index belongs to the token before it.
      if (last > 0 && (is_word(tokens[last - 1]) || tokens[last - 1] == ")" || tokens[last - 1] == "]")) continue;
      return begin;
    }
    if (!is_word(tokens[last])) return begin;
    begin = last;
    if (begin == 0) return begin;
    const std::string_view before = tokens[begin - 1];
    if (!is_access(before) && before != "::") return begin;
    --begin;
  }
  return begin;
}

/// True when the statement up to `begin` binds a reference (`auto& x = ...`) or steps a group (`++(a ? ...`).
bool binds_reference(Tokens tokens, std::size_t begin) {
  for (std::size_t i = begin; i-- > 0;) {
    if (tokens[i] == ";" || tokens[i] == "{" || tokens[i] == "}") return false;
    if (is_step(tokens[i]) && token_at(tokens, i + 1) == "(") return true;
    if (tokens[i] == "&" && i + 2 < begin && is_word(tokens[i + 1]) && tokens[i + 2] == "=") return true;
  }
  return false;
}

bool is_written(Tokens tokens, std::size_t access) {
  if (token_at(tokens, access + 2) == "(") return false;
  const std::string_view after = token_at(tokens, chain_end(tokens, access + 2));
  if (is_assignment(after) || is_step(after)) {
    // `{.name = 1}` initialises a member and does not count anything.
    return access == 0 || (tokens[access - 1] != "{" && tokens[access - 1] != ",");
  }
  const std::size_t begin = chain_begin(tokens, access);
  if (begin == 0) return false;
  const std::string_view before = tokens[begin - 1];
  if (is_step(before)) return true;
  if (before == "&") {
    const std::string_view operand = begin >= 2 ? tokens[begin - 2] : ";";
    return !is_word(operand) && operand != ")" && operand != "]";
  }
  return binds_reference(tokens, begin);
}

std::vector<std::string> find_includes(std::string_view text) {
  std::vector<std::string> includes;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    std::string_view line = text.substr(0, line_end);
    text.remove_prefix(line_end == std::string_view::npos ? text.size() : line_end + 1);
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(" \t")));
    if (line.substr(0, 8) != "#include") continue;
    const std::size_t open = line.find('"');
    const std::size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    if (close != std::string_view::npos) includes.emplace_back(line.substr(open + 1, close - open - 1));
  }
  return includes;
}

}  // namespace

SourceUse scan_source(std::string_view text) {
  SourceUse use;
  use.includes = find_includes(text);
  const std::vector<std::string_view> storage = tokenize(text);
  const Tokens tokens = storage;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!is_access(tokens[i]) || !is_word(tokens[i + 1])) continue;
    const std::string_view after = token_at(tokens, i + 2);
    if (!is_assignment(after) && after != "(") use.reads.emplace(tokens[i + 1]);
    if (is_written(tokens, i)) use.writes.emplace(tokens[i + 1]);
  }
  return use;
}

}  // namespace reconverge::block_generator
