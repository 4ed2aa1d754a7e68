// SPDX-License-Identifier: Apache-2.0
// NVIDIA's own assembler accepts every text that the device test would load. If ptxas is missing, the test says so.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "tests/device/device_cases.hpp"

namespace reconverge::tests {
namespace {

const std::string ptxas = RECONVERGE_PTXAS;

/// ptxas's message for the text; empty if it accepts it.
std::string complaint(const std::string& ptx) {
  // Tests run in parallel.
  const std::string file =
      std::filesystem::temp_directory_path() / fmt::format("reconverge_ptxas_test_{}.ptx", getpid());
  std::ofstream(file) << ptx;
  // Whether it accepts a text does not depend on the optimisation level.
  const std::string command =
      fmt::format("{} -O0 -arch=sm_{} -o {}.cubin {} 2>&1", ptxas, std::max(90U, device::target_of(ptx)), file, file);
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot start " + command;
  std::string text;
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), count);
  const bool takes = pclose(pipe) == 0;
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".cubin");
  return takes ? "" : text;
}

bool have_ptxas() {
  if (ptxas.empty()) std::cout << "skipped: no ptxas here (it is a part of the CUDA toolkit)\n";
  return !ptxas.empty();
}

void check(const std::vector<DeviceCase>& cases) {
  if (!have_ptxas()) return;
  CHECK_FALSE(cases.empty());
  for (const DeviceCase& each : cases) {
    INFO(each.job.name);
    CHECK_THAT(complaint(each.job.ptx), Catch::Equals(""));
  }
}

/// Combines the kernels of many cases in one text, because ptxas starts slowly. For texts whose only name at module
/// level is `kernel`.
class Batch {
 public:
  explicit Batch(std::string head) : text_(std::move(head)) {}

  void add(const DeviceCase& each, const std::string& body) {
    constexpr std::string_view name = "kernel";
    std::string renamed = body;
    text_ += renamed.insert(renamed.find(name) + name.size(), std::to_string(cases_.size()));
    cases_.push_back(&each);
  }
  bool is_full() const { return cases_.size() == 100; }
  /// Reports the error of each case.
  void check() const {
    if (complaint(text_).empty()) return;
    for (const DeviceCase* each : cases_) {
      INFO(each->job.name);
      CHECK_THAT(complaint(each->job.ptx), Catch::Equals(""));
    }
  }

 private:
  std::string text_;
  std::vector<const DeviceCase*> cases_;
};

void check_in_batches(const std::vector<DeviceCase>& cases) {
  if (!have_ptxas()) return;
  CHECK(cases.size() > 1000);
  std::map<std::string, Batch> batches;  // by version and target
  for (const DeviceCase& each : cases) {
    const std::size_t entry = each.job.ptx.find(".visible .entry");
    const std::string head = each.job.ptx.substr(0, entry);
    Batch& batch = batches.try_emplace(head, head).first->second;
    batch.add(each, each.job.ptx.substr(entry));
    if (!batch.is_full()) continue;
    batch.check();
    batches.erase(head);
  }
  for (const auto& [head, batch] : batches) batch.check();
}

}  // namespace

TEST_CASE("ptxas takes the kernels", "[ptxas]") { check(kernel_cases()); }
TEST_CASE("ptxas takes the corpus as nvcc made it", "[ptxas]") { check(nvcc_cases()); }
TEST_CASE("ptxas takes the corpus as clang makes it", "[ptxas]") { check(clang_cases()); }
TEST_CASE("ptxas takes the contract suite", "[ptxas]") { check(contract_cases()); }
TEST_CASE("ptxas takes random programs", "[ptxas]") { check(random_cases(1, 50)); }
TEST_CASE("ptxas takes every form of every operation", "[ptxas]") { check_in_batches(operation_cases()); }

}  // namespace reconverge::tests
