// SPDX-License-Identifier: Apache-2.0
#include "models/block_generator/check_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "models/block_generator/source_scan.hpp"

namespace reconverge::block_generator {

namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".cpp" || extension == ".hpp" || extension == ".h";
}

class UseCheck {
 public:
  UseCheck(const std::vector<Block>& blocks, fs::path tree, std::string prefix)
      : blocks_(blocks), tree_(std::move(tree)), prefix_(std::move(prefix)) {}

  void scan_folder(const fs::path& folder) {
    if (!fs::is_directory(tree_ / folder)) throw InputError({(tree_ / folder).generic_string()}, "no such folder");
    report_.looked_at.push_back(tree_ / folder);
    for (const auto& entry : fs::recursive_directory_iterator(tree_ / folder)) {
      if (entry.is_directory()) report_.looked_at.push_back(entry.path());
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      report_.looked_at.push_back(entry.path());
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
      files_.emplace(entry.path().lexically_relative(tree_).generic_string(), scan_source(text));
    }
  }

  UseReport finish(const std::vector<fs::path>& folders) {
    std::map<std::string, std::set<std::string>> reads;
    std::map<std::string, std::set<std::string>> writes;
    for (const auto& [path, use] : files_) {
      for (const std::string& block : visible_blocks(path)) {
        reads[block].insert(use.reads.begin(), use.reads.end());
        writes[block].insert(use.writes.begin(), use.writes.end());
      }
    }
    std::vector<std::string> names;
    names.reserve(folders.size());
    for (const fs::path& folder : folders) names.push_back(folder.generic_string());
    for (const Block& block : blocks_) {
      for (const Parameter& parameter : block.parameters) {
        if (reads[block.name].count(parameter.name) != 0) continue;
        report_.problems.push_back(
            fmt::format("{}: no code reads the parameter {} of {} (looked in {}); read it as a member, or remove it",
                        to_string(parameter.location), parameter.name, block.name, fmt::join(names, ", ")));
      }
      for (const Statistic& statistic : block.statistics) {
        if (writes[block.name].count(statistic.name) != 0) continue;
        report_.problems.push_back(fmt::format(
            "{}: no code moves the statistic {} of {} (looked in {}); count it with ++, += or =, or remove it",
            to_string(statistic.location), statistic.name, block.name, fmt::join(names, ", ")));
      }
    }
    std::sort(report_.looked_at.begin(), report_.looked_at.end());
    return std::move(report_);
  }

 private:
  /// The blocks whose structs a file can name, through its includes.
  std::set<std::string> visible_blocks(const std::string& path) const {
    std::set<std::string> blocks;
    std::set<std::string> visited{path};
    std::vector<std::string> open{path};
    while (!open.empty()) {
      const std::string current = open.back();
      open.pop_back();
      for (const std::string& include : files_.at(current).includes) {
        add_block(include, blocks);
        const std::string sibling = (fs::path(current).parent_path() / include).lexically_normal().generic_string();
        for (const std::string& candidate : {include, sibling}) {
          if (files_.count(candidate) != 0 && visited.insert(candidate).second) open.push_back(candidate);
        }
      }
    }
    return blocks;
  }

  void add_block(const std::string& include, std::set<std::string>& visible) const {
    const fs::path path(include);
    if (path.parent_path() == prefix_) add_tree(path.stem().string(), visible);
  }
  void add_tree(const std::string& name, std::set<std::string>& visible) const {
    const auto found = std::find_if(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.name == name; });
    if (found == blocks_.end() || !visible.insert(name).second) return;
    for (const Child& child : found->children) add_tree(child.block, visible);
  }

  const std::vector<Block>& blocks_;
  fs::path tree_;
  std::string prefix_;
  std::map<std::string, SourceUse> files_;
  UseReport report_;
};

}  // namespace

UseReport check_use(const std::vector<Block>& blocks, const fs::path& tree, const std::vector<fs::path>& folders,
                    const std::string& prefix) {
  UseCheck check(blocks, tree, prefix);
  for (const fs::path& folder : folders) check.scan_folder(folder);
  return check.finish(folders);
}

}  // namespace reconverge::block_generator
