// SPDX-License-Identifier: Apache-2.0
// Reads a small file through the installed libraries: a valid size, and one with a misspelt unit.
#include <exception>
#include <iostream>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"
#include "models/core/yaml_file.hpp"

namespace {

std::uint64_t read_bytes(const std::string& file, const reconverge::YamlNode& node) {
  try {
    return reconverge::parse_bytes(node.scalar());
  } catch (const reconverge::QuantityError& error) {
    throw reconverge::InputError(reconverge::locate(file, node), error.what(), error.hint());
  }
}

}  // namespace

// SystemC's library refers to sc_main, and the libraries of the models to SystemC's.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

int main(int argc, char** argv) {
  try {
    const std::string file = argc > 1 ? argv[1] : "input.yaml";
    const reconverge::YamlNode root = reconverge::read_yaml(file);
    std::cout << "capacity is " << read_bytes(file, *root.find("capacity")) << " bytes\n";
    try {
      read_bytes(file, *root.find("wrong"));
    } catch (const reconverge::InputError& error) {
      std::cout << error.what() << '\n';
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
