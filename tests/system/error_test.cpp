// SPDX-License-Identifier: Apache-2.0
/// Every way to fail: the exit code, the one-line error, and no files left over.

#include <catch2/catch.hpp>

#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

/// Runs in `place`, expects an error that contains all of `parts`, and no files but the existing ones.
void expect_refusal(const TemporaryFolder& place, const std::vector<std::string>& arguments, int exit_code,
                    const std::vector<std::string>& parts) {
  const std::vector<std::string> before = names_in(place.path());
  const ProgramResult result = run_program(arguments, {place.path()});
  INFO(result.errors);
  CHECK(result.exit_code == exit_code);
  CHECK(is_one_complaint(result.errors));
  CHECK(result.output.empty());
  for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
  CHECK(names_in(place.path()) == before);
}

std::vector<std::string> small_run_with(const std::string& override) { return small_run({"--set", override}); }

/// An experiment file in `place` that extends the conference experiment.
std::vector<std::string> run_of(const TemporaryFolder& place, const std::string& text) {
  place.write("experiment.yaml", text);
  return {"run", "experiment.yaml"};
}

}  // namespace

TEST_CASE("an unknown key is named with its place and the nearest name") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, "gpu:\n  sm:\n    warp_slot: 8\n"), 2,
                 {"experiment.yaml:3:5: ", "gpu.sm.warp_slot", "warp_slots"});
}

TEST_CASE("a value of the wrong kind or out of range is named with its place") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, "gpu:\n  clock: fast\n"), 2, {"experiment.yaml:2:10: ", "gpu.clock"});
  expect_refusal(place, run_of(place, "gpu:\n  sms: 100000\n"), 2, {"experiment.yaml:2:8: ", "gpu.sms", "256"});
  expect_refusal(place, run_of(place, "gpu:\n  sm: {scheme: simt}\n"), 2,
                 {"experiment.yaml:2:16: ", "gpu.sm.scheme", "reconvergence_stack"});
}

TEST_CASE("an error of the command line's values names the option") {
  const TemporaryFolder place;
  expect_refusal(place, small_run_with("gpu.smss=2"), 2, {"--set gpu.smss=2", "gpu.sms"});
  expect_refusal(place, small_run_with("gpu.sms"), 2, {"--set gpu.sms"});
}

TEST_CASE("an empty or missing or non-YAML file is refused by name") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, ""), 2, {"experiment.yaml"});
  expect_refusal(place, run_of(place, "gpu: [1, 2\n"), 2, {"experiment.yaml:"});
  expect_refusal(place, {"run", "nothing.yaml"}, 2, {"nothing.yaml"});
  expect_refusal(place, {"run", "."}, 2, {"reconverge: error: ."});
}

TEST_CASE("an experiment without programs says which are missing") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, "name: bare\n"), 2, {"workload.trace_program"});
}

TEST_CASE("a missing program file is named with the line that refers to it") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, "workload:\n  trace_program: nothing.ptx\n"), 2,
                 {"experiment.yaml:2:18: ", "workload.trace_program", "nothing.ptx"});
}

TEST_CASE("a kernel that is not in the file, and one that is no PTX, are refused") {
  const TemporaryFolder place;
  expect_refusal(place, small_run_with("workload.trace_kernel=trace_while_wile"), 2,
                 {"trace_while_while.ptx", "trace_while_wile"});
  const std::string broken = place.write("broken.ptx", traversal_with("  add.s32 %r1, %r2;\n  ret;\n"));
  expect_refusal(place, small_run({"--set", "workload.trace_program=" + broken, "--set", "workload.trace_kernel=bad"}),
                 2, {"broken.ptx:11:"});
}

TEST_CASE("a kernel with other parameters than a traversal's is refused before anything runs") {
  const TemporaryFolder place;
  const std::string shade = RECONVERGE_SOURCE_DIR "/platforms/kernels/shade.ptx";
  expect_refusal(place,
                 small_run({"--set", "workload.trace_program=" + shade, "--set", "workload.trace_kernel=shade_hits"}),
                 2, {"workload.trace_kernel", "'shade_hits'", "shade.ptx", "five addresses", "counter"});
  // As many rays as in an experiment with its own recorded rays, but of other kinds.
  const std::string julia = RECONVERGE_SOURCE_DIR "/platforms/kernels/julia.ptx";
  expect_refusal(place, small_run({"--set", "workload.trace_program=" + julia, "--set", "workload.trace_kernel=julia"}),
                 2, {"workload.trace_kernel", "'julia'"});
}

