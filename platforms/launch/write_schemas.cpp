// SPDX-License-Identifier: Apache-2.0
/// write_schemas FOLDER: writes the JSON Schema of every root block to FOLDER/<block>.json, and removes other schemas
/// there.

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "blocks/all_blocks.hpp"
#include "blocks/experiment.hpp"
#include "models/core/error.hpp"
#include "platforms/configuration/schema.hpp"
#include "platforms/launch/schema.hpp"
#include "platforms/machines/machines.hpp"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw reconverge::InputError({file.generic_string()}, "the file cannot be written");
}

std::vector<std::filesystem::path> schemas_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  return files;
}

/// Experiments also have sections.
std::string schema_of(const reconverge::BlockDescription& root) {
  const bool is_experiment = root.name == reconverge::experiment_block.name;
  return reconverge::configuration::schema(
      reconverge::with_kinds(root).root(),
      is_experiment ? reconverge::launch::section_schemas() : boost::json::object{});
}

}  // namespace

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_schemas FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    for (const std::filesystem::path& file : schemas_in(folder)) std::filesystem::remove(file);
    const std::array added{reconverge::scheme_parts(), reconverge::machine_parts()};
    const auto roots = reconverge::configuration::root_blocks(reconverge::all_blocks(), added);
    for (const reconverge::BlockDescription* root : roots) {
      write(folder / fmt::format("{}.json", root->name), schema_of(*root));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
