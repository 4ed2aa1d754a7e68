// SPDX-License-Identifier: Apache-2.0
// Commands for scripts, which --help does not show: `complete` for shells, `man-pages` for the build.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/commands/known_values.hpp"
#include "platforms/cli/description/man_page.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

constexpr report::FileKind man_page_kind{"a man page", ".TH RECONVERGE"};

ExitCode write_man_pages(const CLI::App& app, const std::string& out) {
  const report::BuildInfo build = report::build_info();
  const std::string version = fmt::format("Reconverge {}", build.version);
  const report::OutputFolder folder(out);
  for (const ManPage& page : man_pages(describe(app), {build.release_date, version})) {
    report::write_file(folder.path() / page.file, man_page_kind, false, page.text);
  }
  return ExitCode::success;
}

}  // namespace

std::optional<Command> completion(const CLI::App& app, std::span<char* const> words) {
  if (words.empty() || std::string_view(words.front()) != "complete") return std::nullopt;
  return [&app, begun = std::vector<std::string>(words.begin() + 1, words.end())] {
    print(to_text(complete(describe(app), begun, known_values)));
    return ExitCode::success;
  };
}

void add_man_pages(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("man-pages", "Write a man page for each command");
  command->group("");
  const auto out = std::make_shared<std::string>();
  command->add_option("--out", *out, "Folder to write to")->required()->check(output_place())->type_name("FOLDER");
  command->callback([&app, out, &chosen] { chosen = [&app, out] { return write_man_pages(app, *out); }; });
}

}  // namespace reconverge::cli
