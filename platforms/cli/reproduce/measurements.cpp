// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/reproduce/measurements.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <charconv>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "platforms/compile/child_process.hpp"
#include "platforms/host/installation.hpp"
#include "platforms/report/format/json_place.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;
using reproduction::Measurement;
using reproduction::MeasuringCommand;
using reproduction::Page;

// Exit codes of env without the program, and of scripts without a program that they need.
constexpr int not_found = 127;
constexpr int skipped = 77;

/// Also if the file is replaced while this program runs.
const fs::path& own_program() {
  static const fs::path program = fs::read_symlink("/proc/self/exe");
  return program;
}

std::string in_folder(std::string word, const fs::path& folder) {
  constexpr std::string_view mark = "{out}";
  for (std::size_t at = word.find(mark); at != std::string::npos; at = word.find(mark))
    word.replace(at, mark.size(), folder.generic_string());
  return word;
}

/// Test programs of the build that this program is part of.
std::map<std::string, fs::path> test_programs() {
  std::map<std::string, fs::path> programs;
  const fs::path tests = own_program().parent_path().parent_path() / "tests";
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(tests, error)) {
    const std::string name = entry.path().filename().generic_string();
    if (name.starts_with("test_") && entry.path().extension().empty() && entry.is_regular_file(error))
      programs.emplace(name.substr(5), entry.path());
  }
  return programs;
}

