/// The shipped experiments of kernels whose results are too large to be written into a file: they leave what the native
/// twins leave.

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/kernels/tessellation.hpp"

using namespace reconverge::tests;
namespace fs = std::filesystem;
namespace kernels = reconverge::kernels;

namespace {

/// Runs a shipped experiment, which must find what it expects.
void run_shipped(const std::string& name, const std::string& setting, const fs::path& out) {
  INFO(name << ' ' << setting);
  const ProgramResult result = run_program(
      {"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/" + name + ".yaml", "--set", setting, "--out", out.string()});
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
}

template <typename T>
std::vector<T> read_buffer(const fs::path& file) {
  const std::string bytes = read_file(file);
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace

TEST_CASE("tessellation by rounds and by a stack leaves the triangles and the picture of the twins") {
  const TemporaryFolder place;
  const auto* name = GENERATE("tessellation", "tessellation_stack");
  const auto* setting = GENERATE("machine=timed", "machine=functional", "gpu.sm.scheme=mimd");
  run_shipped(name, setting, place.path() / "out");

  kernels::Tessellation what;
  what.around = 32;
  what.across = 16;
  what.depth = 6;
  what.capacity = 8000;
  const kernels::Map map = kernels::displacement_map(what);
  kernels::Leaves expected = kernels::by_stack(what, map, kernels::torus(what));
  CHECK(read_buffer<int>(place.path() / "out" / "picture.bin") ==
        kernels::picture(what, map, expected, 150.0F, 256, 192));
  auto leaves = read_buffer<kernels::Record>(place.path() / "out" / "leaves.bin");
  REQUIRE(leaves.size() == what.capacity);
  kernels::sort_records(std::as_writable_bytes(std::span(leaves)));
  kernels::sort_records(std::as_writable_bytes(std::span(expected.records)));
  CHECK(std::memcmp(leaves.data(), expected.records.data(), leaves.size() * sizeof(kernels::Record)) == 0);
}
