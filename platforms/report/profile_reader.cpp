#include "platforms/report/profile_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <fstream>
#include <iterator>
#include <limits>

#include "models/core/error.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// A value of the document, and where it is.
class Value {
 public:
  Value(const json::value& value, const std::string& file, std::string path)
      : value_(&value), file_(&file), path_(std::move(path)) {}

  [[noreturn]] void refuse(std::string_view what) const {
    throw InputError({*file_, 0, 0}, path_.empty() ? std::string(what) : fmt::format("{}: {}", path_, what),
                     "give a folder that `reconverge run` has written, or run the experiment again");
  }

  const json::object& object() const {
    if (!value_->is_object()) refuse("an object is expected");
    return value_->get_object();
  }
  bool has(std::string_view key) const { return object().contains(key); }
  Value operator[](std::string_view key) const {
    const json::value* const found = object().if_contains(key);
    if (found == nullptr) refuse(fmt::format("there is no '{}'", key));
    return {*found, *file_, path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
  }
  std::vector<Value> items() const {
    if (!value_->is_array()) refuse("an array is expected");
    std::vector<Value> all;
    for (const json::value& item : value_->get_array()) {
      all.emplace_back(item, *file_, fmt::format("{}[{}]", path_, all.size()));
    }
    return all;
  }
  std::string text() const {
    if (!value_->is_string()) refuse("a text is expected");
    return std::string(value_->get_string());
  }
  std::uint64_t count() const {
    if (value_->is_uint64()) return value_->get_uint64();
    if (!value_->is_int64() || value_->get_int64() < 0) refuse("a number of 0 or more is expected");
    return static_cast<std::uint64_t>(value_->get_int64());
  }
  std::uint32_t small_count() const {
    const std::uint64_t value = count();
    if (value > std::numeric_limits<std::uint32_t>::max()) refuse("the number is too large");
    return static_cast<std::uint32_t>(value);
  }
  std::vector<std::uint64_t> counts() const {
    std::vector<std::uint64_t> all;
    for (const Value& item : items()) all.push_back(item.count());
    return all;
  }

 private:
  const json::value* value_;
  const std::string* file_;
  std::string path_;
};

std::vector<std::uint64_t> counts_by_cause(const Value& counts, const std::vector<std::string>& causes) {
  std::vector<std::uint64_t> all = counts.counts();
  if (all.size() != causes.size()) {
    counts.refuse(fmt::format("{} numbers for {} causes", all.size(), causes.size()));
  }
  return all;
}

ProfileBranch branch_of(const Value& value) {
  ProfileBranch branch{value["divergent"].count(), {}};
  for (const Value& target : value["targets"].items()) {
    branch.targets.push_back({target["pc"].small_count(), target["threads"].count()});
  }
  return branch;
}

ProfileRow row_of(const Value& value, const std::vector<std::string>& causes) {
  ProfileRow row;
  row.pc = value["pc"].small_count();
  row.line = value["line"].small_count();
  row.text = value["text"].text();
  if (value.has("source")) {
    const Value source = value["source"];
    row.source = ProfileSource{source["file"].text(), source["line"].small_count(), source["text"].text()};
  }
  row.executions = value["executions"].count();
  row.threads = value["threads"].count();
  row.lost_lanes = value["lost_lanes"].count();
  row.stalls = counts_by_cause(value["stalls"], causes);
  if (value.has("branch")) row.branch = branch_of(value["branch"]);
  if (value.has("memory")) {
    const Value memory = value["memory"];
    row.memory = ProfileMemory{memory["space"].text(), memory["cache"].text(),   memory["lines"].count(),
                               memory["hits"].count(), memory["misses"].count(), memory["merges"].count()};
  }
  return row;
}

Profile profile_of(const Value& value) {
  Profile profile;
  profile.program = value["program"].text();
  profile.lanes = value["lanes"].small_count();
  if (profile.lanes == 0) value["lanes"].refuse("an instruction has one lane at least");
  for (const Value& cause : value["causes"].items()) profile.causes.push_back(cause.text());
  profile.stalls_of_no_warp = counts_by_cause(value["stalls_of_no_warp"], profile.causes);
  for (const Value& row : value["instructions"].items()) profile.instructions.push_back(row_of(row, profile.causes));
  return profile;
}

/// The line and column of the first character that is not JSON.
SourceLocation place_of(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, offset);
  const auto line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  const std::size_t begin = before.rfind('\n');
  const std::size_t column = before.size() - (begin == std::string_view::npos ? 0 : begin + 1) + 1;
  return {file, line, static_cast<std::uint32_t>(column)};
}

json::value parse(std::string_view text, const std::string& file) {
  json::stream_parser parser;
  boost::system::error_code error;
  const std::size_t read = parser.write_some(text, error);
  if (!error && (!parser.done() || read != text.size())) error = json::error::incomplete;
  if (error) {
    throw InputError(place_of(text, read, file), fmt::format("this is no JSON: {}", error.message()),
                     "give a folder that `reconverge run` has written");
  }
  return parser.release();
}

}  // namespace

std::vector<ProfiledLaunch> parse_profiles(std::string_view text, const std::string& file) {
  const json::value parsed = parse(text, file);
  const Value document(parsed, file, {});
  const std::string format = document["format"].text();
  const bool traces = format == "reconverge report";
  if (!traces && format != "reconverge launch report") document["format"].refuse("this is no report of a run");
  if (const std::uint64_t version = document["schema_version"].count(); version != schema_version) {
    document["schema_version"].refuse(
        fmt::format("the report has version {}, this program reads {}", version, schema_version));
  }
  std::vector<ProfiledLaunch> profiles;
  for (const Value& launch : document[traces ? "stages" : "launches"].items()) {
    if (!launch.has("profile")) continue;
    profiles.push_back({launch["name"].text(), launch["kernel"].text(), profile_of(launch["profile"])});
  }
  return profiles;
}

std::vector<ProfiledLaunch> read_profiles(const fs::path& folder) {
  const fs::path path = folder / "report.json";
  const std::string file = shown_path(path);
  std::error_code ignored;
  std::ifstream stream(path, std::ios::binary);
  if (!stream || !fs::is_regular_file(path, ignored)) {
    throw InputError({file, 0, 0}, "cannot be read", "give the folder of a report, as `reconverge run` writes it");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  std::vector<ProfiledLaunch> profiles = parse_profiles(text, file);
  if (profiles.empty()) {
    throw InputError({file, 0, 0}, "the report has no profile", "run the experiment again with --profile");
  }
  return profiles;
}

}  // namespace reconverge::report
