// SPDX-License-Identifier: Apache-2.0
#include "tests/device/definite.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <regex>
#include <sstream>

#include "tests/device/departures.hpp"

namespace reconverge::tests {

namespace {

/// `  @!%p1 fma.rn.f32 %f0, %f1, %f2, %f3;`, split into its parts.
struct Line {
  std::string operation;
  std::string first_operand;
  std::string last_operand;
};

std::optional<Line> parse(const std::string& text) {
  static const std::regex instruction(R"(^\s*(?:@!?%\w+\s+)?([a-z][\w.:]*)\s+([^,;]+)(?:,.*?([^,;]+))?;$)");
  std::smatch match;
  if (!std::regex_match(text, match, instruction)) return std::nullopt;
  const auto trimmed = [](std::string word) {
    word.erase(0, word.find_first_not_of(' '));
    return word;
  };
  return Line{match[1], trimmed(match[2]), trimmed(match[3])};
}

bool divides_integers(const Line& line) {
  static const std::regex division(R"((div|rem)\.[us]\d+)");
  return std::regex_match(line.operation, division) && line.last_operand.starts_with('%');
}

/// `predicate` is one that no other instruction uses.
std::string safe_divisor(const Line& line, const std::string& predicate) {
  const std::string type = line.operation.substr(line.operation.size() - 2);
  return fmt::format(
      "  setp.eq.s{0} {1}, {2}, 0;\n  @{1} mov.b{0} {2}, 3;\n  setp.eq.s{0} {1}, {2}, -1;\n  @{1} mov.b{0} {2}, 5;\n",
      type, predicate, line.last_operand);
}

std::string rewritten(const std::string& ptx, const std::function<std::string(const std::string&)>& rewrite) {
  std::istringstream lines(ptx);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += rewrite(line);
  return result;
}

bool is_open(const Line& line) {
  const auto is = [&](std::string_view word) { return line.operation.find(word) != std::string::npos; };
  static const std::regex unnamed(R"((vote|shfl)\.(?!sync).*)");
  return is(".approx") || is("f16") || is("tf32") || is(".add.f32") || is(".add.f64") ||
         std::regex_match(line.operation, unnamed);
}

/// Of an instruction like these in a function, ptxas 13.0.88 (-O1 and above, for sm_90 and later) crashes if it finds
/// that no thread reaches it. They have slow paths, which it makes subroutines.
bool may_crash_in_function(const Line& line) {
  static const std::regex subroutine(R"((div|rem)\.[us](16|64)|(div|rcp|sqrt)\.r[nzmp]\..*)");
  return std::regex_match(line.operation, subroutine);
}

/// Replaces any NaN in the register that the line writes by one fixed NaN.
std::string one_nan(const Line& line) {
  static const std::regex written(R"(%[fg]\d+)");
  if (!std::regex_match(line.first_operand, written)) return {};
  const bool single = line.first_operand[1] == 'f';
  return fmt::format("  setp.nan.{0} %open, {1}, {1};\n  @%open mov.{0} {1}, {2};\n", single ? "f32" : "f64",
                     line.first_operand, single ? "0f7FFFFFFF" : "0d7FFFFFFFFFFFFFFF");
}

}  // namespace

std::string made_definite(const std::string& ptx) {
  bool in_function = false;
  return rewritten(ptx, [&](const std::string& text) -> std::string {
    if (text.starts_with(".func") || text.starts_with(".visible .entry")) in_function = text.starts_with(".func");
    if (text == "{") return "{\n  .reg .pred %open;\n";
    const auto line = parse(text);
    if (!line) return text + "\n";
    if (is_open(*line) || !departure(text).empty()) return {};
    if (in_function && may_crash_in_function(*line)) return {};
    const std::string before = divides_integers(*line) ? safe_divisor(*line, "%open") : "";
    return before + text + "\n" + one_nan(*line);
  });
}

std::string with_safe_operands(const std::string& ptx) {
  return rewritten(ptx, [](const std::string& text) {
    const auto line = parse(text);
    std::string before;
    if (line && divides_integers(*line)) before = safe_divisor(*line, "%p7");
    static const std::regex shared_pair(R"((atom|red)\.[\w.]*shared\.add\.noftz\.b?f16x2)");
    if (line && std::regex_match(line->operation, shared_pair))
      before = fmt::format("  ld.global.b32 {}, [%at3];\n", line->last_operand);
    if (line && line->operation == "fns.b32")
      before = fmt::format("  max.s32 {0}, {0}, -2147483647;\n", line->last_operand);
    return before + text + "\n";
  });
}

}  // namespace reconverge::tests
