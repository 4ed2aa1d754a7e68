// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/reproduce/reproduction_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <map>
#include <set>

#include "models/core/team.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/reproduce/measurements.hpp"
#include "platforms/cli/reproduce/page_result.hpp"
#include "platforms/cli/sweep/engine.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;
using reproduction::GroupRun;
using reproduction::Page;
using reproduction::RunGroup;
using reproduction::Scale;

constexpr std::string_view input_mark = "input:";

bool has_query(const std::string& text) { return text.find("{{") != std::string::npos; }

fs::path page_folder() { return page_root() / "yaml" / "reproduction"; }

Scale scale_of(const std::string& name) {
  return name == "exact" ? Scale::exact : name == "quick" ? Scale::quick : Scale::full;
}

std::vector<Page> pages_of(const std::vector<std::string>& names, Scale scale) {
  std::vector<Page> pages;
  for (const std::string& name : names) pages.push_back(reproduction::read_page(page_folder(), name, scale));
  return pages;
}

class Reproduction {
 public:
  /// `options`: with an absolute folder, which messages call `shown_folder`.
  Reproduction(const ReproductionOptions& options, std::string shown_folder)
      : options_(options),
        shown_folder_(std::move(shown_folder)),
        scale_(scale_of(options.scale)),
        sink_(terminal_sink(options.quiet || options.json)),
        pages_(pages_of(options.pages.empty() ? page_names() : options.pages, scale_)),
        folder_(options.folder),
        place_{folder_.path(), [this] { return guard().requested(); }, [this](const std::string& text) { say(text); }} {
  }

  ExitCode run() {
    if (scale_ != Scale::exact) {
      for (const Page& page : pages_) make_inputs(page, place_);
      // Settings with queries need the results of the other runs.
      for (const bool with_queries : {false, true}) {
        plan(with_queries);
        simulate();
        if (interrupted_) return ExitCode::interrupted;
      }
    }
    std::vector<PageResult> results;
    for (const Page& page : pages_) {
      const auto measurements = measure(page, place_);
      if (guard().requested()) return ExitCode::interrupted;
      results.push_back(result_of(page, measurements));
      for (const reproduction::Document& document : results.back().documents)
        folder_.write_alone({document.name, document.text});
    }
    folder_.write_alone({"summary.md", reproduction::summary_of(pages_, folder_.path())});
    print_results(results);
    if (failure_ != ExitCode::success) return failure_;
    const bool is_wrong = std::ranges::any_of(results, [](const PageResult& result) { return result.exact_outside; });
    return is_wrong ? ExitCode::check_failed : ExitCode::success;
  }

 private:
  /// Outside a session of runs, which has a guard itself.
  const InterruptGuard& guard() {
    if (!guard_) guard_.emplace();
    return *guard_;
  }

  void say(const std::string& text) const {
    if (!options_.quiet && !options_.json) print(text + '\n');
  }

  sweep::Store store() const { return sweep::Store(folder_.path() / sweep::store_name); }

  void plan(bool with_queries) {
    points_.clear();
    std::set<std::string> known;
    for (const Page& page : pages_) {
      for (const RunGroup& group : page.runs) {
        const bool has_queries = std::ranges::any_of(group.settings, has_query);
        if (!group.selected || has_queries != with_queries) continue;
        if (!group.missing.empty()) {
          say(fmt::format("{}: the runs {} are skipped, because there is no {}", page.name, group.name, group.missing));
          continue;
        }
        for (sweep::Point& point : points_of(page, group)) {
          GroupRun& run = runs_[page.name].emplace_back(GroupRun{group.name, point.digest, {}});
          std::ranges::copy_if(point.settings, std::back_inserter(run.settings), &sweep::Setting::swept);
          if (known.insert(point.digest).second) points_.push_back(std::move(point));
        }
      }
    }
  }

