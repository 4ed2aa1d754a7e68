// SPDX-License-Identifier: Apache-2.0
#include "platforms/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <sstream>
#include <system_error>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"

namespace reconverge {

namespace {

namespace fs = std::filesystem;

// A source may consist of one line, which every instruction would show.
constexpr std::size_t most_source_text = 400;

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

/// The outcomes of lost issue slots: all except slots that were used, wholly or in part.
class LostOutcomes {
 public:
  explicit LostOutcomes(const Statistics& counters) : view_(counters.view<WarpSchedulerStatistics>()) {
    slots_ = &*std::ranges::find(view_.descriptions(), std::string_view("slots"), &StatisticDescription::name);
    for (std::size_t bin = 0; bin < view_.values(*slots_).size(); ++bin) {
      std::string name = bin_name(*slots_, bin);
      if (name == to_string(WarpSchedulerSlots::issued) || name == to_string(WarpSchedulerSlots::dual_issue)) continue;
      bins_.push_back(bin);
      names_.push_back(std::move(name));
    }
  }

  const std::vector<std::string>& names() const { return names_; }

  std::vector<std::uint64_t> counts(const LostSlots& lost) const {
    WarpSchedulerStatistics statistics;
    statistics.slots = lost;
    const auto values = StatisticsView(statistics, view_.descriptions()).values(*slots_);
    std::vector<std::uint64_t> counts;
    for (const std::size_t bin : bins_) counts.push_back(values[bin]);
    return counts;
  }

