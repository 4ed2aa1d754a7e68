// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/commands/profile_table.hpp"
#include "platforms/cli/print.hpp"

namespace reconverge::cli {

namespace {

struct ProfileOptions {
  std::string folder;
  std::string launch;
  std::string order = "lost";
  ProfileView view;
};

ProfileOrder order_of(std::string_view word) {
  if (word == "line") return ProfileOrder::line;
  return word == "stalls" ? ProfileOrder::stalls : ProfileOrder::lost;
}

ExitCode show_profile(const ProfileOptions& options) {
  std::vector<ProfiledLaunch> launches = read_profiles(options.folder);
  if (!options.launch.empty()) {
    std::vector<std::string> names;
    for (const ProfiledLaunch& one : launches) names.push_back(one.name);
    if (std::ranges::find(names, options.launch) == names.end()) {
      const std::vector<std::string_view> known(names.begin(), names.end());
      throw InputError({}, "--launch: there is no launch '" + options.launch + "' with a profile",
                       suggest(options.launch, known));
    }
    std::erase_if(launches, [&](const ProfiledLaunch& one) { return one.name != options.launch; });
  }
  ProfileView view = options.view;
  view.order = order_of(options.order);
  for (const ProfiledLaunch& one : launches) {
    if (&one != &launches.front()) print("\n");
    print(profile_text(one, view));
  }
  return ExitCode::success;
}

}  // namespace

void add_profile(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("profile", "Show what each instruction of a run cost");
  const auto options = std::make_shared<ProfileOptions>();
  command->add_option("OUT", options->folder, "Folder of a report, of a run with --profile")->required();
  command->add_option("--launch", options->launch, "Only this launch, or stage of ray tracing")->type_name("NAME");
  command->add_option("--top", options->view.rows, "Most instructions to show for a launch; 0 for all")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000'000))
      ->type_name("N");
  command
      ->add_option("--by", options->order,
                   "Order: lost - most lanes lost first, in lost issue slots or idle in executions; stalls - most lost "
                   "issue slots first; line - as in the program")
      ->capture_default_str()
      ->check(CLI::IsMember({"lost", "stalls", "line"}))
      ->type_name("ORDER");
  command->add_flag("--text", options->view.source, "With the text of source lines");
  command->footer(
      "Examples:\n"
      "  reconverge run yaml/experiments/collatz.yaml --profile\n"
      "  reconverge profile out/collatz --top 10\n"
      "  reconverge profile out/collatz --launch collatz --by line --top 0");
  command->callback([options, &chosen] { chosen = [options] { return show_profile(*options); }; });
}

}  // namespace reconverge::cli
