// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <set>

#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"
#include "platforms/reproduction/json_table.hpp"
#include "platforms/reproduction/text.hpp"

namespace reconverge::reproduction {

namespace {

namespace fs = std::filesystem;

/// Tables of a store, which groups, published tables and views must not hide.
constexpr std::array<std::string_view, 11> store_tables{"runs",   "parameters", "parts",       "figures",
                                                        "stalls", "counters",   "provenance",  "points",
                                                        "axes",   "results",    "measurements"};
constexpr const char* see = "docs/reproduction.md describes the keys";

/// The entries of a map that may have the given keys.
class Fields {
 public:
  Fields(const std::string& file, const YamlNode& map, std::initializer_list<std::string_view> known)
      : file_(file), location_(locate(file, map)), entries_(entries(file, map)) {
    for (const YamlEntry& entry : entries_) {
      if (std::ranges::find(known, entry.key) == known.end())
        throw InputError(entry.location, fmt::format("there is no key `{}` here", entry.key),
                         suggest(entry.key, std::vector(known)));
    }
  }

  const SourceLocation& location() const { return location_; }

  const YamlNode* find(std::string_view key) const {
    const auto found = std::ranges::find(entries_, key, &YamlEntry::key);
    return found == entries_.end() ? nullptr : &found->value;
  }

  std::string text(std::string_view key) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return {};
    if (!node->is_scalar()) throw InputError(locate(file_, *node), fmt::format("`{}` is no text", key), see);
    return node->scalar();
  }

  std::string required(std::string_view key) const {
    if (find(key) == nullptr) throw InputError(location_, fmt::format("`{}` is missing", key), see);
    return text(key);
  }

  std::vector<YamlEntry> map(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? std::vector<YamlEntry>() : entries(file_, *node);
  }

  std::vector<YamlNode> list(std::string_view key) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return {};
    if (!node->is_list()) throw InputError(locate(file_, *node), fmt::format("`{}` is no list", key), see);
    return node->items();
  }

 private:
  const std::string& file_;
  SourceLocation location_;
  std::vector<YamlEntry> entries_;
};

class Reader {
 public:
  Reader(const fs::path& file, const std::string& name, Scale scale) : file_(file.generic_string()), scale_(scale) {
    page_.name = name;
    page_.file = file_;
  }

  Page read() {
    const Fields top(
        file_, read_yaml(file_),
        {"title", "paper", "summary", "tests", "commands", "inputs", "runs", "data", "views", "claims", "page"});
    page_.title = top.required("title");
    page_.paper = top.text("paper");
    for (const YamlEntry& each : top.map("tests")) add_test(each);
    for (const YamlEntry& each : top.map("commands")) add_command(each);
    for (const YamlEntry& each : top.map("inputs")) page_.inputs.push_back({each.key, words(each.value)});
    for (const YamlEntry& each : top.map("runs")) add_runs(each);
    for (const YamlEntry& each : top.map("data")) add_data(each);
    for (const YamlEntry& each : top.map("views")) page_.views.push_back({each.key, scalar(each.value), each.location});
    for (const std::string_view key : {"runs", "data", "views"})
      for (const YamlEntry& each : top.map(key)) check_name(each);
    for (const YamlNode& each : top.list("claims")) add_claim(each);
    for (const YamlNode& each : top.list("summary")) add_summary(each);
    for (const YamlNode& each : top.list("page")) add_block(each);
    return std::move(page_);
  }

 private:
  /// A name in queries.
  void check_name(const YamlEntry& entry) {
    if (std::ranges::find(store_tables, entry.key) != store_tables.end())
      throw InputError(entry.location, fmt::format("{} is a table of the store", entry.key), "choose another name");
    if (!names_.insert(entry.key).second)
      throw InputError(entry.location, fmt::format("there are two tables {}", entry.key), "choose another name");
  }

  const std::string& scalar(const YamlNode& node) const {
    if (!node.is_scalar()) throw InputError(locate(file_, node), "this is no text", see);
    return node.scalar();
  }

