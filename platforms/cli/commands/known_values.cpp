// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/commands/known_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "blocks/all_blocks.hpp"
#include "blocks/experiment.hpp"
#include "models/core/block_tree.hpp"
#include "platforms/cli/run/figure_columns.hpp"
#include "platforms/host/installation.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge::cli {

namespace {

std::vector<Candidate> blocks() {
  std::vector<Candidate> all;
  for (const BlockDescription* block : all_blocks()) {
    all.push_back({std::string(block->name), std::string(block->summary)});
  }
  return all;
}

std::vector<Candidate> scenes_by_name() {
  std::vector<Candidate> all;
  for (const std::string& name : scenes::scene_names()) all.push_back({name, "built-in scene"});
  return all;
}

std::vector<Candidate> shipped_platforms() {
  std::vector<Candidate> all;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "yaml/platforms", none)) {
    if (entry.path().extension() == ".yaml") all.push_back({entry.path().filename().string(), "shipped platform"});
  }
  std::ranges::sort(all, {}, &Candidate::value);
  return all;
}

/// `begun` up to its last comma, and each figure after it.
std::vector<Candidate> figures(const std::string& begun) {
  const std::string before = begun.substr(0, begun.rfind(',') + 1);
  std::vector<Candidate> all;
  for (const FigureColumn& figure : known_columns()) all.push_back({before + figure.name, figure.text});
  return all;
}

std::vector<std::string> words_of(const ParameterDescription& parameter) {
  if (parameter.type == ParameterType::flag) return {"true", "false"};
  return {parameter.choices.begin(), parameter.choices.end()};
}

/// `path=` and the words of the parameter. `several`: after the last comma of `begun`.
std::vector<Candidate> assignments(const ParameterDescription& parameter, const std::string& begun, bool several) {
  const auto comma = several ? begun.rfind(',') : std::string::npos;
  const std::string before = begun.substr(0, (comma == std::string::npos ? begun.find('=') : comma) + 1);
  std::vector<Candidate> all;
  for (const std::string& word : words_of(parameter)) all.push_back({before + word, {}});
  return all;
}

/// The parts and parameters of the block in which `begun` ends, or the words of the parameter that it names.
std::vector<Candidate> parameters(const std::string& begun, bool several) {
  const BlockTree tree = with_kinds(experiment_block);
  const BlockDescription* block = &tree.root();
  const std::string path = begun.substr(0, begun.find('='));
  const std::string before = path.substr(0, path.rfind('.') + 1);
  for (std::string_view rest = before; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('.'));
    const auto child = std::ranges::find(block->children, name, &ChildDescription::name);
    if (child == block->children.end()) return {};
    block = child->block;
    rest.remove_prefix(name.size() + 1);
  }
  std::vector<Candidate> all;
  for (const ParameterDescription& parameter : block->parameters) {
    const std::string whole = before + std::string(parameter.name);
    if (begun.starts_with(whole + '=')) return assignments(parameter, begun, several);
    all.push_back({whole + '=', fmt::format("{} Default: {}", parameter.text, parameter.default_text)});
  }
  for (const ChildDescription& child : block->children) {
    all.push_back({fmt::format("{}{}.", before, child.name), std::string(child.block->summary)});
  }
  return all;
}

}  // namespace

std::vector<Candidate> known_values(std::string_view kind, const std::string& begun) {
  if (kind == "BLOCK") return blocks();
  if (kind == "SCENE") return scenes_by_name();
  if (kind == "PLATFORM") return shipped_platforms();
  if (kind == "FIGURE,FIGURE") return figures(begun);
  if (kind == "PATH=VALUE") return parameters(begun, false);
  if (kind == "PATH=VALUES") return parameters(begun, true);
  return {};
}

}  // namespace reconverge::cli
