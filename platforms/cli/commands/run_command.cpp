// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/team.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/experiment_list.hpp"
#include "platforms/cli/run/several_runs.hpp"
#include "platforms/cli/run/single_run.hpp"

namespace reconverge::cli {

namespace {

ExitCode run_one(const SeveralRunsOptions& options) {
  RunOptions run = options.each;
  run.experiment.file = options.files.front();
  const RunDisplay display{terminal_sink(run.quiet)};
  if (!options.columns.empty()) {
    throw InputError({"--columns " + options.columns}, "there is one run, and no table of several",
                     "its report has all figures");
  }
  if (!options.dump_config) return options.resume ? run_unless_done(run, display) : run_experiment(run, display);
  print(configuration::dump(load_experiment(run.experiment).configuration));
  return ExitCode::success;
}

/// Options that are shorthands for parameters.
struct RecordingOptions {
  bool profile = false;
  std::uint64_t interval = 0;
};

void add_recording_options(CLI::App& command, RecordingOptions& options) {
  command.add_flag("--profile", options.profile,
                   "Count by instruction, for `reconverge profile`; the same as --set profile=true");
  command
      .add_option("--interval", options.interval,
                  "Record a timeline with intervals of this many cycles; the same as --set timeline='N cycles'")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("CYCLES");
}

SeveralRunsOptions with_recording(SeveralRunsOptions options, const RecordingOptions& recording) {
  std::vector<std::string>& overrides = options.each.experiment.overrides;
  if (recording.profile) overrides.emplace_back("profile=true");
  if (recording.interval != 0) overrides.push_back(fmt::format("timeline={} cycles", recording.interval));
  return options;
}

ExitCode run(SeveralRunsOptions options) {
  const std::size_t given = options.files.size();
  ExpandedFiles expanded = expand_plain_lists(options.files);
  options.files = std::move(expanded.files);
  options.sweeps = joined_sweeps(expanded.sweeps, options.sweeps, options.each.experiment.overrides, options.kinds());
  const bool single = given == 1 && options.files.size() == 1 && options.sweeps.empty();
  if (!single && options.each.recordings.any()) {
    throw InputError({}, "--wave, --trace and --log show one run, and these are several",
                     "name one experiment, without --sweep");
  }
  if (!single && options.each.checkpoint.any()) {
    throw InputError({}, "--checkpoint and --from are for one run, and these are several",
                     "name one experiment, without --sweep");
  }
  options.each.threads = options.threads.value_or(single ? host_cores() : 1);
  return single ? run_one(options) : run_several(options);
}

void add_checkpoint_options(CLI::App& command, CheckpointOptions& options) {
  CLI::Option* const to = command.add_option(
      "--checkpoint", options.to,
      "Store the run in this file after each launch, so that --from can continue it (docs/checkpoint.md)");
  to->excludes("--resume")->check(output_place())->type_name("FILE");
  command
      .add_option("--every", options.every,
                  "Launches after which --from can continue: those whose number is a multiple; 1 if not given")
      ->check(CLI::Range(1, 1'000'000'000))
      ->needs(to)
      ->type_name("N");
  CLI::Option* const from =
      command.add_option("--from", options.from, "Continue a run that --checkpoint stored, with the same report");
  from->check(CLI::ExistingFile)->type_name("FILE");
  // These would lack the launches that are not run again.
  for (const char* const other : {"--resume", "--wave", "--trace", "--log"}) from->excludes(other);
}

}  // namespace

void add_run(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("run", "Run experiments and write their reports");
  const auto options = std::make_shared<SeveralRunsOptions>();
  RunOptions& each = options->each;
  command
      ->add_option("FILE", options->files,
                   "Experiment files, e.g. yaml/experiments/conference.yaml, or files that list some")
      ->required();
  add_set_option(*command, each.experiment.overrides);
  add_plugin_option(*command, each.experiment.plugins);
  const auto recording = std::make_shared<RecordingOptions>();
  add_recording_options(*command, *recording);
  command
      ->add_option(
          "--source-root", each.source_roots,
          "Folder of source files that a profile may quote, in addition to the folder of their PTX; can be repeated")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  add_sweep_option(*command, options->sweeps);
  command
      ->add_option("--columns", options->columns,
                   "Figures in the table of several runs, with commas between; reconverge list figures shows all")
      ->type_name("FIGURE,FIGURE");
  add_jobs_option(*command, options->jobs, "Runs at a time, each on its own core");
  command
      ->add_option("--threads", options->threads,
                   "Threads of each run, with the same results; all cores for one run, one each for several, if not "
                   "given")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command
      ->add_option("--out", each.folder,
                   "Folder of the report, out/<name> if not given; of several runs: of the table and all reports")
      ->check(output_place())
      ->type_name("DIR");
  command->add_flag("--force", each.force,
                    "Replace files that no earlier report wrote, and write into a folder with other files");
  command->add_flag("--resume", options->resume,
                    "Keep existing reports that are complete and of this program, and run only the rest");
  command->add_flag("--dump-config", options->dump_config,
                    "Print every parameter with the origin of its value, and do not run. Load it from this folder");
  add_limit_options(*command, each.limits);
  add_quiet_and_json(*command, each.quiet, each.json,
                     "Print report.json, or of several runs one document, and nothing else")
      ->excludes("--dump-config");
  add_recorded_files(*command, each.recordings);
  // These options apply to a single run.
  for (const char* const option : {"--wave", "--trace", "--log"}) command->get_option(option)->excludes("--resume");
  add_checkpoint_options(*command, each.checkpoint);
  command->footer(
      "Examples:\n"
      "  reconverge run yaml/experiments/conference.yaml\n"
      "  reconverge run yaml/experiments/saxpy.yaml --set machine=functional\n"
      "  reconverge run yaml/experiments/collatz.yaml --profile --interval 1000\n"
      "  reconverge run yaml/experiments/conference.yaml --set workload.width=64 --set workload.height=48\n"
      "  reconverge run yaml/experiments/conference.yaml --set gpu.sm.scheme=mimd --out out/mimd\n"
      "  reconverge run yaml/experiments/conference.yaml --dump-config >effective.yaml\n"
      "  reconverge run yaml/experiments/conference.yaml --max-cycles 1000000 --max-seconds 60\n"
      "  reconverge run yaml/experiments/conference.yaml --checkpoint long.checkpoint\n"
      "  reconverge run yaml/experiments/conference.yaml --from long.checkpoint\n"
      "  reconverge run yaml/experiments/conference.yaml yaml/experiments/conference_mimd.yaml\n"
      "  reconverge run yaml/experiments/drs.yaml --sweep workload.scene=conference,forest --resume\n"
      "  reconverge run yaml/experiments/conference.yaml --sweep gpu.sms=1,5,15 --sweep gpu.sm.warp_slots=16,64\n"
      "  reconverge run yaml/experiments/collatz.yaml --log collatz.log --log-window 0:1999\n"
      "  reconverge run yaml/experiments/saxpy.yaml --sweep gpu.sms=1,2,4 --columns cycles,speedup,slots_memory\n"
      "Ctrl-C stops the run and writes what there is, marked partial; a second Ctrl-C ends the program at once.");
  command->callback([options, recording, &chosen] {
    chosen = [options, recording] { return run(with_recording(*options, *recording)); };
  });
}

}  // namespace reconverge::cli
