/// write_schemas FOLDER: writes the JSON Schema of every root block to FOLDER/<block>.json.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

#include "blocks/all_blocks.hpp"
#include "models/core/error.hpp"
#include "platforms/configuration/schema.hpp"

namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream) throw reconverge::InputError({file.generic_string()}, "the file cannot be written");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: write_schemas FOLDER\n", stderr);
    return 2;
  }
  try {
    for (const reconverge::BlockDescription* root : reconverge::configuration::root_blocks(reconverge::all_blocks())) {
      write(std::filesystem::path(argv[1]) / (std::string(root->name) + ".json"),
            reconverge::configuration::schema(*root));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