TEST_CASE("a kernel for another structure is refused with the structure that fits it") {
  const TemporaryFolder place;
  const auto expect = [&](const std::string& structure, const std::string& kernel,
                          const std::vector<std::string>& words) {
    const std::string program = RECONVERGE_SOURCE_DIR "/platforms/kernels/" + kernel + ".ptx";
    expect_refusal(place,
                   small_run({"--set", "workload.structure=" + structure, "--set", "workload.trace_program=" + program,
                              "--set", "workload.trace_kernel=" + kernel}),
                   2, words);
  };
  expect("bvh", "trace_kd_tree", {"'trace_kd_tree'", "traces by a BVH", "set workload.structure to kd_tree"});
  expect("bvh", "trace_grid", {"'trace_grid'", "traces by a BVH", "set workload.structure to grid"});
  expect("grid", "trace_while_while", {"traces by a grid", "set workload.structure to bvh"});
  expect("grid", "trace_persistent", {"traces by a grid", "set workload.structure to bvh"});
  expect("kd_tree", "julia", {"traces by a kd-tree", "leaf triangles", "six .f32"});
  expect("bvh", "trace_kd_tree_microkernels", {"traces by a BVH", "set workload.structure to kd_tree"});
  expect("grid", "trace_microkernels", {"traces by a grid", "set workload.structure to bvh"});
  expect("bvh", "trace_microkernels", {"needs the scheme dynamic_microkernel", "the platform does not have"});
}

TEST_CASE("grid cells along only one axis are refused") {
  const TemporaryFolder place;
  const std::string program = RECONVERGE_SOURCE_DIR "/platforms/kernels/trace_grid.ptx";
  expect_refusal(place,
                 small_run({"--set", "workload.structure=grid", "--set", "workload.trace_program=" + program, "--set",
                            "workload.trace_kernel=trace_grid", "--set", "workload.grid_cells_y=7"}),
                 2, {"workload.grid_cells_x", "0 x 7 x 0", "1 to 4096"});
}

TEST_CASE("an unknown scene is answered with the nearest one") {
  const TemporaryFolder place;
  expect_refusal(place, small_run_with("workload.scene=confrence"), 2, {"'confrence'", "'conference'"});
  expect_refusal(place, small_run_with("workload.scene=nothing.obj"), 2, {"nothing.obj"});
}

TEST_CASE("an invalid camera is refused") {
  const TemporaryFolder place;
  expect_refusal(place, small_run_with("workload.camera.eye=[1, 2]"), 2,
                 {"workload.camera.eye", "2 numbers", "x, y and z"});
  expect_refusal(place, small_run_with("workload.camera.up=[0, 0, 0]"), 2, {"workload.scene", "camera"});
}

TEST_CASE("a name that is no folder's is refused with its place") {
  const TemporaryFolder place;
  expect_refusal(place, run_of(place, "name: ../elsewhere\n"), 2, {"experiment.yaml:1:7: ", "../elsewhere"});
}

TEST_CASE("a platform that cannot be built or cannot hold a block is refused") {
  const TemporaryFolder place;
  expect_refusal(place, small_run_with("gpu.l2.line=64 B"), 2, {"line"});
  expect_refusal(place, small_run_with("gpu.l2.slices=7"), 2, {"gpu.l2.slices", "7 slices", "gpu.dram.channels"});
  expect_refusal(place, small_run_with("gpu.l2.interleave=96 B"), 2, {"gpu.l2.interleave", "power of two"});
  expect_refusal(place, small_run_with("gpu.l2.sector=48 B"), 2, {"gpu.l2.sector", "48 bytes"});
  expect_refusal(place, small_run_with("gpu.l2.ways=7"), 2,
                 {"gpu.l2.capacity", "7 ways", "(the command line gives gpu.l2.ways=7)"});
  expect_refusal(place, small_run_with("gpu.dram.row_bytes=3000 B"), 2, {"gpu.dram.row_bytes", "powers of two"});
  expect_refusal(place, small_run_with("workload.block_threads=1024"), 2, {"1024 threads", "does not fit"});
}

TEST_CASE("a kernel that writes outside all buffers ends with exit code 3") {
  const TemporaryFolder place;
  const std::string program = place.write("wild.ptx", wild_traversal());
  expect_refusal(place, small_run({"--set", "workload.trace_program=" + program, "--set", "workload.trace_kernel=bad"}),
                 3, {"wild.ptx:13", "0x8", "st.global.u32"});
}

TEST_CASE("a place that cannot be written ends with exit code 4 before anything runs") {
  const TemporaryFolder place;
  place.write("file", "x");
  expect_refusal(place, small_run({"--out", "file"}), 4, {"file: is not a folder"});
  expect_refusal(place, small_run({"--out", "file/below"}), 4, {"file/below", "Not a directory"});
  expect_refusal(place, small_run({"--out", "/proc/no/such/place"}), 4, {"/proc/no"});
  expect_refusal(place, small_run({"--out", "."}), 4, {"'file'", "--force"});
}

