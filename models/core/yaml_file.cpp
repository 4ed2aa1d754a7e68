// SPDX-License-Identifier: Apache-2.0
#include "models/core/yaml_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"

namespace reconverge {

namespace {

constexpr std::size_t most_list_text = std::size_t{1} << 20U;

SourceLocation locate(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

/// The first tab among the blanks that begin a line, up to the line of `mark`. The library reports an error somewhere
/// after it.
std::optional<SourceLocation> first_tab(const std::string& text, const YAML::Mark& mark) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 0; number <= mark.line && std::getline(lines, line); ++number) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos && line.find_first_not_of(" \t") > tab) {
      return SourceLocation{{}, static_cast<std::uint32_t>(number + 1), static_cast<std::uint32_t>(tab + 1)};
    }
  }
  return std::nullopt;
}

/// Scans a text before anything is constructed from it: where its first two documents begin, whether it is small enough
/// to become nodes, and the first value with a control character. Loading all documents at once is not possible: the
/// library never terminates on a text such as `, a`, where each document is empty and leaves the comma for the next.
class Survey : public YAML::EventHandler {
 public:
  explicit Survey(const std::string& file) : file_(file) {}

  void read(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (starts_.size() < 2 && parser.HandleNextDocument(*this)) {
    }
  }
  const std::vector<YAML::Mark>& starts() const { return starts_; }
  /// True if a document was read that consumed no text.
  bool stray() const { return starts_.size() == 2 && starts_[0].pos == starts_[1].pos; }
  /// The first value or key that has a control character and not only newlines and tabs, as it can be shown.
  const std::optional<std::pair<YAML::Mark, std::string>>& control() const { return control_; }

  void OnDocumentStart(const YAML::Mark& mark) override { starts_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { count(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    count(mark);
    if (!control_ && has_control_character(value) && printable(value) != value) {
      control_.emplace(mark, printable(value));
    }
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    enter(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  void count(const YAML::Mark& mark) {
    if (++nodes_ > most_yaml_nodes) {
      throw InputError(locate(file_, mark), fmt::format("the file has more than {} keys and values", most_yaml_nodes),
                       "keep large arrays in separate files");
    }
  }
  void enter(const YAML::Mark& mark) {
    count(mark);
    if (++depth_ > most_yaml_levels) {
      throw InputError(locate(file_, mark),
                       fmt::format("the value is nested more than {} levels deep", most_yaml_levels),
                       "write it flatter");
    }
  }

  const std::string& file_;
  std::vector<YAML::Mark> starts_;
  std::optional<std::pair<YAML::Mark, std::string>> control_;
  std::size_t nodes_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

YAML::Node read_yaml(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  const bool is_source = ending == ".cu" || ending == ".cl";
  if (ending == ".ptx" || is_source) {
    throw InputError({file.generic_string()}, "this is a program, where a YAML file is expected",
                     fmt::format("{} a file that names {}, as docs/launch.md shows: `launches: [{{program: ...}}]`",
                                 is_source ? "make PTX of it by `reconverge compile`, and give" : "give",
                                 is_source ? "the PTX" : "it"));
  }
  return parse_yaml(read_input(file, input::yaml), file.generic_string());
}

YAML::Node parse_yaml(const std::string& text, const std::string& file) {
  YAML::Node document;
  Survey survey(file);
  try {
    survey.read(text);
    document = YAML::Load(text);
  } catch (const YAML::Exception& error) {
    if (const auto tab = first_tab(text, error.mark)) {
      throw InputError({file, tab->line, tab->column}, "this is not YAML: a tab indents the line", "use spaces");
    }
    throw InputError(locate(file, error.mark), fmt::format("this is not YAML: {}", error.msg),
                     "the keys of one map begin in one column; brackets and quotes end");
  }
  if (survey.stray()) {
    throw InputError(locate(file, survey.starts().front()), "this is not YAML: a value cannot begin here");
  }
  if (survey.starts().size() > 1) {
    throw InputError(locate(file, survey.starts()[1]), "a second document begins", "keep one document a file");
  }
  if (survey.control()) {
    throw InputError(locate(file, survey.control()->first),
                     fmt::format("'{}' has a control character", survey.control()->second),
                     "leave it out: no name, path or value has any");
  }
  if (document.IsNull()) {
    throw InputError({file, 1, 1}, "the document is empty", "write at least one key");
  }
  if (!document.IsMap()) {
    throw InputError(locate(file, document), "the document is not a map", "write `key: value` lines");
  }
  return document;
}

SourceLocation locate(const std::string& file, const YAML::Node& node) { return locate(file, node.Mark()); }

std::vector<YamlEntry> entries(const std::string& file, const YAML::Node& map) {
  std::vector<YamlEntry> result;
  std::map<std::string, SourceLocation> seen;
  for (const auto& pair : map) {
    const SourceLocation location = locate(file, pair.first);
    if (!pair.first.IsScalar()) throw InputError(location, "a key must be a single word");
    const std::string& key = pair.first.Scalar();
    const auto [first, added] = seen.emplace(key, location);
    if (!added) {
      throw InputError(location, fmt::format("the key {} comes twice", key),
                       fmt::format("the first is in line {}; keep one", first->second.line));
    }
    result.push_back({key, location, pair.second});
  }
  return result;
}

std::string list_text(const std::string& file, const YAML::Node& sequence) {
  std::string text;
  for (const YAML::Node& node : sequence) {
    if (!node.IsScalar()) throw InputError(locate(file, node), "an item of the list is not a single value");
    if (!text.empty()) text += ", ";
    text += node.Scalar();
    // With aliases, a short file gives a long text.
    if (text.size() > most_list_text) throw InputError(locate(file, node), "the list is too long");
  }
  return text;
}

}  // namespace reconverge
