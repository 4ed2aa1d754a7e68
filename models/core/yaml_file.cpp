// SPDX-License-Identifier: Apache-2.0
#include "models/core/yaml_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"

namespace reconverge {

namespace {

/// The library counts from zero.
YamlMark mark_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

SourceLocation locate(const std::string& file, const YAML::Mark& mark) {
  const auto [line, column] = mark_of(mark);
  return {file, line, column};
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

/// Makes the nodes of the first document of a text.
class NodeBuilder : public YAML::EventHandler {
 public:
  /// The root of the document; null if the text is empty.
  YamlNode root() && {
    if (!root_) return {};
    return {std::make_shared<const YamlDocument>(std::move(document_)), *root_};
  }

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!root_) put(document_.add(YamlKind::null, mark_of(mark)), anchor);
  }
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t anchor) override {
    if (!root_) put(anchors_[anchor - 1], 0);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                const std::string& value) override {
    if (!root_) put(document_.add_scalar(value, mark_of(mark)), anchor);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    if (!root_) open(YamlKind::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    if (!root_) open(YamlKind::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  using Index = YamlDocument::Index;

  /// A list or map that has begun and not ended.
  struct Open {
    Index node;
    bool is_map;
    std::optional<Index> key;  ///< of a map, if its value is next
  };

  void open(YamlKind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    const Index node = document_.add(kind, mark_of(mark));
    keep(node, anchor);
    open_.push_back({node, kind == YamlKind::map, {}});
  }
  void close() {
    if (root_) return;
    const Index node = open_.back().node;
    open_.pop_back();
    put(node, 0);
  }
  /// The library numbers anchors from one, in the order of the text; zero is none.
  void keep(Index node, YAML::anchor_t anchor) {
    if (anchor == 0) return;
    anchors_.resize(anchor);
    anchors_.back() = node;
  }
  void put(Index node, YAML::anchor_t anchor) {
    keep(node, anchor);
    if (open_.empty()) {
      root_ = node;
      return;
    }
    Open& parent = open_.back();
    if (!parent.is_map) {
      document_.append_item(parent.node, node);
    } else if (parent.key) {
      document_.append_entry(parent.node, *parent.key, node);
      parent.key.reset();
    } else {
      parent.key = node;
    }
  }

  YamlDocument document_;
  std::vector<Index> anchors_;
  std::vector<Open> open_;
  std::optional<Index> root_;
};

/// The same with checks: the beginnings of the first two documents, whether the text is small enough to become nodes,
/// and the first value with a control character. It reads no third document, because the library does not terminate on
/// a text such as `, a`, in which each document is empty and leaves the comma for the next.
class CheckedBuilder final : public NodeBuilder {
 public:
  explicit CheckedBuilder(const std::string& file) : file_(file) {}

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
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark);
    NodeBuilder::OnNull(mark, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark);
    NodeBuilder::OnAlias(mark, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    count(mark);
    if (!control_ && has_control_character(value) && printable(value) != value) {
      control_.emplace(mark, printable(value));
    }
    NodeBuilder::OnScalar(mark, tag, anchor, value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    enter(mark);
    NodeBuilder::OnSequenceStart(mark, tag, anchor, style);
  }
  void OnSequenceEnd() override {
    --depth_;
    NodeBuilder::OnSequenceEnd();
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    enter(mark);
    NodeBuilder::OnMapStart(mark, tag, anchor, style);
  }
  void OnMapEnd() override {
    --depth_;
    NodeBuilder::OnMapEnd();
  }

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

YamlNode read_yaml(const std::filesystem::path& file) {
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

YamlNode parse_yaml(const std::string& text, const std::string& file) {
  CheckedBuilder builder(file);
  try {
    builder.read(text);
  } catch (const YAML::Exception& error) {
    if (const auto tab = first_tab(text, error.mark)) {
      throw InputError({file, tab->line, tab->column}, "this is not YAML: a tab indents the line", "use spaces");
    }
    throw InputError(locate(file, error.mark), fmt::format("this is not YAML: {}", error.msg),
                     "the keys of one map begin in one column; brackets and quotes end");
  }
  if (builder.stray()) {
    throw InputError(locate(file, builder.starts().front()), "this is not YAML: a value cannot begin here");
  }
  if (builder.starts().size() > 1) {
    throw InputError(locate(file, builder.starts()[1]), "a second document begins", "keep one document a file");
  }
  if (builder.control()) {
    throw InputError(locate(file, builder.control()->first),
                     fmt::format("'{}' has a control character", builder.control()->second),
                     "leave it out: no name, path or value has any");
  }
  YamlNode document = std::move(builder).root();
  if (document.is_null()) {
    throw InputError({file, 1, 1}, "the document is empty", "write at least one key");
  }
  if (!document.is_map()) {
    throw InputError(locate(file, document), "the document is not a map", "write `key: value` lines");
  }
  return document;
}

YamlNode parse_yaml_value(const std::string& text, const SourceLocation& location) {
  NodeBuilder builder;
  try {
    std::istringstream stream(text);
    YAML::Parser(stream).HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    throw InputError(location, fmt::format("the value is not YAML: {}", error.msg));
  }
  return std::move(builder).root();
}

std::string flow_text(const std::string& text) {
  YAML::Emitter out;
  out.SetSeqFormat(YAML::Flow);
  out.SetMapFormat(YAML::Flow);
  out << YAML::Load(text);
  return out.c_str();
}

}  // namespace reconverge
