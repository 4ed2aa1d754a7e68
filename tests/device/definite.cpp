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

/// Declares what the functions below use, for a function or kernel with this header. The compiler does not know that
/// the predicate %never is false.
std::string declarations(const std::string& header) {
  const bool entry = header.starts_with(".visible .entry");
  const bool in_registers = header.find("%slice") != std::string::npos;
  return fmt::format(
      "  .reg .pred %open, %never;\n  .reg .b32 %unknown;\n{}  setp.eq.b64 %never, {}, 0;\n",
      in_registers ? ""
                   : fmt::format("  .reg .b64 %address;\n  ld.param.b64 %address, [{}];\n", entry ? "output" : "slice"),
      in_registers ? "%slice" : "%address");
}

/// The line in a form that a fault of the optimiser in NVIDIA's compiler does not change (CUDA 13.0; -O0 is right). One
/// fault remains, since no single line shows it: lanes that return from a call at different times do not always
/// reconverge after it, and elect.sync then elects several of them.
std::string for_optimiser(const std::string& text) {
  // After `@%p0 bra`, the compiler assumes that %p0 is false, also in a loop that sets %p0 and repeats: there it
  // removes branches on %p0 and instructions that set it. The same holds after `@%p0 exit`.
  static const std::regex branch(R"(^(\s*@!?)(%p\d)(\s+(?:bra|brx\.idx|exit|ret)\b.*)$)");
  std::smatch match;
  if (std::regex_match(text, match, branch))
    return fmt::format("  xor.pred %open, {}, %never;\n{}%open{}", match[2].str(), match[1].str(), match[3].str());
  // A length of 32 or more is taken modulo 32.
  static const std::regex insertion(R"(^(.*\sbfi\.b32\s.*,\s*)(\d+);$)");
  if (std::regex_match(text, match, insertion) && std::stoul(match[2]) > 31) return match[1].str() + "31;";
  // A guard that is equal in all lanes is a uniform predicate, UP0 for instance. The instruction then takes P0 instead.
  static const std::regex reduction(R"(^\s*@!?%v\d\s+(redux\.sync\..*)$)");
  if (std::regex_match(text, match, reduction)) return "  " + match[1].str();
  // A shuffle of a value that is equal in all lanes becomes a copy. What a lane gets from a lane that does not take
  // part is undefined: 0, if the instruction is executed.
  static const std::regex shuffle(R"(^(\s*(?:@!?%\w+\s+)?shfl\.sync\.[^,]*,\s*)(%\w+)(,.*)$)");
  if (std::regex_match(text, match, shuffle))
    return fmt::format("  mov.b32 %unknown, {};\n  @%never mov.u32 %unknown, %laneid;\n{}%unknown{}", match[2].str(),
                       match[1].str(), match[3].str());
  return text;
}

}  // namespace

std::string made_definite(const std::string& ptx) {
  std::string header;
  return rewritten(ptx, [&](const std::string& text) -> std::string {
    if (text.starts_with(".func") || text.starts_with(".visible .entry")) header = text;
    if (text == "{") return "{\n" + declarations(header);
    const std::string replaced = for_optimiser(text);
    const auto line = parse(text);
    if (!line) return replaced + "\n";
    if (is_open(*line)) return {};
    if (!departure(replaced).empty()) return {};
    if (header.starts_with(".func") && may_crash_in_function(*line)) return {};
    const std::string before = divides_integers(*line) ? safe_divisor(*line, "%open") : "";
    return before + replaced + "\n" + one_nan(*line);
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
