// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The profile of a launch as in `report.json`: the cost of each instruction. docs/report.md describes its contents.

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

namespace reconverge {

/// A line of a source file.
struct ProfileSource {
  std::string file;  ///< relative to the folder where it was found, or its last name
  std::uint32_t line = 0;
  std::string text;  ///< trimmed and shortened; empty where the file was not found
};

struct ProfileBranch {
  std::uint64_t divergent = 0;        ///< executions after which lanes continued in more than one place
  std::vector<BranchTarget> targets;  ///< in pc order
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
  std::vector<ProfileSource> inlined_at;  ///< calls of the inlined functions around the source line, innermost first
  std::uint64_t executions = 0;
  std::uint64_t threads = 0;
  std::uint64_t lost_lanes = 0;
  std::vector<std::uint64_t> stalls;  ///< issue slots, parallel to the causes
  std::optional<ProfileBranch> branch;
  std::optional<ProfileMemory> memory;
};

struct Profile {
  std::string program;
  std::uint32_t lanes = 0;                       ///< per execution
  std::vector<std::string> causes;               ///< of lost issue slots; none on a machine without timing
  std::vector<std::uint64_t> stalls_of_no_warp;  ///< parallel to these
  std::vector<ProfileRow> instructions;
};

/// A program, as named in a report.
struct ReportedProgram {
  std::string name;
  std::filesystem::path folder;  ///< of its sources
};

/// Lines of the source files of programs. A program may name any file of the host, so only files below its folder, or
/// below one of several roots, are read, with links resolved. Each file is read once.
class SourceLines {
 public:
  explicit SourceLines(std::vector<std::filesystem::path> roots = {}) : roots_(std::move(roots)) {}

  /// The line of the file that a program in the folder calls `file`: looked up by that path, then by its last name,
  /// below the folder, then below each root. The text is empty if there is no such line.
  ProfileSource at(const std::filesystem::path& folder, const std::string& file, std::uint32_t line);

  /// For the user: which files have no text, and what to do. Empty if all have.
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
  std::vector<std::string> without_text_;  ///< reason
};

/// `counters`: of the launch, for the names of causes; null on a machine without timing.
Profile profile_of(const InstructionProfile& counted, const Statistics* counters, const ReportedProgram& program,
                   SourceLines& sources);

boost::json::object profile_json(const Profile& profile);

}  // namespace reconverge
