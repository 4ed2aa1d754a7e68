// SPDX-License-Identifier: Apache-2.0
/// A main for a fuzz target without a fuzzer: calls it with each file of the given folders. Fails if there are no
/// files, or if one takes more time or memory than a small input should.

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds most_time{20};      // many times the slowest input's time with sanitizers
constexpr long most_kibibytes = 2L * 1024 * 1024;  // of the whole process, sanitizers included

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::printf("%s\n", file.c_str());
  std::fflush(stdout);
  const auto before = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const auto took = std::chrono::steady_clock::now() - before;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (took > most_time) std::printf("  takes too long\n");
  if (usage.ru_maxrss > most_kibibytes) std::printf("  takes too much memory\n");
  return took <= most_time && usage.ru_maxrss <= most_kibibytes;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t good = 0;
  std::size_t all = 0;
  for (const char* folder : std::span(arguments, static_cast<std::size_t>(count)).subspan(1)) {
    for (const fs::path& file : files_below(folder)) {
      ++all;
      good += replay(file) ? 1 : 0;
    }
  }
  std::printf("%zu of %zu inputs are good\n", good, all);
  return all != 0 && good == all ? 0 : 1;
}
