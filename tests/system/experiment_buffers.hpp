// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Shipped experiments and the bytes of their buffers, for tests that compare them with native twins.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::tests {

/// Runs an experiment, whose expected values must match.
inline void run_file(const std::filesystem::path& file, const std::string& setting, const std::filesystem::path& out) {
  const ProgramResult result = run_program({"run", file.string(), "--set", setting, "--out", out.string()});
  INFO(file << ' ' << setting << ' ' << result.errors);
  REQUIRE(result.exit_code == 0);
}

/// The same with other outputs in the folder's `out`: these buffers, as NAME.bin.
inline void run_file_with_outputs(const std::string& file, const std::vector<std::string>& buffers,
                                  const std::string& setting, const TemporaryFolder& place) {
  std::string text = "extends: " + file + "\noutputs:\n";
  for (const std::string& buffer : buffers) text += fmt::format("- {{buffer: {0}, raw: {0}.bin}}\n", buffer);
  place.write("run.yaml", text);
  run_file(place.path() / "run.yaml", setting, place.path() / "out");
}

/// The same for a shipped experiment.
inline void run_with_outputs(const std::string& name, const std::vector<std::string>& buffers,
                             const std::string& setting, const TemporaryFolder& place) {
  run_file_with_outputs(experiments + name + ".yaml", buffers, setting, place);
}

template <typename T>
std::vector<T> read_buffer(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

/// Bit for bit.
template <typename A, typename B>
bool same_bytes(const std::vector<A>& a, const std::vector<B>& b) {
  return std::ranges::equal(std::as_bytes(std::span(a)), std::as_bytes(std::span(b)));
}

}  // namespace reconverge::tests