  std::vector<std::string> words(const YamlNode& list) const {
    std::vector<std::string> words;
    for (const YamlNode& item : list.items()) words.push_back(scalar(item));
    if (words.empty()) throw InputError(locate(file_, list), "this is no list of words", see);
    return words;
  }

  std::string format_in(const Fields& fields, const std::string& usual) const {
    std::string format = fields.find("format") == nullptr ? usual : fields.text("format");
    check_format(format, fields.location());
    return format;
  }

  static void check_format(const std::string& format, const SourceLocation& location) {
    if (!is_format(format)) throw InputError(location, fmt::format("there is no format `{}`", format), see);
  }

  Scale scale_in(const Fields& fields, Scale usual) const {
    const std::string text = fields.text("scale");
    if (text.empty()) return usual;
    if (text == "exact") return Scale::exact;
    if (text == "quick") return Scale::quick;
    if (text == "full") return Scale::full;
    throw InputError(fields.location(), fmt::format("`{}` is no scale", text), "scales are exact, quick and full");
  }

  void add_test(const YamlEntry& each) {
    const std::vector<std::string> pair = words(each.value);
    if (pair.size() != 2) throw InputError(each.location, "a test is [program, test case]", see);
    page_.tests.push_back({each.key, pair[0], pair[1]});
  }

  void add_command(const YamlEntry& each) {
    const Fields fields(file_, each.value, {"run", "names", "pattern", "json", "occurring", "scale"});
    MeasuringCommand command;
    command.name = each.key;
    if (fields.find("run") == nullptr) throw InputError(each.location, "`run` is missing", see);
    command.words = words(*fields.find("run"));
    for (const YamlNode& name : fields.list("names")) command.names.push_back(scalar(name));
    command.pattern = fields.text("pattern");
    command.json = fields.text("json");
    for (const YamlEntry& count : fields.map("occurring"))
      command.occurring.emplace_back(count.key, scalar(count.value));
    command.scale = scale_in(fields, Scale::exact);
    if (command.scale <= scale_) page_.commands.push_back(std::move(command));
  }

  /// A value as `--set` takes it. A value that is a file is relative to the page's file.
  std::string value_text(const YamlNode& value) const {
    if (value.is_list()) return fmt::format("[{}]", list_text(file_, value));
    const std::string& text = scalar(value);
    const fs::path file = (fs::path(file_).parent_path() / text).lexically_normal();
    std::error_code error;
    return fs::is_regular_file(file, error) ? file.generic_string() : text;
  }

  void add_settings(const Fields& fields, std::vector<std::string>& settings) const {
    for (const YamlEntry& setting : fields.map("set")) {
      std::erase_if(settings, [&](const std::string& text) { return text.starts_with(setting.key + '='); });
      settings.push_back(fmt::format("{}={}", setting.key, value_text(setting.value)));
    }
  }

  void read_experiments(const Fields& fields, RunGroup& group) const {
    if (fields.find("experiments") != nullptr) group.experiments.clear();
    for (const YamlNode& each : fields.list("experiments")) {
      const std::string& name = scalar(each);
      const bool is_made = name.starts_with("input:");
      group.experiments.push_back(is_made ? name
                                          : (fs::path(file_).parent_path() / name).lexically_normal().generic_string());
    }
  }

  void read_sweeps(const Fields& fields, RunGroup& group) const {
    if (fields.find("sweep") != nullptr) group.sweeps.clear();
    for (const YamlEntry& axis : fields.map("sweep")) {
      std::vector<std::string> values;
      for (const YamlNode& value : axis.value.items()) values.push_back(value_text(value));
      if (values.empty()) throw InputError(axis.location, fmt::format("{} has no list of values", axis.key), see);
      group.sweeps.push_back(fmt::format("{}={}", axis.key, fmt::join(values, ",")));
      if (std::ranges::find(group.axes, axis.key) == group.axes.end()) group.axes.push_back(axis.key);
    }
  }

