#include "platforms/report/pass_figures.hpp"

#include <fmt/format.h>

#include "platforms/report/table_parts.hpp"

namespace reconverge::report {

namespace {

double all_tiles(const MultiPassStatistics& counts) {
  return real(counts.tiles) + real(counts.aborted_tiles) + real(counts.skipped_tiles);
}

}  // namespace

void add_pass_figures(const Measurement& m, std::vector<Figure>& list) {
  const auto& counts = m.totals.of<MultiPassStatistics>();
  list.push_back({"passes", "passes", "Passes over all threads.", "multi_pass.passes", real(counts.passes)});
  list.push_back({"empty_passes", "share", "Passes in which no guard passed.",
                  "multi_pass.empty_passes / multi_pass.passes",
                  ratio(real(counts.empty_passes), real(counts.passes))});
  list.push_back({"threads_a_pass", "threads", "Threads whose guard passes in a pass, on average.",
                  "multi_pass.completed / multi_pass.passes", ratio(real(counts.completed), real(counts.passes))});
  list.push_back({"aborted_tiles", "share", "Tiles in which no guard passed, of all.",
                  "aborted_tiles / (tiles + aborted_tiles + skipped_tiles) of multi_pass",
                  ratio(real(counts.aborted_tiles), all_tiles(counts))});
  list.push_back({"skipped_tiles", "share", "Tiles that were not looked at, of all.",
                  "skipped_tiles / (tiles + aborted_tiles + skipped_tiles) of multi_pass",
                  ratio(real(counts.skipped_tiles), all_tiles(counts))});
}

std::string pass_text(std::string_view name, const Measurement& m) {
  const auto& counts = m.totals.of<MultiPassStatistics>();
  return fmt::format("\n{} passes, {} of them for no thread; {} tiles aborted, {} skipped ({}: {} guards passed)\n",
                     grouped(counts.passes), percent(ratio(real(counts.empty_passes), real(counts.passes))),
                     percent(ratio(real(counts.aborted_tiles), all_tiles(counts))),
                     percent(ratio(real(counts.skipped_tiles), all_tiles(counts))), name, grouped(counts.completed));
}

}  // namespace reconverge::report
