// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "blocks/all_blocks.hpp"
#include "blocks/experiment.hpp"
#include "models/core/elaborate.hpp"
#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/core/suggestion.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/compile/child_process.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/inspection/module_tree.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/report/output_folder.hpp"
#include "platforms/specification/block_page.hpp"
#include "platforms/specification/html.hpp"
#include "platforms/specification/module_diagram.hpp"
#include "platforms/specification/package.hpp"

namespace reconverge::cli {

namespace {

inspection::ModuleTree tree_of(const ExperimentParameters& parameters) {
  const SimulationContext context;
  const auto machine = machine_of(parameters, {}).make(parameters, built_in_schemes());
  elaborate();
  return inspection::module_tree();
}

/// The module trees of the default platform, and of the default platform with each scheme, machine and memory in turn:
/// together they contain every block that is a module.
std::vector<inspection::ModuleTree> platform_trees() {
  ExperimentParameters defaults;
  configuration::load_defaults(with_kinds(experiment_block), &defaults);
  std::vector<inspection::ModuleTree> trees{tree_of(defaults)};
  for (const SchemeKind* scheme : built_in_schemes()) {
    ExperimentParameters parameters = defaults;
    const std::string name(scheme->part.name);
    if (scheme->beside) {
      parameters.gpu.sm.scheme.push_back(name);
    } else {
      parameters.gpu.sm.scheme = {name};
    }
    trees.push_back(tree_of(parameters));
  }
  for (const MachineKind* machine : built_in_machines()) {
    ExperimentParameters parameters = defaults;
    parameters.machine = machine->name;
    trees.push_back(tree_of(parameters));
  }
  ExperimentParameters parameters = defaults;
  parameters.gpu.memory = GpuMemory::fixed_latency;
  trees.push_back(tree_of(parameters));
  return trees;
}

/// The first tree with a module of that name; otherwise the first tree.
const inspection::ModuleTree& tree_with(std::string_view block, const std::vector<inspection::ModuleTree>& trees) {
  const auto found = std::ranges::find_if(
      trees, [&](const auto& tree) { return specification::surroundings_of(tree, block).has_value(); });
  return found == trees.end() ? trees.front() : *found;
}

/// Throws InputError.
std::vector<const BlockDescription*> blocks_named(const std::string& name) {
  if (name == "all") return {all_blocks().begin(), all_blocks().end()};
  std::vector<std::string_view> names{"all"};
  for (const BlockDescription* block : all_blocks()) {
    if (block->name == name) return {block};
    names.push_back(block->name);
  }
  throw InputError({}, fmt::format("there is no block '{}'", name), suggest(name, names));
}

report::FileKind kind_of(const std::string& file) {
  if (file.ends_with(".md")) return {"a page of this command", "## Purpose and theory of operation"};
  if (file.ends_with(".html")) return {"a page of this command", "name=\"generator\" content=\"reconverge\""};
  if (file.ends_with(".svg")) return {"a diagram of this command", "role=\"img\""};
  return {"a diagram of this command", "\"signal\""};
}

ExitCode write_pages(const std::string& block, const std::filesystem::path& out, bool html, bool force) {
  const auto blocks = blocks_named(block);
  const auto trees = platform_trees();
  const report::OutputFolder folder(out);
  std::vector<specification::PageFile> files;
  for (const BlockDescription* one : blocks) {
    auto page = specification::block_page(*one, tree_with(one->name, trees));
    std::ranges::move(page, std::back_inserter(files));
  }
  if (html) std::ranges::move(specification::html_pages(files), std::back_inserter(files));
  for (const auto& file : files) report::check_place(folder.path() / file.name, kind_of(file.name), force);
  for (const auto& file : files) report::write_file(folder.path() / file.name, kind_of(file.name), force, file.text);
  print_formatted("{} files in {}\n", files.size(), out.generic_string());
  return ExitCode::success;
}

/// Runs a program to its end; true if it exists and succeeded.
bool succeeds(const std::vector<std::string>& words) {
  const auto result = compile::run_child(words, [] { return false; });
  return result && result->exit_code == 0;
}

/// Writes the proofs of a package for SymbiYosys, by a program of the package; false if bash or another tool is
/// missing.
bool write_sby_files(const std::string& block, const std::filesystem::path& package) {
  const auto folder = std::filesystem::absolute(package);
  if (succeeds({"bash", (folder / "scripts/prove").string(), "--sby", (folder / "formal").string(), block}))
    return true;
  std::filesystem::remove_all(folder / "formal");
  return false;
}

/// Prints the page of a package as PDF by its Makefile; false without make or a program that prints HTML.
bool write_pdf(const std::filesystem::path& package) {
  return succeeds({"sh", "-c", "command -v make && { command -v chromium || command -v weasyprint; }"}) &&
         succeeds({"make", "-s", "-C", package.string(), "pdf"});
}

/// Throws InputError if the folder has other files, unless `force`.
ExitCode write_package(const std::string& name, const std::filesystem::path& out, bool force) {
  const BlockDescription& block = *blocks_named(name).front();
  if (name == "all" || !specification::has_rtl(name)) {
    throw InputError({}, fmt::format("'{}' has no RTL", name),
                     "README.md in the folder rtl lists the blocks that have");
  }
  if (!force && std::filesystem::exists(out) && !std::filesystem::is_empty(out)) {
    throw InputError({out.generic_string()}, "the folder is not empty", "give another one, or --force");
  }
  auto page = specification::block_page(block, tree_with(block.name, platform_trees()));
  const auto files = specification::package_of(name, specification::small_vectors(name), std::move(page));
  for (const auto& file : files) {
    const auto place = out / file.name;
    const report::OutputFolder folder(place.parent_path());
    report::write_file(place, {"a file of a package", ""}, true, file.text);
  }
  if (!write_sby_files(name, out))
    print_formatted("No files for SymbiYosys: `make sby` writes them, with bash and sed\n");
  if (!write_pdf(out)) print_formatted("No PDF: `make pdf` writes it, with chromium or weasyprint\n");
  print_formatted("{} files in {}\nTo simulate, check and synthesise the block:\n  make -C {}\n", files.size(),
                  out.generic_string(), out.generic_string());
  return ExitCode::success;
}

}  // namespace

void add_export(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("export", "Write a block's RTL as a folder that simulates, proves and synthesises elsewhere");
  const auto block = std::make_shared<std::string>();
  const auto out = std::make_shared<std::string>();
  const auto force = std::make_shared<bool>(false);
  command->add_option("BLOCK", *block, "Block with RTL")->required();
  command->add_option("--out", *out, "Folder to write to")->required()->check(output_place())->type_name("FOLDER");
  add_force_option(*command, *force);
  command->footer("Example:\n  reconverge export subwarp_interleaving --out package");
  command->callback([=, &chosen] { chosen = [=] { return write_package(*block, *out, *force); }; });
}

void add_spec(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("spec", "Write the specification pages of blocks, with diagrams");
  const auto block = std::make_shared<std::string>();
  const auto out = std::make_shared<std::string>();
  const auto force = std::make_shared<bool>(false);
  command->add_option("BLOCK", *block, "Block, or `all`; `reconverge list blocks` lists them")->required();
  command->add_option("--out", *out, "Folder to write to")->required()->check(output_place())->type_name("FOLDER");
  add_force_option(*command, *force);
  const auto html = std::make_shared<bool>(false);
  command->add_flag("--html", *html, "Also write each page as HTML, in one file with its diagrams");
  command->footer("Example:\n  reconverge spec dynamic_ray_shuffling --out spec");
  command->callback([=, &chosen] { chosen = [=] { return write_pages(*block, *out, *html, *force); }; });
}

}  // namespace reconverge::cli
