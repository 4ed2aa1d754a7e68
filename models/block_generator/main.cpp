// SPDX-License-Identifier: Apache-2.0
/// reconverge_block_generator: C++ structs, use checks and documentation from block files.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "models/block_generator/block_file.hpp"
#include "models/block_generator/check_use.hpp"
#include "models/block_generator/describe.hpp"
#include "models/block_generator/emitters.hpp"
#include "models/core/documentation.hpp"

namespace reconverge::block_generator {

namespace {

namespace fs = std::filesystem;

struct Options {
  fs::path blocks;
  fs::path output;
  Style style;
  std::string document;
  bool write_tables = false;
  fs::path tree = ".";
  std::vector<fs::path> used_in;
  fs::path stamp;
};

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& file, const std::string& text) {
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw InputError({file.generic_string()}, "the file cannot be written", "check the folder and the disk");
}

/// Writes a file only if its text changes, so that no file is recompiled without need.
void write_if_changed(const fs::path& file, const std::string& text) {
  if (!fs::exists(file) || read_file(file) != text) write_file(file, text);
}

/// Removes files that were generated from a deleted block file, so that no code still includes them.
void remove_stale(const std::vector<Block>& blocks, const fs::path& folder) {
  std::set<std::string> known{"all_blocks"};
  for (const Block& block : blocks) known.insert(block.name);
  std::vector<fs::path> stale;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    const bool is_code = extension == ".hpp" || extension == ".cpp";
    if (is_code && known.count(entry.path().stem()) == 0) stale.push_back(entry.path());
  }
  for (const fs::path& file : stale) fs::remove(file);
}

void generate(const std::vector<Block>& blocks, const Options& options) {
  const fs::path folder = options.output / options.style.prefix;
  for (const Block& block : blocks) {
    write_if_changed(folder / (block.name + ".hpp"), emit_header(block, options.style));
    write_if_changed(folder / (block.name + ".cpp"), emit_source(block, options.style));
  }
  write_if_changed(folder / "all_blocks.hpp", emit_registry_header(options.style));
  write_if_changed(folder / "all_blocks.cpp", emit_registry_source(blocks, options.style));
  remove_stale(blocks, folder);
}

/// Updates the tables of every README that has marks for them.
void write_tables(const std::vector<Block>& blocks, const Options& options) {
  for (const Block& block : blocks) {
    const fs::path readme = options.tree / block.folder / "README.md";
    const auto text = replace_table(read_file(readme), block.name, markdown(DescribedBlock(block).description()));
    if (text) {
      write_if_changed(readme, *text);
    } else {
      std::fprintf(stderr, "%s has no tables: add the lines\n%s%s", readme.generic_string().c_str(),
                   table_begin(block.name).c_str(), table_end(block.name).c_str());
    }
  }
}

/// In the format of make and ninja: the stamp depends on everything that was read.
std::string dependencies(const fs::path& stamp, const std::vector<fs::path>& files) {
  std::string text = stamp.generic_string() + ':';
  for (const fs::path& file : files) {
    text += " \\\n  ";
    for (const char c : file.generic_string()) {
      if (c == ' ') text += '\\';
      text += c;
    }
  }
  return text + '\n';
}

bool check(const std::vector<Block>& blocks, const Options& options) {
  const UseReport report = check_use(blocks, options.tree, options.used_in, options.style.prefix);
  for (const std::string& problem : report.problems) std::fprintf(stderr, "%s\n", problem.c_str());
  if (!report.problems.empty()) return false;
  if (!options.stamp.empty()) {
    write_file(options.stamp.generic_string() + ".d", dependencies(options.stamp, report.looked_at));
    write_file(options.stamp, "");
  }
  return true;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Makes C++ structs, checks and documentation from block files.", "reconverge_block_generator");
  app.add_option("--blocks", options.blocks, "folder of the block files")->required();
  app.add_option("--generate", options.output, "write the C++ files below this folder");
  app.add_option("--namespace", options.style.name_space, "namespace of the generated code")->capture_default_str();
  app.add_option("--prefix", options.style.prefix, "folder of the generated files in includes")->capture_default_str();
  app.add_option("--document", options.document, "print the Markdown tables of this block");
  app.add_flag("--write-tables", options.write_tables, "renew the tables in the README of every block");
  app.add_option("--tree", options.tree, "top of the source tree")->capture_default_str();
  app.add_option("--used-in", options.used_in, "fail unless code in these folders of the tree uses everything");
  app.add_option("--stamp", options.stamp,
                 "write this file, and a file of its dependencies next to it, if everything is used");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<Block> blocks = read_blocks(options.blocks);
    if (!options.output.empty()) generate(blocks, options);
    if (!options.document.empty()) {
      std::fputs(markdown(DescribedBlock(find_block(blocks, options.document)).description()).c_str(), stdout);
    }
    if (options.write_tables) write_tables(blocks, options);
    if (!options.used_in.empty() && !check(blocks, options)) return 1;
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace reconverge::block_generator

int main(int argc, char** argv) { return reconverge::block_generator::run(argc, argv); }
