/// block_generator: C++ structs, use checks and documentation from block files.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/core/block_generator/block_file.hpp"
#include "models/core/block_generator/emitters.hpp"

namespace reconverge::block_generator {

namespace {

/// Leaves a file that already says the same untouched, so that nothing is compiled again for it.
void write_if_changed(const std::filesystem::path& file, const std::string& text) {
  if (std::ifstream present(file, std::ios::binary); present) {
    const std::string old{std::istreambuf_iterator<char>(present), std::istreambuf_iterator<char>()};
    if (old == text) return;
  }
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw InputError({file.generic_string()}, "the file cannot be written", "check the folder and the disk");
}

struct Options {
  std::filesystem::path blocks;
  std::filesystem::path output;
  Style style;
};

void generate(const Options& options) {
  const std::vector<Block> blocks = read_blocks(options.blocks);
  const std::filesystem::path folder = options.output / options.style.prefix;
  for (const Block& block : blocks) {
    write_if_changed(folder / (block.name + ".hpp"), emit_header(block, options.style));
    write_if_changed(folder / (block.name + ".cpp"), emit_source(block, options.style));
  }
  write_if_changed(folder / "all_blocks.hpp", emit_registry_header(options.style));
  write_if_changed(folder / "all_blocks.cpp", emit_registry_source(blocks, options.style));
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Makes C++ structs, checks and documentation from block files.", "block_generator");
  app.add_option("--blocks", options.blocks, "folder of the block files")->required();
  app.add_option("--generate", options.output, "write the C++ files below this folder");
  app.add_option("--namespace", options.style.name_space, "namespace of the generated code")->capture_default_str();
  app.add_option("--prefix", options.style.prefix, "folder of the generated files in includes")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    if (!options.output.empty()) generate(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace

}  // namespace reconverge::block_generator

int main(int argc, char** argv) { return reconverge::block_generator::run(argc, argv); }
