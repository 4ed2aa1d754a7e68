// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/rtl_module.hpp"

#include <algorithm>
#include <regex>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/lines.hpp"

namespace reconverge::specification {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// A line without its comment, and the comment.
std::pair<std::string, std::string> parted(std::string_view line) {
  const std::size_t at = line.find("//");
  if (at == std::string_view::npos) return {trimmed(line), {}};
  return {trimmed(line.substr(0, at)), trimmed(line.substr(at + 2))};
}

void append(std::string& text, const std::string& more) {
  if (!text.empty() && text.back() != '\n') text += ' ';
  text += more;
}

class Reader {
 public:
  Reader(std::string_view file, std::string_view source) : file_(file), lines_(lines_of(source)) {}

  RtlModule read() {
    read_head();
    read_parameters();
    read_ports();
    for (; at_ < lines_.size(); ++at_) read_body(lines_[at_]);
    return std::move(module_);
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError({std::string(file_), static_cast<unsigned>(at_ + 1), 0}, message,
                     "use the layout of the other modules");
  }
  std::string_view line() const {
    if (at_ == lines_.size()) fail("the module does not end");
    return lines_[at_];
  }

  /// The comment at the head, and `module <name> #(`.
  void read_head() {
    for (; line().starts_with("//"); ++at_) {
      const std::string text = parted(line()).second;
      if (text.starts_with("SPDX")) continue;
      if (text.empty()) {
        module_.text += "\n\n";
      } else {
        append(module_.text, text);
      }
    }
    static const std::regex head(R"(module (\w+) #\()");
    for (; !line().starts_with("module"); ++at_) {
      if (!line().empty() && !line().starts_with("`")) fail("here is no comment and no module");
    }
    std::cmatch found;
    const std::string_view first = line();
    if (!std::regex_match(first.data(), first.data() + first.size(), found, head)) fail("the module has no parameters");
    module_.name = found[1];
    ++at_;
  }

  void read_parameters() {
    static const std::regex form(R"((parameter|localparam) int unsigned (\w+) = (.*?),?)");
    for (; line() != ") ("; ++at_) {
      const auto [code, comment] = parted(line());
      std::smatch found;
      if (!std::regex_match(code, found, form)) fail("here is no parameter");
      module_.parameters.push_back({found[2], found[3], comment, found[1] == "localparam"});
    }
    ++at_;
  }

  void read_ports() {
    static const std::regex form(R"((input|output) +logic +(\[[^\]]*\])? *(\w+),?)");
    module_.ports.emplace_back();
    std::string comment;
    for (; line() != ");"; ++at_) {
      const auto [code, text] = parted(line());
      if (code.starts_with("`ifdef")) {
        skip_condition();
        continue;
      }
      if (code.empty()) {
        append(comment, text);
        continue;
      }
      std::smatch found;
      if (!std::regex_match(code, found, form)) fail("here is no port");
      if (!comment.empty()) {
        if (!module_.ports.back().ports.empty()) module_.ports.emplace_back();
        module_.ports.back().comment = std::exchange(comment, {});
      }
      module_.ports.back().ports.push_back({found[3], found[1] == "input", found[2], text});
    }
    ++at_;
  }

  /// To the line with `endif: what a macro adds is not part of the design.
  void skip_condition() {
    while (!line().starts_with("`endif")) ++at_;
  }

  void read_body(std::string_view line) {
    static const std::regex constant(R"(localparam logic +(\[[^\]]*\])? *(\w+) = (.*);)");
    static const std::regex signals(R"(logic *(\[[^\]]*\])? *(.*);)");
    static const std::regex entry(R"((\w+_q)( \[([^\]]*)\])?)");
    static const std::regex instance(R"(([a-z]\w+) (#\(.*|\w+ \(.*))");
    const std::string code = parted(line).first;
    read_reset(code);
    std::smatch found;
    if (std::regex_match(code, found, constant)) {
      module_.constants.push_back({found[2], found[1], found[3]});
    } else if (std::regex_match(code, found, signals)) {
      const std::string range = found[1];
      const std::string names = found[2];
      for (std::sregex_iterator one(names.begin(), names.end(), entry), none; one != none; ++one) {
        module_.registers.push_back({(*one)[1], range, (*one)[3], {}});
      }
    } else if (std::regex_match(code, found, instance) && is_module(found[1])) {
      if (std::ranges::find(module_.instances, found[1].str()) == module_.instances.end())
        module_.instances.push_back(found[1]);
    }
  }

  /// Notes the value that a register gets in the branch of the reset.
  void read_reset(const std::string& code) {
    static const std::regex assignment(R"((\w+_q)(\[\w+\])? <= ([^;]+);)");
    const bool begins = code.starts_with("if (!rst_ni)");
    if (begins) {
      resets_ = code.ends_with("begin");
    } else if (code.starts_with("end")) {
      resets_ = false;
    }
    std::smatch found;
    if (!(begins || resets_) || !std::regex_search(code, found, assignment)) return;
    const auto one = std::ranges::find(module_.registers, found[1].str(), &RtlRegister::name);
    if (one != module_.registers.end()) one->reset = found[3];
  }

  static bool is_module(const std::string& word) {
    static const std::vector<std::string> keywords{"assign", "always_comb", "always_ff", "else",
                                                   "for",    "if",          "case",      "end",
                                                   "begin",  "function",    "return",    "generate"};
    return std::ranges::find(keywords, word) == keywords.end();
  }

  std::string_view file_;
  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  bool resets_ = false;  // these lines are executed by the reset
  RtlModule module_;
};

}  // namespace

RtlModule read_rtl(std::string_view file, std::string_view source) { return Reader(file, source).read(); }

std::vector<RtlAssertion> read_assertions(std::string_view source) {
  static const std::regex form(R"((\w+) :( assert property.*)?)");
  std::vector<RtlAssertion> assertions;
  std::string section;  // the last comment that begins with ---
  std::string above;    // the comment in the lines before this one
  for (const std::string_view line : lines_of(source)) {
    auto [code, text] = parted(line);
    if (code.empty() && !text.empty()) {
      const bool begins = text.starts_with("--- ");
      append(above, begins ? text.substr(4) : text);
      if (begins) section = above;
      continue;
    }
    std::smatch found;
    if (std::regex_match(code, found, form)) assertions.push_back({found[1], above.empty() ? section : above});
    above.clear();
  }
  return assertions;
}

}  // namespace reconverge::specification