TEST_CASE("a folder without permission ends with exit code 4") {
  const TemporaryFolder place;
  const fs::path locked = place.path() / "locked";
  fs::create_directory(locked);
  fs::permissions(place.path(), fs::perms::all);
  fs::permissions(locked, fs::perms::all & ~fs::perms::others_write & ~fs::perms::owner_write);
  ProgramOptions options;
  options.folder = place.path();
  options.unprivileged = true;
  if (run_program({"--version"}, options).exit_code == cannot_start) {
    WARN("skipped: only root may access the program's folder");
    return;
  }
  for (const auto* folder : {"locked", "locked/below"}) {
    const ProgramResult result = run_program(small_run({"--out", folder}), options);
    CHECK(result.exit_code == 4);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains(folder) && Contains("Permission denied"));
  }
  CHECK(names_in(locked).empty());
}

TEST_CASE("a full disk loses the report but not the table, and keeps the earlier report") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  REQUIRE(run_program(small_run({"--out", out.string()})).exit_code == 0);
  const std::vector<std::string> names = names_in(out);
  const std::string earlier = read_file(out / "report.json");
  ProgramOptions full;
  full.file_size_limit = 20'000;
  const ProgramResult result = run_program(small_run({"--set", "workload.seed=2", "--out", out.string()}), full);
  CHECK(result.exit_code == 4);
  CHECK(is_one_complaint(result.errors));
  CHECK_THAT(result.errors, Contains("report.json: File too large"));
  CHECK_THAT(result.output, Contains("tracing"));
  CHECK(names_in(out) == names);
  CHECK(read_file(out / "report.json") == earlier);

  const fs::path fresh = place.path() / "fresh";
  CHECK(run_program(small_run({"--out", fresh.string()}), full).exit_code == 4);
  CHECK_FALSE(fs::exists(fresh));
}

TEST_CASE("standard output that cannot be written is an error too") {
  ProgramOptions full;
  full.output_file = "/dev/full";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"list", "blocks"}, {"schema"}, {"--help"}, {"--version"}}) {
    const ProgramResult result = run_program(arguments, full);
    INFO(arguments.front());
    CHECK(result.exit_code == 4);
    CHECK_THAT(result.errors, Contains("standard output") && Contains("No space left"));
  }
}

TEST_CASE("a document that cannot be written ends with exit code 4 and the system's reason") {
  const TemporaryFolder place;
  ProgramOptions full;
  full.output_file = "/dev/full";
  const std::string out = (place.path() / "out").string();
  const std::string experiment = RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml";
  const std::string kernel = RECONVERGE_SOURCE_DIR "/platforms/kernels/saxpy.ptx";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", experiment, "--json", "--out", out},
        {"run", experiment, "--sweep", "gpu.sms=1,2", "--json", "--out", out + "s"},
        {"validate", experiment, "--json"},
        {"inspect", "program", kernel, "--json"},
        {"list", "parameters", "--json"}}) {
    const ProgramResult result = run_program(arguments, full);
    INFO(arguments.front() << ' ' << result.errors);
    CHECK(result.exit_code == 4);
    CHECK(is_one_complaint(result.errors));
    CHECK_THAT(result.errors, Contains("standard output cannot be written: No space left"));
  }
}

TEST_CASE("reports are kept if the table cannot be printed") {
  const TemporaryFolder place;
  ProgramOptions full;
  full.output_file = "/dev/full";
  CHECK(run_program(small_run({"--out", (place.path() / "out").string()}), full).exit_code == 4);
  CHECK(names_in(place.path() / "out").size() == 5);
}

TEST_CASE("a wrong command line ends with exit code 2 and points to help") {
  const TemporaryFolder place;
  expect_refusal(place, {}, 2, {"see reconverge --help"});
  expect_refusal(place, {"walk"}, 2, {"see reconverge --help"});
  expect_refusal(place, {"run"}, 2, {"FILE is required", "see reconverge run --help"});
  expect_refusal(place, {"run", "a.yaml", "--fast"}, 2, {"--fast", "see reconverge run --help"});
  expect_refusal(place, {"inspect", "program"}, 2, {"see reconverge inspect program --help"});
  expect_refusal(place, {"inspect", "occupancy", "k.ptx", "--block", "0"}, 2, {"--block"});
  expect_refusal(place, {"rays"}, 2, {"--out", "--info"});
}
