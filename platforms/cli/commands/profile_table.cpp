// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/commands/profile_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "platforms/cli/text_table.hpp"
#include "platforms/figures/text.hpp"

namespace reconverge::cli {

namespace {

constexpr std::size_t most_text = 44;
constexpr std::size_t causes_shown = 3;

std::uint64_t total(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

std::string cut(const std::string& text) {
  if (text.size() <= most_text) return text;
  std::size_t end = most_text - 3;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // do not cut a UTF-8 character
  return text.substr(0, end) + "...";
}

double share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(all);
}

/// The largest causes, with their shares: `memory 80 %, pipe 12 %`.
std::string causes_text(const std::vector<std::uint64_t>& counts, const std::vector<std::string>& names) {
  std::vector<std::size_t> causes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] != 0) causes.push_back(i);
  }
  std::ranges::stable_sort(causes, std::greater<>(), [&](std::size_t i) { return counts[i]; });
  std::string out;
  for (std::size_t i = 0; i < std::min(causes.size(), causes_shown); ++i) {
    out += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", names[causes[i]],
                       100 * share(counts[causes[i]], total(counts)));
  }
  return out;
}

/// `17 diverged; line 38: 1,445, line 45: 900`, with PTX lines.
std::string branch_text(const ProfileRow& row, const Profile& profile) {
  if (!row.branch) return {};
  std::string out;
  for (const BranchTarget& target : row.branch->targets) {
    const auto at = std::ranges::find(profile.instructions, target.pc, &ProfileRow::pc);
    const std::string place =
        at != profile.instructions.end() ? fmt::format("line {}", at->line) : fmt::format("pc {}", target.pc);
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", place, grouped(target.threads));
  }
  return row.branch->divergent == 0 ? out : fmt::format("{} diverged; {}", grouped(row.branch->divergent), out);
}

std::string hits_text(const ProfileRow& row) {
  if (!row.memory) return {};
  const std::uint64_t reads = row.memory->hits + row.memory->misses + row.memory->merges;
  return reads == 0 ? std::string() : percent(share(row.memory->hits, reads));
}

std::uint64_t weight(const ProfileRow& row, const Profile& profile, ProfileOrder order) {
  const std::uint64_t stalls = total(row.stalls);
  return order == ProfileOrder::stalls ? stalls : stalls * profile.lanes + row.lost_lanes;
}

std::vector<const ProfileRow*> rows_of(const Profile& profile, const ProfileView& view) {
  std::vector<const ProfileRow*> rows;
  for (const ProfileRow& row : profile.instructions) {
    if (row.executions != 0 || total(row.stalls) != 0) rows.push_back(&row);
  }
  if (view.order != ProfileOrder::line) {
    std::ranges::stable_sort(rows, std::greater<>(),
                             [&](const ProfileRow* row) { return weight(*row, profile, view.order); });
  }
  if (view.rows != 0 && rows.size() > view.rows) rows.resize(view.rows);
  return rows;
}

/// The line in the inlined function, followed by the calls, outermost last.
std::string place_text(const ProfileRow& row) {
  if (!row.source) return {};
  std::string text = fmt::format("{}:{}", row.source->file, row.source->line);
  for (const ProfileSource& call : row.inlined_at) text += fmt::format(" < {}:{}", call.file, call.line);
  return text;
}

std::vector<TextColumn> columns_of(const Profile& profile, const ProfileView& view) {
  const std::vector<const ProfileRow*> rows = rows_of(profile, view);
  std::vector<TextColumn> columns;
  const auto add = [&](std::string head, bool number, const std::function<std::string(const ProfileRow&)>& cell) {
    TextColumn column{std::move(head), {}, number, {}};
    for (const ProfileRow* row : rows) column.cells.push_back(cell(*row));
    const bool says_nothing = std::ranges::all_of(column.cells, [](const std::string& one) { return one.empty(); });
    if (!says_nothing) columns.push_back(std::move(column));
  };
  add("line", true, [](const ProfileRow& row) { return fmt::format("{}", row.line); });
  add("PTX", false, [](const ProfileRow& row) { return cut(row.text); });
  add("source", false, place_text);
  if (view.source) add("text", false, [](const ProfileRow& row) { return row.source ? cut(row.source->text) : ""; });
  add("executions", true, [](const ProfileRow& row) { return grouped(row.executions); });
  add("lanes", true, [](const ProfileRow& row) {
    return row.executions == 0 ? "" : fmt::format("{:.1f}", share(row.threads, row.executions));
  });
  add("lost lanes", true, [](const ProfileRow& row) { return grouped(row.lost_lanes); });
  if (!profile.causes.empty()) {
    add("lost slots", true, [](const ProfileRow& row) { return grouped(total(row.stalls)); });
    add("lost to", false, [&](const ProfileRow& row) { return causes_text(row.stalls, profile.causes); });
  }
  add("hits", true, hits_text);
  add("threads to", false, [&](const ProfileRow& row) { return branch_text(row, profile); });
  return columns;
}

std::string summary(const Profile& profile) {
  std::uint64_t executions = 0;
  std::uint64_t threads = 0;
  std::vector<std::uint64_t> stalls(profile.causes.size());
  for (const ProfileRow& row : profile.instructions) {
    executions += row.executions;
    threads += row.threads;
    for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += row.stalls[i];
  }
  std::string out = fmt::format("{} executions of {:.1f} of {} lanes", grouped(executions), share(threads, executions),
                                profile.lanes);
  if (!profile.causes.empty()) {
    out += fmt::format("; issue slots lost: {} of warps ({}), {} of none", grouped(total(stalls)),
                       causes_text(stalls, profile.causes), grouped(total(profile.stalls_of_no_warp)));
  }
  return out + '\n';
}

}  // namespace

std::string profile_text(const ProfiledLaunch& launch, const ProfileView& view) {
  return fmt::format("{}: kernel {} of {}\n", launch.name, launch.kernel, launch.profile.program) +
         summary(launch.profile) + text_of(columns_of(launch.profile, view));
}

}  // namespace reconverge::cli
