// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/reproduce/reproduction_run.hpp"

namespace reconverge::cli {

void add_reproduce(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Run the papers' experiments and judge the claims of the papers by their figures");
  const auto options = std::make_shared<ReproductionOptions>();
  command->add_option("PAPER", options->pages, "Papers, or silicon: a comparison with real GPUs; all if not given")
      ->check(CLI::IsMember(page_names()));
  command
      ->add_option("--scale", options->scale,
                   "exact: only claims that need no experiment; quick: small experiments, ten minutes on two cores; "
                   "full: those of docs/results, hours")
      ->check(CLI::IsMember({"exact", "quick", "full"}))
      ->capture_default_str();
  add_set_option(*command, options->overrides);
  command->add_option("--out", options->folder, "Folder of the store, the pages and the plots")
      ->check(output_place())
      ->capture_default_str()
      ->type_name("DIR");
  add_jobs_option(*command, options->jobs, "Runs at a time, one core each");
  command
      ->add_option("--summary", options->summary,
                   "Print the table of README.md from the figures in DIR, and run nothing")
      ->type_name("DIR");
  add_quiet_and_json(*command, options->quiet, options->json, "Print the figures of all claims as JSON");
  command->footer(
      "Examples:\n"
      "  reconverge reproduce\n"
      "  reconverge reproduce stream mpp --scale full --out out/full\n"
      "A run that is in the store of the folder is not repeated: the same command continues one that was stopped.");
  command->callback([options, &chosen] { chosen = [options] { return reproduce(*options); }; });
}

}  // namespace reconverge::cli