  std::vector<sweep::Point> points_of(const Page& page, const RunGroup& group) {
    SpaceOptions space;
    for (const std::string& file : group.experiments) {
      space.files.push_back(with_input(file));
      if (std::error_code error; fs::exists(space.files.back(), error)) continue;
      say(fmt::format("{}: the runs {} are skipped, because there is no {}", page.name, group.name, file));
      return {};
    }
    space.sweeps = group.sweeps;
    for (const std::string& setting : group.settings) {
      const std::size_t value = setting.find('=') + 1;
      const std::string text = answered(page, group, setting.substr(value));
      if (text == "-" && has_query(setting)) {
        say(fmt::format("{}: the runs {} are skipped, because a setting needs runs that are missing", page.name,
                        group.name));
        return {};
      }
      space.overrides.push_back(setting.substr(0, value) + with_input(text));
    }
    space.overrides.insert(space.overrides.end(), options_.overrides.begin(), options_.overrides.end());
    try {
      return plan_sweep(space, options_.each, sink_);
    } catch (const InputError& error) {
      throw InputError(group.location, fmt::format("runs {}: {}", group.name, error.what()));
    }
  }

  std::string with_input(const std::string& text) const {
    if (!text.starts_with(input_mark)) return text;
    return (fs::absolute(folder_.path()) / "inputs" / text.substr(input_mark.size())).generic_string();
  }

  /// A setting with the answers of its queries.
  std::string answered(const Page& page, const RunGroup& group, const std::string& text) {
    if (!has_query(text)) return text;
    sweep::Database database = sweep::open_to_read(folder_.path());
    const reproduction::Figures figures(database, page, runs_[page.name], {});
    return reproduction::filled(text, group.location, figures.asking());
  }

  void simulate() {
    if (points_.empty()) return;
    guard_.reset();
    sweep::Store results = store();
    results.show(points_);
    SweepSession session(points_, results, options_.each, sink_, !options_.quiet && !options_.json);
    local_engine(options_.folder, options_.jobs.value_or(host_cores()))->run(session);
    interrupted_ = session.interrupt().requested();
    for (const sweep::Point& point : points_) {
      const auto end = results.end_of(point.digest);
      if (!end || end->status == "ok" || interrupted_) continue;
      say(fmt::format("{}: {}: {}", end->status, label_of(point), end->message));
      if (failure_ == ExitCode::success) failure_ = static_cast<ExitCode>(end->exit_code);
    }
  }

  PageResult result_of(const Page& page, const std::vector<reproduction::Measurement>& measurements) {
    store();  // without runs, the queries need its tables
    sweep::Database database = sweep::open_to_read(folder_.path());
    const reproduction::Figures figures(database, page, runs_[page.name], measurements);
    return cli::result_of(page, figures, scale_);
  }

  void print_results(const std::vector<PageResult>& results) const {
    if (options_.json) {
      boost::json::object all;
      for (const PageResult& result : results) all[result.name] = boost::json::parse(result.documents.at(1).text);
      print(configuration::pretty(all));
      return;
    }
    if (options_.quiet) return;
    print(text_of(results, options_.scale));
    print_formatted("Pages, figures and plots are in {0}; its runs: reconverge query {0}\n", shown_folder_);
  }

  const ReproductionOptions& options_;
  std::string shown_folder_;
  Scale scale_;
  ProgressSink sink_;
  std::vector<Page> pages_;
  report::OutputFolder folder_;
  MeasuringPlace place_;
  std::optional<InterruptGuard> guard_;
  std::vector<sweep::Point> points_;
  std::map<std::string, std::vector<GroupRun>> runs_;  ///< of each page
  bool interrupted_ = false;
  ExitCode failure_ = ExitCode::success;
};

}  // namespace

std::vector<std::string> page_names() { return {"drs", "dmk", "si", "stream", "mpp", "silicon"}; }

ExitCode reproduce(const ReproductionOptions& options) {
  if (!options.summary.empty()) {
    const std::vector<Page> pages = pages_of(page_names(), Scale::exact);
    print(reproduction::summary_of(pages, options.summary));
    return ExitCode::success;
  }
  ReproductionOptions used = options;
  used.folder = fs::absolute(options.folder).generic_string();
  // Experiments name some scenes relative to the top of the sources.
  fs::current_path(page_root());
  return Reproduction(used, options.folder).run();
}

}  // namespace reconverge::cli
