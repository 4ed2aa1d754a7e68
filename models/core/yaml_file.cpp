#include "models/core/yaml_file.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>

namespace reconverge {

namespace {

constexpr std::size_t most_list_text = std::size_t{1} << 20U;

SourceLocation locate(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {file, 0, 0};
  return {file, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

std::string read_text(const std::filesystem::path& path) {
  const std::string file = path.generic_string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError({file}, "there is no such file", "check the path");
  if (std::filesystem::is_directory(status)) throw InputError({file}, "this is a folder", "name a YAML file in it");
  const std::string ending = path.extension().string();
  if (ending == ".ptx" || ending == ".cu" || ending == ".cl") {
    throw InputError({file}, "this is a program, where a YAML file is expected",
                     "give a file that names it, as docs/launch.md shows: `launches: [{program: ...}]`");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream || stream.bad()) throw InputError({file}, "the file cannot be read", "check its permissions");
  return text;
}

/// The first tab among the blanks that begin a line, up to the line of `mark`. The library stumbles somewhere behind
/// it.
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

/// Where the first two documents of a text begin. Loading all documents at once will not do: the library never ends
/// on a text such as `, a`, where each document is empty and leaves the comma for the next.
class DocumentStarts : public YAML::EventHandler {
 public:
  void read(const std::string& text) {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    while (marks_.size() < 2 && parser.HandleNextDocument(*this)) {
    }
  }
  const std::vector<YAML::Mark>& marks() const { return marks_; }
  /// True when a document was read and nothing with it.
  bool stray() const { return marks_.size() == 2 && marks_[0].pos == marks_[1].pos; }

  void OnDocumentStart(const YAML::Mark& mark) override { marks_.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  std::vector<YAML::Mark> marks_;
};

}  // namespace

YAML::Node read_yaml(const std::filesystem::path& file) { return parse_yaml(read_text(file), file.generic_string()); }

YAML::Node parse_yaml(const std::string& text, const std::string& file) {
  YAML::Node document;
  DocumentStarts starts;
  try {
    document = YAML::Load(text);
    starts.read(text);
  } catch (const YAML::Exception& error) {
    if (const auto tab = first_tab(text, error.mark)) {
      throw InputError({file, tab->line, tab->column}, "this is not YAML: a tab indents the line", "use spaces");
    }
    throw InputError(locate(file, error.mark), fmt::format("this is not YAML: {}", error.msg),
                     "the keys of one map begin in one column; brackets and quotes end");
  }
  if (starts.stray()) {
    throw InputError(locate(file, starts.marks().front()), "this is not YAML: a value cannot begin here");
  }
  if (starts.marks().size() > 1) {
    throw InputError(locate(file, starts.marks()[1]), "a second document begins", "keep one document a file");
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
    // Aliases make a long text of a short file.
    if (text.size() > most_list_text) throw InputError(locate(file, node), "the list is too long");
  }
  return text;
}

}  // namespace reconverge
