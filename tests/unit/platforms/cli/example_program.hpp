// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A small program for tests of descriptions: a command with all kinds of options, one with subcommands, one
/// that starts another program, and a hidden one.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace reconverge::tests {

struct ExampleProgram {
  ExampleProgram();

  CLI::App app{"Simulate things", "sim"};
  // Values of options, which no test reads.
  std::string text;
  std::vector<std::string> texts;
  int number = 3;
  bool flag = false;
};

}  // namespace reconverge::tests