std::string text_of_file(const fs::path& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError({file.generic_string()}, "the file is missing that a command of a page should write");
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Measuring {
 public:
  Measuring(const Page& page, const MeasuringPlace& place) : page_(page), place_(place) {}

  std::vector<Measurement> all() {
    const auto programs = page_.tests.empty() ? std::map<std::string, fs::path>() : test_programs();
    std::size_t missing = 0;
    for (const reproduction::KnownResult& test : page_.tests) {
      const auto program = programs.find(test.program);
      if (program == programs.end()) {
        ++missing;
        continue;
      }
      const auto result = compile::run_child({program->second.generic_string(), "--warn", "NoTests", test.test_case},
                                             place_.interrupted, compile::Messages::captured);
      if (result && !result->stopped) found_.push_back({test.name, "passed", result->exit_code == 0 ? 1.0 : 0.0});
    }
    if (missing != 0)
      place_.say(fmt::format("{}: {} results known on paper are not checked: their tests are built with the sources",
                             page_.name, missing));
    for (const MeasuringCommand& command : page_.commands) run(command);
    return std::move(found_);
  }

  /// The output of a command in the folder of the sources; nothing if its program is missing.
  std::optional<std::string> output_of(const std::string& name, const std::vector<std::string>& given,
                                       const fs::path& out) const {
    std::vector<std::string> words{"env", "--chdir=" + page_root().generic_string()};
    for (const std::string& word : given)
      words.push_back(word == "reconverge" ? fs::read_symlink("/proc/self/exe").generic_string()
                                           : in_folder(word, out));
    const auto result = compile::run_child(words, place_.interrupted, compile::Messages::captured);
    if (!result || result->exit_code == not_found || result->exit_code == skipped) {
      place_.say(fmt::format("{}: not measured: {}, because `{}` or a program that it needs is missing", page_.name,
                             name, given.front()));
      return std::nullopt;
    }
    if (result->stopped) return std::nullopt;
    if (result->exit_code != 0)
      throw InputError({page_.file}, fmt::format("`{}` ended with exit code {}: {}", fmt::join(given, " "),
                                                 result->exit_code, result->messages));
    return result->output;
  }

 private:
  void run(const MeasuringCommand& command) {
    const fs::path out = fs::absolute(place_.folder / "commands" / page_.name / command.name);
    fs::create_directories(out);
    const auto output = output_of(command.name, command.words, out);
    if (!output) return;
    if (!command.json.empty()) {
      const std::string file = (out / command.json).generic_string();
      const boost::json::value document =
          report::parse_json(command.json == "-" ? *output : text_of_file(out / command.json), file);
      add_numbers(command.name, document, {});
    }
    if (!command.pattern.empty()) add_matches(command, *output);
    for (const auto& [name, pattern] : command.occurring) {
      const std::regex expression(pattern);
      const auto count = std::distance(std::sregex_iterator(output->begin(), output->end(), expression), {});
      found_.push_back({command.name, name, static_cast<double>(count)});
    }
  }

  void add_numbers(const std::string& source, const boost::json::value& value, const std::string& path) {
    if (value.is_number()) found_.push_back({source, path, value.to_number<double>()});
    if (value.is_array()) {
      for (const boost::json::value& item : value.as_array()) add_named(source, item);
    }
    if (!value.is_object()) return;
    for (const auto& [key, member] : value.as_object())
      add_numbers(source, member, path.empty() ? std::string(key) : fmt::format("{}.{}", path, std::string_view(key)));
  }

  /// An item of a list, `{"name": ..., "value": ...}`.
  void add_named(const std::string& source, const boost::json::value& item) {
    if (!item.is_object()) return;
    const boost::json::value* name = item.as_object().if_contains("name");
    const boost::json::value* number = item.as_object().if_contains("value");
    if (name != nullptr && name->is_string() && number != nullptr && number->is_number())
      found_.push_back({source, std::string(name->as_string()), number->to_number<double>()});
  }

  void add_matches(const MeasuringCommand& command, const std::string& output) {
    const std::regex expression(command.pattern);
    std::size_t matches = 0;
    for (std::sregex_iterator match(output.begin(), output.end(), expression), end; match != end; ++match, ++matches) {
      if (command.names.empty()) {
        add_number(command, (*match)[1], (*match)[2]);
        continue;
      }
      for (std::size_t i = 0; i < command.names.size(); ++i) add_number(command, command.names[i], (*match)[i + 1]);
      ++matches;
      break;
    }
    if (matches == 0)
      throw InputError({page_.file}, fmt::format("the output of `{}` has nothing like `{}`",
                                                 fmt::join(command.words, " "), command.pattern));
  }

  void add_number(const MeasuringCommand& command, const std::string& name, const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      throw InputError({page_.file}, fmt::format("{}: `{}` is no number", command.name, text));
    found_.push_back({command.name, name, number});
  }

  const Page& page_;
  const MeasuringPlace& place_;
  std::vector<Measurement> found_;
};

/// Whether a run or command of the scale needs a file that the page makes.
bool needs_inputs(const Page& page) {
  const auto names_one = [](const std::string& text) {
    return text.find("input:") != std::string::npos || text.find("inputs/") != std::string::npos;
  };
  return std::ranges::any_of(page.runs,
                             [&](const reproduction::RunGroup& group) {
                               return group.selected && (std::ranges::any_of(group.experiments, names_one) ||
                                                         std::ranges::any_of(group.settings, names_one));
                             }) ||
         std::ranges::any_of(page.commands, [&](const MeasuringCommand& command) {
           return std::ranges::any_of(command.words, names_one);
         });
}

}  // namespace

// In a build folder, `yaml` is a link to the sources.
fs::path page_root() {
  own_program();
  return fs::canonical(data_folder() / "yaml").parent_path();
}

std::vector<Measurement> measure(const Page& page, const MeasuringPlace& place) { return Measuring(page, place).all(); }

void make_inputs(const Page& page, const MeasuringPlace& place) {
  if (!needs_inputs(page)) return;
  const fs::path folder = fs::absolute(place.folder / "inputs");
  if (!page.inputs.empty()) fs::create_directories(folder);
  for (const reproduction::MadeInput& input : page.inputs) {
    const auto text = Measuring(page, place).output_of(input.name, input.words, folder);
    if (!text) continue;
    std::ofstream stream(folder / input.name);
    stream << *text;
    if (!stream.flush()) throw InputError({(folder / input.name).generic_string()}, "the file cannot be written");
  }
}

}  // namespace reconverge::cli