  void add_runs(const YamlEntry& each) {
    const Fields fields(file_, each.value, {"experiments", "set", "sweep", "quick", "needs"});
    RunGroup group;
    group.name = each.key;
    group.location = each.location;
    for (const YamlNode& needed : fields.list("needs")) {
      const fs::path file = (fs::path(file_).parent_path() / scalar(needed)).lexically_normal();
      if (std::error_code error; !fs::exists(file, error)) group.missing = file.generic_string();
    }
    read_experiments(fields, group);
    add_settings(fields, group.settings);
    read_sweeps(fields, group);
    if (group.experiments.empty()) throw InputError(each.location, "`experiments` is missing", see);
    const YamlNode* quick = fields.find("quick");
    group.selected = scale_ == Scale::full || (scale_ == Scale::quick && quick != nullptr);
    if (scale_ == Scale::quick && quick != nullptr && quick->is_map()) {
      const Fields changed(file_, *quick, {"experiments", "set", "sweep"});
      read_experiments(changed, group);
      add_settings(changed, group.settings);
      read_sweeps(changed, group);
    } else if (quick != nullptr && !quick->is_map() && scalar(*quick) != "same") {
      throw InputError(locate(file_, *quick), "`quick` is `same`, or a map with changes", see);
    }
    page_.runs.push_back(std::move(group));
  }

  static sweep::Value value_of(const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    if (text.empty()) return {};
    return text;
  }

  void add_data(const YamlEntry& each) {
    const Fields fields(file_, each.value, {"columns", "rows", "file", "list"});
    if (fields.find("file") != nullptr) {
      const fs::path file = (fs::path(file_).parent_path() / fields.text("file")).lexically_normal();
      page_.data.push_back(json_table(each.key, file.generic_string(), fields.text("list")));
      return;
    }
    PublishedTable table{each.key, {}, {}};
    for (const YamlNode& column : fields.list("columns")) table.columns.push_back(scalar(column));
    for (const YamlNode& row : fields.list("rows")) {
      std::vector<sweep::Value>& values = table.rows.emplace_back();
      for (const YamlNode& item : row.items())
        values.push_back(item.is_null() ? sweep::Value() : value_of(scalar(item)));
      if (values.size() != table.columns.size())
        throw InputError(locate(file_, row), fmt::format("this row has {} values, and the table {} columns",
                                                         values.size(), table.columns.size()));
    }
    page_.data.push_back(std::move(table));
  }

  Accepted accepted_of(const YamlNode& node) const {
    if (node.is_scalar() && (node.scalar() == "true" || node.scalar() == "false")) return node.scalar() == "true";
    if (node.is_list() && node.size() == 2) {
      const sweep::Value low = value_of(scalar(node[0]));
      const sweep::Value high = value_of(scalar(node[1]));
      if (std::holds_alternative<double>(low) && std::holds_alternative<double>(high))
        return std::pair(std::get<double>(low), std::get<double>(high));
    }
    throw InputError(locate(file_, node), "this is no accepted range", "write [lowest, highest], true or false");
  }

  /// As the table of claims shows it.
  std::string published_text(const YamlNode& node, const std::string& format) const {
    if (node.is_list() && node.size() == 2)
      return fmt::format("{} to {}", formatted(value_of(scalar(node[0])), format),
                         formatted(value_of(scalar(node[1])), format));
    if (node.is_null()) return {};
    const std::string& text = scalar(node);
    if (text == "true" || text == "false") return text == "true" ? "holds" : "does not hold";
    return formatted(value_of(text), format);
  }

  static std::optional<double> number_of(const YamlNode* node) {
    if (node == nullptr || !node->is_scalar()) return std::nullopt;
    const sweep::Value value = value_of(node->scalar());
    return std::holds_alternative<double>(value) ? std::optional(std::get<double>(value)) : std::nullopt;
  }

