// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/sweep/batch.hpp"
#include "platforms/cli/sweep/sweep_run.hpp"

namespace reconverge::cli {

namespace {

void add_slurm_options(CLI::App& command, SlurmOptions& options) {
  command.add_option("--slurm-option", options.options, "Option for sbatch, such as --partition=long; can be repeated")
      ->allow_extra_args(false)
      ->type_name("OPTION");
  command.add_option("--batch", options.batch, "Points of a task of the job array; chosen by their time if not given")
      ->check(CLI::Range(1, 100'000))
      ->type_name("N");
  command.add_option("--poll", options.poll_milliseconds, "Milliseconds between two questions to Slurm's controller")
      ->check(CLI::Range(100, 3'600'000))
      ->capture_default_str()
      ->type_name("MS");
  command
      .add_option("--lease", options.lease_seconds,
                  "Seconds without a sign of life after which a point of a lost job runs again")
      ->check(CLI::Range(5, 86'400))
      ->capture_default_str()
      ->type_name("S");
  command.add_flag("--detach", options.detach, "Submit to Slurm and end; the same command later collects the results");
}

/// What a task of a job array runs.
void add_batch(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("sweep-batch", "Run one batch of a sweep, as a task of a cluster's job array");
  struct Options {
    std::string folder;
    int generation = 0;
    std::size_t index = 0;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("FOLDER", options->folder, "Folder of the sweep")->required();
  command->add_option("GENERATION", options->generation, "Number of the submission")->required();
  command->add_option("INDEX", options->index, "Number of the batch")->required();
  command->group("");  // not for users
  command->callback([options, &chosen] {
    chosen = [options] { return run_batch(options->folder, options->generation, options->index); };
  });
}

}  // namespace

void add_sweep(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a design space, on this host or on a cluster, into a store of results");
  const auto options = std::make_shared<SweepOptions>();
  command
      ->add_option("FILE", options->space.files,
                   "Design space (docs/sweeps.md), or experiments; each is run under every setting")
      ->required();
  add_set_option(*command, options->space.overrides);
  add_sweep_option(*command, options->space.sweeps);
  add_plugin_option(*command, options->each.plugins);
  command->add_option("--out", options->folder, "Folder of the store")
      ->required()
      ->check(output_place())
      ->type_name("DIR");
  command->add_option("--engine", options->engine, "Where points run")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  add_jobs_option(*command, options->jobs, "Points at a time of the local engine, one core each");
  command->add_flag("--keep-reports", options->each.keep_reports, "Keep the report of each point, in reports/DIGEST");
  command->add_flag("--retry", options->retry, "Run points again that failed");
  command->add_flag("--list", options->list, "Check and print all points with their digests, and run nothing");
  add_limit_options(*command, options->each.limits);
  add_slurm_options(*command, options->slurm);
  add_quiet_and_json(*command, options->quiet, options->json, "Print the numbers of points as JSON");
  command->footer(
      "Examples:\n"
      "  reconverge sweep yaml/sweeps/collatz.yaml --out out/collatz-space\n"
      "  reconverge sweep yaml/sweeps/collatz.yaml --out out/collatz-space --list\n"
      "  reconverge sweep space.yaml --out /shared/space --engine slurm --slurm-option=--partition=long\n"
      "A point with a result in the store is not run again: the same command continues a sweep that was stopped.");
  command->callback([options, &chosen] { chosen = [options] { return run_sweep(*options); }; });
  add_batch(app, chosen);
}

}  // namespace reconverge::cli
