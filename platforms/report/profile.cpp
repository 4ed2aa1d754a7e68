#include "platforms/report/profile.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <sstream>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/printable.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

/// The outcomes of issue slots but those that were used, wholly or in part.
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

ProfileRow row_of(const InstructionProfile& counted, kernel::Pc pc, SourceLines& sources) {
  const ListedInstruction& listed = counted.listing[pc];
  const ProfiledInstruction& one = counted.instructions[pc];
  ProfileRow row;
  row.pc = pc;
  row.line = listed.line;
  row.text = printable(listed.text);
  for (const ListedSource& place : listed.sources) {
    ProfileSource source{fs::path(place.file).filename().generic_string(), place.line,
                         sources.text(counted.program, place.file, place.line)};
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

const std::vector<std::string>& SourceLines::lines_of(const fs::path& file) {
  const auto [known, is_new] = files_.try_emplace(file);
  if (!is_new) return known->second;
  try {
    std::istringstream lines(read_input(file, input::source));
    for (std::string line; std::getline(lines, line);) known->second.push_back(printable(trimmed(line)));
  } catch (const InputError&) {
    // The program names any path; a source that is not there, or is none, has no text.
  }
  return known->second;
}

std::string SourceLines::text(const std::string& program, const std::string& file, std::uint32_t line) {
  for (const fs::path& path : {fs::path(program).parent_path() / fs::path(file).filename(), fs::path(file)}) {
    const std::vector<std::string>& lines = lines_of(path);
    if (line != 0 && line <= lines.size()) return lines[line - 1];
  }
  return {};
}

Profile profile_of(const InstructionProfile& counted, const Statistics* counters, SourceLines& sources) {
  Profile profile;
  profile.program = shown_path(counted.program);
  profile.lanes = counted.lanes;
  std::optional<LostOutcomes> outcomes;
  if (counters != nullptr && !counters->empty()) {
    outcomes.emplace(*counters);
    profile.causes = outcomes->names();
    profile.stalls_of_no_warp = outcomes->counts(counted.elsewhere);
  }
  for (kernel::Pc pc = 0; pc < counted.instructions.size(); ++pc) {
    profile.instructions.push_back(row_of(counted, pc, sources));
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

}  // namespace reconverge::report
