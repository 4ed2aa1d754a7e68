// SPDX-License-Identifier: Apache-2.0
// Every kernel of every PTX file in the tree is rejected or split into micro-kernels that the front end accepts.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <span>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/transform/microkernels.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "tests/repetition.hpp"

namespace reconverge::kernel::tests {
namespace {

namespace fs = std::filesystem;

std::set<fs::path> ptx_files() {
  std::set<fs::path> files;
  for (const char* const folder : {RECONVERGE_SOURCE_DIR "/platforms/kernels", RECONVERGE_SOURCE_DIR "/testbenches"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".ptx") files.insert(entry.path());
    }
  }
  return files;
}

constexpr MicrokernelOptions ways[] = {{SplitAt::loops, 0, LocalArrays::refuse, 1, GoesOn::nowhere},
                                       {SplitAt::loops, 0},
                                       {SplitAt::loops, 1, LocalArrays::state},
                                       {SplitAt::branches, 0, LocalArrays::state},
                                       {SplitAt::loops, 0, LocalArrays::global, 1, GoesOn::anywhere}};

}  // namespace

TEST_CASE("the output for any PTX file can be read") {
  unsigned made = 0;
  unsigned turn = 0;
  for (const fs::path& file : ptx_files()) {
    std::ifstream stream(file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (const std::string& entry : entries_of_text(text, file.string())) {
      // In the short form each kernel is transformed with one set of options, and the next kernel with another.
      const std::span<const MicrokernelOptions> all = ways;
      for (const MicrokernelOptions& way :
           reconverge::tests::short_form() ? all.subspan(turn++ % all.size(), 1) : all) {
        std::string result;
        try {
          result = make_microkernels(text, file.string(), entry, way).text;
        } catch (const InputError&) {
          continue;
        }
        INFO(file.string() << " " << entry);
        CHECK_NOTHROW(load_program_text(result, "made.ptx", entry, spawn_instructions()));
        CHECK_THROWS_AS(make_microkernels(result, "made.ptx", entry, way), InputError);
        ++made;
      }
    }
  }
  CHECK(made >= (reconverge::tests::short_form() ? 16 : 80));
}

}  // namespace reconverge::kernel::tests
