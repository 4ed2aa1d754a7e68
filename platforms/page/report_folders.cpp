// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <system_error>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/page/run.hpp"

namespace reconverge::page {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view table_name = "runs.csv";
constexpr std::string_view table_begin = "folder,";

/// The first field of a CSV line; quoted, it may hold commas and doubled quotes.
std::string first_field(std::string_view line) {
  if (!line.starts_with('"')) return std::string(line.substr(0, line.find(',')));
  std::string field;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '"' && line.substr(i, 2) != "\"\"") break;
    if (line[i] == '"') ++i;
    field += line[i];
  }
  return field;
}

std::vector<fs::path> folders_of_table(const fs::path& folder) {
  const fs::path file = folder / table_name;
  std::istringstream stream(read_input(file, input::report));
  std::string line;
  if (!std::getline(stream, line) || !line.starts_with(table_begin))
    throw InputError({file.generic_string(), 1, 1}, "this is no table of runs",
                     "give the folders of the reports themselves");
  std::vector<fs::path> folders;
  for (std::uint32_t number = 2; std::getline(stream, line); ++number) {
    const fs::path name = first_field(line);
    if (name.empty() || name.is_absolute() || std::ranges::find(name, fs::path("..")) != name.end())
      throw InputError({file.generic_string(), number, 1}, "this names no folder below the table's own");
    folders.push_back(folder / name);
  }
  return folders;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Decodes the settings in a folder's name, which `run` encodes as in a web form: `+` is a space, `%XX` a character.
std::string decoded(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool coded =
        name[i] == '%' && i + 2 < name.size() && hex_digit(name[i + 1]) >= 0 && hex_digit(name[i + 2]) >= 0;
    if (coded) {
      text += static_cast<char>(16 * hex_digit(name[i + 1]) + hex_digit(name[i + 2]));
      i += 2;
    } else {
      text += name[i] == '+' ? ' ' : name[i];
    }
  }
  return text;
}

}  // namespace

std::string last_name(const fs::path& path) {
  const fs::path normal = (path.empty() ? path : fs::absolute(path)).lexically_normal();
  return (normal.has_filename() ? normal : normal.parent_path()).filename().generic_string();
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<fs::path> report_folders(const fs::path& folder) {
  const std::string name = folder.generic_string();
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    throw InputError({name, 0, 0}, is_there(folder) ? "this is no folder" : "there is no such folder",
                     "give the folder of a report, as `reconverge run` names it");
  if (is_there(folder / "report.json")) return {folder};
  if (is_there(folder / table_name)) return folders_of_table(folder);
  throw InputError({name, 0, 0}, fmt::format("there is neither report.json nor {} in it", table_name),
                   "give the folder of a report, as `reconverge run` names it");
}

std::vector<std::string> distinct_names(const std::vector<Run>& runs) {
  std::map<std::string, std::size_t> experiments;
  for (const Run& run : runs) ++experiments[run.name];
  std::vector<std::string> names;
  std::map<std::string, std::size_t> uses;
  for (const Run& run : runs) {
    std::string name = run.name;
    if (experiments[name] > 1) {
      const std::string folder = decoded(last_name(run.folder));
      if (folder != name) name += fmt::format(" ({})", folder);
    }
    const std::size_t use = ++uses[name];
    names.push_back(use == 1 ? name : fmt::format("{} #{}", name, use));
  }
  return names;
}

}  // namespace reconverge::page