  void add_claim(const YamlNode& node) {
    const Fields fields(file_, node,
                        {"id", "where", "says", "published", "accepted", "format", "workload", "command", "because",
                         "scale", "measured"});
    Claim claim;
    claim.location = fields.location();
    claim.id = fields.required("id");
    claim.where = fields.required("where");
    claim.says = fields.required("says");
    claim.format = format_in(fields, "number");
    claim.workload = fields.text("workload");
    claim.command = fields.text("command");
    claim.because = fields.text("because");
    claim.scale = scale_in(fields, Scale::full);
    const YamlNode* measured = fields.find("measured");
    const YamlNode* published = fields.find("published");
    const YamlNode* accepted = fields.find("accepted");
    if (measured == nullptr || accepted == nullptr)
      throw InputError(claim.location, fmt::format("{} has no `measured` or no `accepted`", claim.id), see);
    if (!measured->is_map()) {
      claim.parts.push_back({"", published == nullptr ? "" : published_text(*published, claim.format),
                             number_of(published), accepted_of(*accepted), scalar(*measured),
                             locate(file_, *measured)});
    } else {
      for (const YamlEntry& part : entries(file_, *measured)) {
        const auto range = accepted->is_map() ? accepted->find(part.key) : std::nullopt;
        const auto value = published != nullptr && published->is_map() ? published->find(part.key) : std::nullopt;
        claim.parts.push_back({part.key, value ? published_text(*value, claim.format) : std::string(),
                               value ? number_of(&*value) : std::nullopt, range ? accepted_of(*range) : Accepted(),
                               scalar(part.value), part.location});
      }
      check_ranges(claim, *accepted);
    }
    page_.claims.push_back(std::move(claim));
  }

  /// Every accepted range has a figure.
  void check_ranges(const Claim& claim, const YamlNode& accepted) const {
    for (const YamlEntry& range : entries(file_, accepted)) {
      if (std::ranges::find(claim.parts, range.key, &ClaimPart::name) == claim.parts.end())
        throw InputError(range.location, fmt::format("{} has no figure `{}` in `measured`", claim.id, range.key), see);
    }
  }

  void add_summary(const YamlNode& node) {
    const Fields fields(file_, node, {"claim", "part", "says", "format"});
    SummaryRow row{fields.required("claim"), fields.text("part"), fields.required("says"), format_in(fields, "number")};
    if (std::ranges::find(page_.claims, row.claim, &Claim::id) == page_.claims.end())
      throw InputError(fields.location(), fmt::format("there is no claim {}", row.claim));
    page_.summary.push_back(std::move(row));
  }

  void add_block(const YamlNode& node) {
    const SourceLocation location = locate(file_, node);
    if (node.is_scalar()) {
      if (node.scalar() == "claims") {
        page_.blocks.emplace_back(ClaimsBlock{});
      } else {
        queries_in(node.scalar(), location);
        page_.blocks.emplace_back(TextBlock{node.scalar(), location});
      }
      return;
    }
    const Fields fields(file_, node, {"table", "chart", "title", "x", "y", "bars", "scatter", "query"});
    if (fields.find("chart") != nullptr) {
      page_.blocks.emplace_back(ChartBlock{fields.text("chart"), fields.required("title"), fields.text("x"),
                                           fields.text("y"), fields.text("bars") == "true",
                                           fields.text("scatter") == "true", fields.required("query"), location});
      return;
    }
    TableBlock table{{}, fields.required("query"), location};
    for (const YamlNode& column : fields.list("table")) {
      if (!column.is_list() || column.size() != 2)
        throw InputError(locate(file_, column), "a column is [head, format]", see);
      table.columns.push_back({column[0].scalar(), scalar(column[1])});
      check_format(table.columns.back().format, locate(file_, column));
    }
    page_.blocks.emplace_back(std::move(table));
  }

  std::string file_;
  Scale scale_;
  std::set<std::string> names_;
  Page page_;
};

}  // namespace

Page read_page(const fs::path& folder, const std::string& name, Scale scale) {
  return Reader(folder / (name + ".yaml"), name, scale).read();
}

}  // namespace reconverge::reproduction
