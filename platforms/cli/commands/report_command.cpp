// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/figure_columns.hpp"
#include "platforms/page/document.hpp"
#include "platforms/page/page_size.hpp"
#include "platforms/page/run.hpp"
#include "platforms/page/sweep/sweep_page.hpp"
#include "platforms/page/sweep/sweep_results.hpp"
#include "platforms/page/sweep/sweep_size.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/sweep/store.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> folders;
  std::vector<std::string> traces;
  std::string out;
  std::string title;
  bool force = false;
};

/// Next to the first folder or store, with its name.
fs::path page_file(const ReportOptions& options) {
  if (!options.out.empty()) return options.out;
  fs::path folder = options.folders.front();
  if (!folder.has_filename()) folder = folder.parent_path();  // if the path ends with a slash
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored) && page::is_sweep(folder)) folder.replace_extension();
  const fs::path name = folder.filename();
  if (name == "." || name == ".." || name.empty()) return "report.html";
  return folder.parent_path() / (name.string() + ".html");
}

/// A report's folder holds only what its manifest names.
void refuse_within(const fs::path& file, const std::vector<page::Run>& runs) {
  const fs::path place = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const page::Run& run : runs) {
    std::error_code error;  // a missing folder is not one of them
    if (fs::equivalent(place, run.folder, error))
      throw InputError({file.generic_string(), 0, 0}, "this is in the folder of a report",
                       "give --out a file outside of it");
  }
}

/// A failed run has a row in the table of several runs, but no report.
std::vector<fs::path> folders_with_reports(const std::vector<std::string>& given) {
  std::vector<fs::path> folders;
  std::vector<std::string> without;
  for (const std::string& each : given) {
    for (const fs::path& folder : page::report_folders(each)) {
      std::error_code ignored;
      if (fs::exists(folder / "report.json", ignored)) {
        folders.push_back(folder);
      } else {
        without.push_back(
            fmt::format("{}: there is no report.json, so the page is without this run", folder.generic_string()));
      }
    }
  }
  if (folders.empty()) throw InputError({given.front(), 0, 0}, "no run has a report", "run the experiments again");
  warn(without);
  return folders;
}

std::vector<page::Run> read_runs(const ReportOptions& options) {
  const std::vector<fs::path> folders = folders_with_reports(options.folders);
  const page::PageInput input = page::page_input(folders, options.traces);
  page::check_page_input(input);
  tell_large(page::memory_need(input));
  std::vector<page::Run> runs;
  runs.reserve(folders.size());
  for (const fs::path& folder : folders) runs.push_back(page::read_run(folder));
  for (const std::string& trace : options.traces) page::read_trace(runs, trace);
  return runs;
}

std::string title_of(const ReportOptions& options, const std::vector<page::Run>& runs) {
  if (!options.title.empty()) return options.title;
  if (runs.size() == 1) return runs.front().name;
  return fmt::format("{} and {} more", runs.front().name, runs.size() - 1);
}

page::FigureMeanings figure_meanings() {
  page::FigureMeanings meanings;
  for (const FigureColumn& figure : known_columns()) meanings[figure.name] = {figure.unit, figure.text};
  return meanings;
}

void refuse_more_than_a_store(const ReportOptions& options) {
  if (options.folders.size() > 1)
    throw InputError({}, "the page of a sweep shows one store, without other stores or reports",
                     "give the sweep in one command, and the rest in another");
  if (!options.traces.empty())
    throw InputError({options.traces.front()}, "the page of a sweep shows no trace",
                     "give the trace with the folder of its report");
}

/// After the folder of the sweep, or a store with a name that the user gave.
std::string sweep_title(const ReportOptions& options) {
  if (!options.title.empty()) return options.title;
  const fs::path place = fs::absolute(options.folders.front());
  const std::string name = place.filename() == sweep::store_name ? page::last_name(place.parent_path())
                                                                 : page::last_name(fs::path(place).replace_extension());
  return "Sweep " + name;
}

ExitCode write_sweep_page(const ReportOptions& options) {
  refuse_more_than_a_store(options);
  const fs::path store = options.folders.front();
  const page::SweepResults results = page::read_sweep(store);
  const fs::path file = page_file(options);
  const std::string page = page::sweep_page(results, sweep_title(options), figure_meanings());
  page::check_page_size(page, page::most_page, page::smaller_sweep);
  report::write_file(file, page::page_kind, options.force, page);
  print_formatted("Page in {}: {} of {} {}\n", file.generic_string(), results.rows(), results.points,
                  results.points == 1 ? "point" : "points");
  return ExitCode::success;
}

ExitCode write_page(const ReportOptions& options) {
  if (std::ranges::any_of(options.folders, [](const std::string& place) { return page::is_sweep(place); }))
    return write_sweep_page(options);
  const std::vector<page::Run> runs = read_runs(options);
  const fs::path file = page_file(options);
  refuse_within(file, runs);
  const std::string page = page::html_page(runs, title_of(options, runs), fs::absolute(file).parent_path());
  page::check_page_size(page);
  report::write_file(file, page::page_kind, options.force, page);
  print_formatted("Page in {}: {} {}\n", file.generic_string(), runs.size(), runs.size() == 1 ? "run" : "runs");
  return ExitCode::success;
}

}  // namespace

void add_report(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("report", "Make one HTML page of the reports of runs, or of a sweep");
  const auto options = std::make_shared<ReportOptions>();
  command
      ->add_option("OUT", options->folders,
                   "Folders of reports, or of several runs; or the folder or store (*.sqlite) of one sweep")
      ->required();
  command
      ->add_option("--trace", options->traces,
                   "Trace of one of these runs, from run --trace: shows its warps over cycles. Can be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--out", options->out, "File to write; if not given, next to the first folder, under its name")
      ->check(output_place())
      ->type_name("FILE.html");
  command->add_option("--title", options->title, "Heading of the page instead of the names of the runs")
      ->type_name("TEXT");
  add_force_option(*command, options->force);
  command->footer(
      "Examples:\n"
      "  reconverge report out/conference\n"
      "  reconverge report out/saxpy --trace saxpy.pftrace\n"
      "  reconverge report out/simulated_software out/simulated_shuffling --out drs.html --title 'Ray shuffling'\n"
      "  reconverge report out/conference-sweep\n"
      "  reconverge report out/caches/sweep.sqlite --out caches.html");
  command->callback([options, &chosen] { chosen = [options] { return write_page(*options); }; });
}

}  // namespace reconverge::cli
