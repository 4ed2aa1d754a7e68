#pragma once
/// The profile of a launch as `report.json` has it: what each instruction cost. docs/report.md says what is in it.

#include <boost/json/object.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/statistics_tree.hpp"
#include "platforms/profile/instruction_profile.hpp"

namespace reconverge::report {

/// A line of a source file.
struct ProfileSource {
  std::string file;  ///< below the folder that it was found in, or its last name
  std::uint32_t line = 0;
  std::string text;  ///< trimmed and shortened; empty where the file was not found
};

struct ProfileBranch {
  std::uint64_t divergent = 0;        ///< executions that sent lanes to more than one place
  std::vector<BranchTarget> targets;  ///< in the order of their pc
};

struct ProfileMemory {
  std::string space;  ///< that the instruction names
  std::string cache;  ///< `l1`, `texture_cache` or `constant_cache`
  std::uint64_t lines = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merges = 0;
};

struct ProfileRow {
  kernel::Pc pc = 0;
  std::uint32_t line = 0;  ///< of the PTX file
  std::string text;
  std::optional<ProfileSource> source;
  std::vector<ProfileSource> inlined_at;  ///< calls of the inlined functions that the source is in, innermost first
  std::uint64_t executions = 0;
  std::uint64_t threads = 0;
  std::uint64_t lost_lanes = 0;
  std::vector<std::uint64_t> stalls;  ///< issue slots, parallel to the causes
  std::optional<ProfileBranch> branch;
  std::optional<ProfileMemory> memory;
};

struct Profile {
  std::string program;
  std::uint32_t lanes = 0;                       ///< that an execution can have
  std::vector<std::string> causes;               ///< that issue slots are lost to; none on a machine without time
  std::vector<std::uint64_t> stalls_of_no_warp;  ///< parallel to these
  std::vector<ProfileRow> instructions;
};

/// A program as a report names it.
struct ReportedProgram {
  std::string name;
  std::filesystem::path folder;  ///< in which its sources are
};

/// Lines of the source files of programs. A program may name any file of the host, so only files below its folder are
/// read, or below one of some roots, with links followed. Each file is read once.
class SourceLines {
 public:
  explicit SourceLines(std::vector<std::filesystem::path> roots = {}) : roots_(std::move(roots)) {}

  /// The line of what a program in the folder calls `file`: under that path, or else under its last name, below the
  /// folder, then below each root. The text is empty where there is no such line.
  ProfileSource at(const std::filesystem::path& folder, const std::string& file, std::uint32_t line);

  /// For the user: which files have no text, and what to do. Empty when all have.
  std::vector<std::string> warnings() const;

 private:
  struct File {
    std::string name;
    std::vector<std::string> lines;
  };
  const File& file_of(const std::filesystem::path& folder, const std::string& file);
  File read(const std::filesystem::path& folder, const std::string& file);

  std::vector<std::filesystem::path> roots_;
  std::map<std::pair<std::filesystem::path, std::string>, File> files_;
  std::vector<std::string> without_text_;  ///< why
};

/// `counters`: of the launch, for the names of causes; null on a machine without time.
Profile profile_of(const InstructionProfile& counted, const Statistics* counters, const ReportedProgram& program,
                   SourceLines& sources);

boost::json::object profile_json(const Profile& profile);

}  // namespace reconverge::report
