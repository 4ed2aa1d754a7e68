// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"
#include "models/schemes/raytrace/trace_instructions.hpp"
#include "platforms/kernels/twins.hpp"

namespace reconverge::kernels {

namespace {

const std::filesystem::path folder = RECONVERGE_SOURCE_DIR "/platforms/kernels";

/// The extension instructions of all schemes.
std::vector<kernel::ExtensionInstruction> extension_instructions() {
  std::vector<kernel::ExtensionInstruction> all;
  for (const auto some : {ray_instructions(), spawn_instructions(), trace_instructions()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace

TEST_CASE("the front end accepts every checked-in kernel, and each has a twin with the same parameters") {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    for (const std::string& name : kernel::entries(entry.path())) {
      INFO(entry.path().filename() << ": " << name);
      found.insert(name);
      const kernel::Program program = kernel::load_program(entry.path(), name, extension_instructions());
      CHECK_FALSE(program.instructions.empty());
      const auto parameters = twin(name).parameters();
      REQUIRE(program.parameters.size() == parameters.size());
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        INFO("parameter " << i);
        CHECK(program.parameters[i].offset == parameters[i].offset);
        CHECK(program.parameters[i].bytes == parameters[i].bytes);
      }
    }
  }
  for (const Twin& t : twins()) CHECK(found.count(std::string(t.name())) == 1);
  CHECK(found.size() == twins().size());
}

TEST_CASE("trace_while_while keeps its loops: two inner loops in one, each with one latch") {
  const kernel::Program program = kernel::load_program(folder / "trace_while_while.ptx", "trace_while_while");
  struct Loop {
    std::uint32_t head, latch;
  };
  std::vector<Loop> loops;
  for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
    for (const std::uint32_t successor : program.blocks[b].successors) {
      if (successor <= b) loops.push_back({successor, b});
    }
  }
  REQUIRE(loops.size() == 3);
  std::ranges::sort(loops, {}, &Loop::head);
  CHECK(loops[0].latch > loops[2].latch);  // the outer loop contains the others,
  CHECK(loops[1].latch < loops[2].head);   // which are consecutive
  for (const Loop& loop : loops) {
    const kernel::BasicBlock& latch = program.blocks[loop.latch];
    REQUIRE(latch.successors.size() == 2);
    CHECK(latch.immediate_postdominator == loop.latch + 1);
  }
  CHECK(program.local_bytes == 256);
  CHECK(program.shared_bytes == 0);
}

}  // namespace reconverge::kernels
