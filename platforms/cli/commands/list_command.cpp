// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>

#include "blocks/all_blocks.hpp"
#include "blocks/experiment.hpp"
#include "models/core/block_tree.hpp"
#include "models/core/documentation.hpp"
#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/figure_columns.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/machines/machines.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

struct ListOptions {
  std::string block;
  bool markdown = false;
  bool json = false;
};

/// A row as text and as JSON.
struct Listed {
  std::string text;
  json::object object;
};

/// All blocks, or the named one.
std::vector<const BlockDescription*> blocks_of(const ListOptions& options) {
  std::vector<const BlockDescription*> blocks;
  std::vector<std::string_view> names;
  for (const BlockDescription* block : all_blocks()) {
    names.push_back(block->name);
    if (options.block.empty() || block->name == options.block) blocks.push_back(block);
  }
  if (blocks.empty()) {
    throw InputError({}, fmt::format("there is no block '{}'", options.block), suggest(options.block, names));
  }
  return blocks;
}

ExitCode print_rows(const std::vector<Listed>& rows, const ListOptions& options) {
  if (!options.json) {
    for (const Listed& row : rows) print_formatted("{}\n", row.text);
    return ExitCode::success;
  }
  json::array array;
  for (const Listed& row : rows) array.push_back(row.object);
  print(configuration::pretty(array));
  return ExitCode::success;
}

ExitCode list_blocks(const ListOptions& options) {
  const std::vector<const BlockDescription*> blocks = blocks_of(options);
  std::size_t name_width = 0;
  std::size_t folder_width = 0;
  for (const BlockDescription* block : blocks) {
    name_width = std::max(name_width, block->name.size());
    folder_width = std::max(folder_width, block->folder.size());
  }
  std::vector<Listed> rows;
  rows.reserve(blocks.size());
  for (const BlockDescription* block : blocks) {
    rows.push_back(
        {fmt::format("{:<{}}  {:<{}}  {}", block->name, name_width, block->folder, folder_width, block->summary),
         {{"block", block->name}, {"folder", block->folder}, {"summary", block->summary}}});
  }
  return print_rows(rows, options);
}

std::string values_of(const ParameterDescription& parameter) {
  if (!parameter.choices.empty()) {
    return fmt::format("one of {}", fmt::join(parameter.choices, ", "));
  }
  if (has_range(parameter.type)) return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
  return std::string(to_string(parameter.type));
}

/// Adds the parameters of a block and of the blocks within it, by their --set paths.
void add_parameters(const BlockDescription& block, const std::string& prefix, const std::string& wanted,
                    std::vector<Listed>& rows) {
  for (const ParameterDescription& parameter : block.parameters) {
    if (!wanted.empty() && block.name != wanted) continue;
    const std::string path = prefix + std::string(parameter.name);
    rows.push_back({fmt::format("{} = {}  ({})\n    {} Source: {}", path, parameter.default_text, values_of(parameter),
                                parameter.text, parameter.source),
                    {{"path", path},
                     {"block", block.name},
                     {"type", to_string(parameter.type)},
                     {"default", parameter.default_text},
                     {"values", values_of(parameter)},
                     {"text", parameter.text},
                     {"source", parameter.source}}});
  }
  for (const ChildDescription& child : block.children) {
    add_parameters(*child.block, prefix + std::string(child.name) + '.', wanted, rows);
  }
}

ExitCode list_parameters(const ListOptions& options) {
  blocks_of(options);  // refuses an unknown name
  std::vector<Listed> rows;
  const BlockTree tree = with_kinds(experiment_block);
  add_parameters(tree.root(), {}, options.block, rows);
  return print_rows(rows, options);
}

ExitCode list_statistics(const ListOptions& options) {
  std::vector<Listed> rows;
  for (const BlockDescription* block : blocks_of(options)) {
    for (const StatisticDescription& statistic : block->statistics) {
      json::array bins;
      std::vector<std::string> names;
      for (std::size_t bin = 0; bin < statistic.bins; ++bin) {
        names.push_back(bin_name(statistic, bin));
        bins.emplace_back(names.back());
      }
      const std::string of = statistic.bin_names.empty()
                                 ? (names.empty() ? std::string() : fmt::format(" by number, 0 to {}", names.back()))
                                 : fmt::format(" by {}", fmt::join(names, ", "));
      const std::string text = text_without_parts(statistic);
      rows.push_back({fmt::format("{}.{}  [{}{}]\n    {}", block->name, statistic.name, statistic.unit, of, text),
                      {{"block", block->name},
                       {"statistic", statistic.name},
                       {"unit", statistic.unit},
                       {"bins", std::move(bins)},
                       {"text", text}}});
    }
  }
  return print_rows(rows, options);
}

ExitCode list_figures(const ListOptions& options) {
  std::vector<Listed> rows;
  for (const FigureColumn& figure : known_columns()) {
    rows.push_back({fmt::format("{:<22}[{}]  {}", figure.name, figure.unit, figure.text),
                    {{"figure", figure.name}, {"unit", figure.unit}, {"text", figure.text}}});
  }
  return print_rows(rows, options);
}

ExitCode list_scenes(const ListOptions& options) {
  std::vector<Listed> rows;
  for (const std::string& name : scenes::scene_names()) rows.push_back({name, {{"scene", name}}});
  return print_rows(rows, options);
}

ExitCode print_markdown(const ListOptions& options) {
  for (const BlockDescription* block : blocks_of(options)) {
    print_formatted("# {}\n\n{}\n\n{}\n", block->name, block->summary, markdown(*block));
  }
  return ExitCode::success;
}

void add_kind(CLI::App& list, Command& chosen, const std::string& name, const std::string& text,
              ExitCode (*print_list)(const ListOptions&)) {
  CLI::App* command = list.add_subcommand(name, text);
  const auto options = std::make_shared<ListOptions>();
  CLI::Option* as_json = command->add_flag("--json", options->json, "As JSON");
  const bool of_blocks = name != "scenes" && name != "figures";
  if (of_blocks) command->add_option("--block", options->block, "Only this block")->type_name("BLOCK");
  if (name == "blocks") {
    command->add_flag("--markdown", options->markdown, "As Markdown, with parameters and statistics")
        ->excludes(as_json);
  }
  command->callback([options, &chosen, print_list] {
    chosen = [options, print_list] { return options->markdown ? print_markdown(*options) : print_list(*options); };
  });
}

}  // namespace

void add_list(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("list", "List blocks, parameters, statistics, figures or scenes");
  command->require_subcommand(1);
  add_kind(*command, chosen, "blocks", "Hardware blocks", list_blocks);
  add_kind(*command, chosen, "parameters", "Parameters by the path that --set takes", list_parameters);
  add_kind(*command, chosen, "statistics", "Raw counters by block", list_statistics);
  add_kind(*command, chosen, "figures", "Figures that --columns of run takes", list_figures);
  add_kind(*command, chosen, "scenes", "Built-in scenes", list_scenes);
  command->footer(
      "Examples:\n"
      "  reconverge list parameters --block l1_cache\n"
      "  reconverge list blocks --markdown\n"
      "  reconverge list statistics --json");
}

}  // namespace reconverge::cli