 private:
  StatisticsView view_;
  const StatisticDescription* slots_ = nullptr;
  std::vector<std::size_t> bins_;
  std::vector<std::string> names_;
};

std::string name_of(FirstLevel cache) {
  switch (cache) {
    case FirstLevel::data:
      return "l1";
    case FirstLevel::texture:
      return "texture_cache";
    case FirstLevel::constant:
      return "constant_cache";
  }
  return {};
}

ProfileRow row_of(const InstructionProfile& counted, kernel::Pc pc, const fs::path& folder, SourceLines& sources) {
  const ListedInstruction& listed = counted.listing[pc];
  const ProfiledInstruction& one = counted.instructions[pc];
  ProfileRow row;
  row.pc = pc;
  row.line = listed.line;
  row.text = printable(listed.text);
  for (const ListedSource& place : listed.sources) {
    ProfileSource source = sources.at(folder, place.file, place.line);
    if (!row.source) {
      row.source = std::move(source);
    } else {
      row.inlined_at.push_back(std::move(source));
    }
  }
  row.executions = one.executions;
  row.threads = one.threads;
  row.lost_lanes = counted.lanes * one.executions - one.threads;
  if (listed.branch) {
    row.branch = ProfileBranch{one.divergent, one.targets};
    std::ranges::sort(row.branch->targets, {}, &BranchTarget::pc);
  }
  if (one.lines.lines != 0) {
    const LineCounts& lines = one.lines;
    row.memory = ProfileMemory{
        std::string(listed.space), name_of(lines.cache), lines.lines, lines.hits, lines.misses, lines.merges};
  }
  return row;
}

namespace json = boost::json;

json::array array_of(const std::vector<std::uint64_t>& values) {
  json::array numbers(values.begin(), values.end());
  return numbers;
}

json::object source_json(const ProfileSource& source) {
  return {{"file", source.file}, {"line", source.line}, {"text", source.text}};
}

json::object branch_json(const ProfileBranch& branch) {
  json::array targets;
  for (const BranchTarget& target : branch.targets) targets.push_back({{"pc", target.pc}, {"threads", target.threads}});
  return {{"divergent", branch.divergent}, {"targets", std::move(targets)}};
}

json::object row_json(const ProfileRow& row) {
  json::object entry{{"pc", row.pc}, {"line", row.line}, {"text", row.text}};
  if (row.source) entry["source"] = source_json(*row.source);
  if (!row.inlined_at.empty()) {
    json::array calls;
    for (const ProfileSource& call : row.inlined_at) calls.push_back(source_json(call));
    entry["inlined_at"] = std::move(calls);
  }
  entry["executions"] = row.executions;
  entry["threads"] = row.threads;
  entry["lost_lanes"] = row.lost_lanes;
  entry["stalls"] = array_of(row.stalls);
  if (row.branch) entry["branch"] = branch_json(*row.branch);
  if (row.memory) {
    const ProfileMemory& memory = *row.memory;
    entry["memory"] = {{"space", memory.space}, {"cache", memory.cache},   {"lines", memory.lines},
                       {"hits", memory.hits},   {"misses", memory.misses}, {"merges", memory.merges}};
  }
  return entry;
}

}  // namespace

ProfileSource SourceLines::at(const fs::path& folder, const std::string& file, std::uint32_t line) {
  const File& source = file_of(folder, file);
  const bool has_line = line != 0 && line <= source.lines.size();
  return {source.name, line, has_line ? source.lines[line - 1] : std::string()};
}

const SourceLines::File& SourceLines::file_of(const fs::path& folder, const std::string& file) {
  const auto [known, is_new] = files_.try_emplace({folder, file});
  if (is_new) known->second = read(folder, file);
  return known->second;
}

SourceLines::File SourceLines::read(const fs::path& folder, const std::string& file) {
  const fs::path named(file);
  std::vector<fs::path> roots{folder};
  roots.insert(roots.end(), roots_.begin(), roots_.end());
  for (const fs::path& root : roots) {
    for (const fs::path& name : {named, named.filename()}) {
      std::error_code error;
      const fs::path below = path_below(root, name, error);
      if (error || below.empty() || !fs::is_regular_file(root / below, error)) continue;
      File found{printable(below.generic_string()), {}};
      try {
        std::istringstream lines(read_input(root / below, input::source));
        for (std::string line; std::getline(lines, line);) {
          found.lines.push_back(shortened(printable(trimmed(line)), most_source_text));
        }
      } catch (const InputError& refusal) {
        without_text_.emplace_back(refusal.what());
      }
      return found;
    }
  }
  without_text_.push_back(fmt::format(
      "'{}' is not below the folder of the PTX file or a --source-root; give --source-root the folder that it is in",
      file));
  return {printable(named.filename().generic_string()), {}};
}

std::vector<std::string> SourceLines::warnings() const {
  if (without_text_.empty()) return {};
  const std::size_t count = without_text_.size();
  return {fmt::format("the profile has no text of {} source file{}: {}", count, count == 1 ? "" : "s",
                      without_text_.front())};
}

Profile profile_of(const InstructionProfile& counted, const Statistics* counters, const ReportedProgram& program,
                   SourceLines& sources) {
  Profile profile;
  profile.program = program.name;
  profile.lanes = counted.lanes;
  std::optional<LostOutcomes> outcomes;
  if (counters != nullptr && !counters->empty()) {
    outcomes.emplace(*counters);
    profile.causes = outcomes->names();
    profile.stalls_of_no_warp = outcomes->counts(counted.elsewhere);
  }
  for (kernel::Pc pc = 0; pc < counted.instructions.size(); ++pc) {
    profile.instructions.push_back(row_of(counted, pc, program.folder, sources));
    if (outcomes) profile.instructions.back().stalls = outcomes->counts(counted.instructions[pc].lost);
  }
  return profile;
}

json::object profile_json(const Profile& profile) {
  json::array instructions;
  for (const ProfileRow& row : profile.instructions) instructions.push_back(row_json(row));
  return {{"program", profile.program},
          {"lanes", profile.lanes},
          {"causes", json::array(profile.causes.begin(), profile.causes.end())},
          {"stalls_of_no_warp", array_of(profile.stalls_of_no_warp)},
          {"instructions", std::move(instructions)}};
}

}  // namespace reconverge
