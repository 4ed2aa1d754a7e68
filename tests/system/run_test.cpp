// SPDX-License-Identifier: Apache-2.0
/// The main job from the command line, reduced: figures, files, determinism.

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <catch2/catch.hpp>
#include <map>

#include "models/core/digest.hpp"
#include "platforms/kernels/traversals.hpp"
#include "platforms/report/documents.hpp"
#include "tests/system/kernels.hpp"
#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const std::vector<std::string> whole_report{"effective.yaml", "manifest.json", "picture.png", "report.csv",
                                            "report.json"};

/// Without the comments on the origin of values.
std::string without_comments(const std::string& yaml) {
  std::string result;
  std::size_t begin = 0;
  while (begin < yaml.size()) {
    const std::size_t end = yaml.find('\n', begin);
    const std::string line = yaml.substr(begin, end - begin);
    result += line.substr(0, line.find("  # ")) + '\n';
    begin = end + 1;
  }
  return result;
}

}  // namespace

TEST_CASE("a run gives a complete report with passing checks") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program(small_run({"--out", out.string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(result.errors.empty());
  CHECK_THAT(result.output, Contains("bounce 2 shadow") && Contains("0 mismatches") && Contains("W29:32"));
  CHECK(names_in(out) == whole_report);

  const json::value report = report_in(out);
  CHECK(report.at("partial") == false);
  CHECK(report.at("checks").at("hits_agree") == true);
  CHECK(report.at("checks").at("picture_agrees") == true);
  CHECK(report.at("checks").at("issue_slots_add_up") == true);
  CHECK(report.at("hits").at("checked") == report.at("workload").at("rays"));
  CHECK(report.at("hits").at("checked").as_int64() > 192);
  CHECK(report.at("total").at("figures").at("unaccounted_slots") == 0);
  CHECK(report.at("tracing").at("figures").at("simd_efficiency").as_double() > 0.05);
  CHECK(report.at("tracing").at("figures").at("simd_efficiency").as_double() <= 1);

  const json::value manifest = json::parse(read_file(out / "manifest.json"));
  for (const json::value& file : manifest.at("outputs").as_array()) {
    const std::string name(file.at("file").as_string());
    INFO(name);
    CHECK(file.at("sha256").as_string() == reconverge::sha256_of_file(out / name));
  }
}

TEST_CASE("what a tracing kernel prints is shown with the name of its stage") {
  const TemporaryFolder place;
  std::string ptx = read_file(RECONVERGE_SOURCE_DIR "/platforms/kernels/trace_while_while.ptx");
  const auto insert_at = [&](std::string_view text, std::size_t skipped, const std::string& what) {
    const std::size_t at = ptx.rfind(text);
    REQUIRE(at != std::string::npos);
    ptx.insert(at + skipped, what);
  };
  insert_at("\tret;\n", 0, "\tmov.u64 %rd1, words;\n\tmov.u64 %rd2, 0;\n\tcall (%r1), vprintf, (%rd1, %rd2);\n");
  insert_at(".visible .entry", 0,
            ".extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);\n"
            ".global .b8 words[] = {104, 105, 10, 0};\n");
  const fs::path program = place.write("talking.ptx", ptx);
  const ProgramResult result = run_program(
      small_run({"--out", (place.path() / "out").string(), "--set", "workload.trace_program=" + program.string()}));
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK_THAT(result.output, Contains("[bounce 1] hi\n") && Contains("[bounce 2 shadow] hi\n"));
}

TEST_CASE("every platform traces the same rays, and its checks hold") {
  const auto* platform = GENERATE("gtx780", "fx5800", "turing");
  const TemporaryFolder place;
  const fs::path tree = RECONVERGE_SOURCE_DIR;
  const fs::path file =
      place.write("traced.yaml", "extends: " + (tree / "yaml/platforms" / platform).string() +
                                     ".yaml\nname: traced\nworkload:\n  scene: box\n  width: 16\n"
                                     "  height: 12\n  samples: 4\n  bounces: 2\n  trace_program: " +
                                     (tree / "platforms/kernels/trace_while_while.ptx").string() +
                                     "\n  shade_program: " + (tree / "platforms/kernels/shade.ptx").string() + "\n");
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program({"run", file.string(), "--out", out.string(), "--set", "gpu.sms=2"});
  INFO(platform << ": " << result.errors);
  REQUIRE(result.exit_code == 0);
  const json::value report = report_in(out);
  for (const auto* check : {"hits_agree", "picture_agrees", "issue_slots_add_up"}) {
    CHECK(report.at("checks").at(check) == true);
  }
  // No platform changes what the kernels do: paths, branches and lanes are those of the reconvergence stack everywhere.
  const auto warp_instructions = [](const json::value& one) {
    return one.at("total").at("figures").at("warp_instructions").as_int64();
  };
  const fs::path base = place.path() / "base";
  REQUIRE(run_program(small_run({"--out", base.string()})).exit_code == 0);
  CHECK(warp_instructions(report) == warp_instructions(report_in(base)));
}

TEST_CASE("every traversal kernel finds Embree's hits under every scheme, and the same picture") {
  const TemporaryFolder place;
  const auto figures = [&](const reconverge::kernels::Traversal& kernel, const std::string& scheme) {
    const fs::path out = place.path() / (std::string(kernel.entry) + scheme);
    const std::string file = (fs::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / kernel.file).string() + ".ptx";
    const ProgramResult result = run_program(small_run(
        {"--out", out.string(), "--set", "workload.trace_program=" + file, "--set",
         "workload.trace_kernel=" + std::string(kernel.entry), "--set", "gpu.sm.scheme=" + scheme, "--set", "gpu.sms=1",
         "--set", "workload.width=64", "--set", "workload.height=48", "--set", "workload.samples=1"}));
    INFO(kernel.entry << ": " << result.errors);
    REQUIRE(result.exit_code == 0);
    const json::value report = report_in(out);
    CHECK(report.at("checks").at("hits_agree") == true);
    CHECK(report.at("checks").at("picture_agrees") == true);
    CHECK(report.at("hits").at("checked") == report.at("workload").at("rays"));
    CHECK(read_file(out / "picture.png") == read_file(place.path() / ("trace_while_while" + scheme) / "picture.png"));
    return report.at("tracing").at("figures");
  };
  double on_stack = 0;
  for (const std::string scheme : {"reconvergence_stack", "mimd", "thread_block_compaction"}) {
    std::map<std::string_view, double> lanes;
    for (const auto& kernel : reconverge::kernels::traversals) {
      lanes[kernel.entry] = figures(kernel, scheme).at("simd_efficiency").as_double();
    }
    if (scheme == "thread_block_compaction") CHECK(lanes["trace_while_while"] > on_stack);
    if (scheme != "reconvergence_stack") continue;
    on_stack = lanes["trace_while_while"];
    // The effect that each technique is for.
    CHECK(lanes["trace_speculative"] > lanes["trace_while_while"]);
    CHECK(lanes["trace_replacing"] > lanes["trace_persistent"]);
    CHECK(lanes["trace_replacing_speculative"] > lanes["trace_persistent_speculative"]);
    figures(reconverge::kernels::traversals[0], "dynamic_ray_shuffling");
    for (const std::string_view kernel : {"trace_shuffled", "trace_shuffled_three_rows"}) {
      const json::value shuffled = figures({"trace_shuffled", kernel, true}, "dynamic_ray_shuffling");
      CHECK(shuffled.at("simd_efficiency").as_double() > lanes["trace_replacing_speculative"]);
    }
  }
}

TEST_CASE("micro-kernels find Embree's hits by fuller warps than loops, and give the same picture") {
  const TemporaryFolder place;
  const auto run = [&](const std::string& kernel, const std::vector<std::string>& settings) {
    const fs::path out = place.path() / kernel;
    const std::string file = (fs::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / kernel).string() + ".ptx";
    std::vector<std::string> words{"--out", out.string()};
    for (const std::string setting : {"workload.width=64", "workload.height=48", "workload.samples=1", "gpu.sms=1"}) {
      words.insert(words.end(), {"--set", setting});
    }
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    words.insert(words.end(), {"--set", "workload.trace_program=" + file, "--set", "workload.trace_kernel=" + kernel});
    const ProgramResult result = run_program(small_run(words));
    INFO(kernel << ": " << result.errors);
    REQUIRE(result.exit_code == 0);
    const json::value report = report_in(out);
    CHECK(report.at("checks").at("hits_agree") == true);
    CHECK(report.at("hits").at("checked") == report.at("workload").at("rays"));
    return std::pair{report.at("tracing").at("figures").at("simd_efficiency").as_double(),
                     read_file(out / "picture.png")};
  };
  for (const std::string structure : {"kd_tree", "bvh", "sbvh"}) {
    INFO(structure);
    const bool kd_tree = structure == "kd_tree";
    const std::string built = "workload.structure=" + structure;
    const auto [by_loops, picture] = run(kd_tree ? "trace_kd_tree" : "trace_while_while", {built});
    const auto [by_threads, same_picture] =
        run(kd_tree ? "trace_kd_tree_microkernels" : "trace_microkernels",
            {built, "gpu.sm.scheme=dynamic_microkernel", "gpu.sm.launch_unit=warp",
             std::string("gpu.sm.dynamic_microkernel.state_bytes=") + (kd_tree ? "48B" : "68B")});
    CHECK(by_threads > 1.25 * by_loops);
    CHECK(same_picture == picture);
  }
}

TEST_CASE("micro-kernel experiments: an SM holds the papers' threads, and hits are Embree's") {
  struct Expected {
    std::string experiment, kernel, block, threads;
  };
  for (const auto& [experiment, kernel, block, threads] :
       {Expected{"dmk_microkernels", "trace_kd_tree_microkernels", "64", " 25     800  registers"},
        Expected{"simulated_microkernels", "trace_adaptive_microkernels", "192", " 54    1728  registers"}}) {
    INFO(experiment);
    const fs::path tree = RECONVERGE_SOURCE_DIR;
    const std::string file = (tree / "yaml/experiments" / experiment).string() + ".yaml";
    const std::string ptx = (tree / "platforms/kernels" / kernel).string() + ".ptx";
    const ProgramResult held =
        run_program({"inspect", "occupancy", ptx, "--platform", file, "--by-warp", "--block", block});
    CHECK_THAT(held.output, Contains(threads));
    const TemporaryFolder place;
    const std::string out = (place.path() / "out").string();
    std::vector<std::string> words{"run", file, "--out", out};
    for (const std::string setting : {"gpu.sms=2", "workload.scene=conference_small", "workload.width=48",
                                      "workload.height=36", "workload.samples=1", "workload.bounces=2"}) {
      words.insert(words.end(), {"--set", setting});
    }
    const ProgramResult result = run_program(words);
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    CHECK(report_in(out).at("hits").at("mismatches") == 0);
    CHECK(report_in(out).at("hits").at("checked") == report_in(out).at("workload").at("rays"));
  }
}

TEST_CASE("SBVH, kd-tree and grids give the picture of the BVH under every scheme") {
  const TemporaryFolder place;
  const fs::path kernels = fs::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels";
  int runs = 0;
  const auto run = [&](const std::string& scheme, const std::string& structure, const std::string& kernel,
                       const std::vector<std::string>& options) {
    const fs::path out = place.path() / std::to_string(runs++);
    std::vector<std::string> words{"--out", out.string(), "--set", "workload.scene=conference_small"};
    for (const std::string& setting :
         {"gpu.sm.scheme=" + scheme, "workload.structure=" + structure, "workload.trace_kernel=" + kernel,
          "workload.trace_program=" + (kernels / kernel).string() + ".ptx"}) {
      words.insert(words.end(), {"--set", setting});
    }
    for (const std::string& setting : options) words.insert(words.end(), {"--set", setting});
    const ProgramResult result = run_program(small_run(words));
    INFO(structure << " " << scheme << ": " << result.errors);
    REQUIRE(result.exit_code == 0);
    const json::value report = report_in(out);
    CHECK(report.at("checks").at("hits_agree") == true);
    CHECK(report.at("hits").at("checked") == report.at("workload").at("rays"));
    CHECK(report.at("workload").at("structure").at("kind").as_string() == structure);
    return std::pair{report.at("workload").at("structure"), read_file(out / "picture.png")};
  };
  for (const std::string scheme : {"reconvergence_stack", "mimd", "thread_block_compaction"}) {
    const std::string picture = run(scheme, "bvh", "trace_while_while", {}).second;
    const auto [split, by_split] = run(scheme, "sbvh", "trace_while_while", {});
    const auto [tree, by_tree] = run(scheme, "kd_tree", "trace_kd_tree", {});
    const auto [low, by_low] = run(scheme, "kd_tree", "trace_kd_tree", {"workload.kd_max_depth=9"});
    const auto [grid, by_grid] = run(scheme, "grid", "trace_grid", {});
    const auto [coarse, by_coarse] = run(scheme, "grid", "trace_grid", {"workload.grid_density=0.5"});
    const auto [given, by_given] =
        run(scheme, "grid", "trace_grid",
            {"workload.grid_cells_x=9", "workload.grid_cells_y=8", "workload.grid_cells_z=7"});
    for (const std::string& other : {by_split, by_tree, by_low, by_grid, by_coarse, by_given}) CHECK(other == picture);
    CHECK(split.at("duplicates").as_int64() > 0);
    CHECK(split.at("bytes").as_int64() > 64 * split.at("nodes").as_int64());
    CHECK(low.at("depth") == 9);
    CHECK(tree.at("depth").as_int64() > 9);
    CHECK(tree.at("entries").as_int64() > low.at("entries").as_int64());
    CHECK(coarse.at("nodes").as_int64() < grid.at("nodes").as_int64());
    CHECK(given.at("nodes") == 9 * 8 * 7);
  }
}

TEST_CASE("a scene's file is seen by the camera of the experiment") {
  const TemporaryFolder place;
  const fs::path scene =
      place.write("one.ply",
                  "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  int runs = 0;
  const auto hits_with = [&](const std::vector<std::string>& settings) {
    const fs::path out = place.path() / std::to_string(runs++);
    std::vector<std::string> words{"--out", out.string(), "--set", "workload.scene=" + scene.string()};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", "workload.camera." + setting});
    const ProgramResult result = run_program(small_run(words));
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    // Only rays that hit the triangle continue to a second bounce.
    const json::value report = report_in(out);
    CHECK(report.at("checks").at("hits_agree") == true);
    return report.at("workload").at("rays").as_int64();
  };
  const std::vector<std::string> near{"eye=[0.3, 0.3, 0.4]", "look_at=[0.3, 0.3, 0]", "up=[0, 1, 0]"};
  std::vector<std::string> wide = near;
  wide.emplace_back("field_of_view=120");
  const std::int64_t all = hits_with({"eye=[0.3, 0.3, 0.01]", "look_at=[0.3, 0.3, 0]", "up=[0, 1, 0]"});
  CHECK(hits_with(near) < all);
  CHECK(hits_with(wide) < hits_with(near));
  CHECK(hits_with({}) < all);
}

TEST_CASE("settings can make memory absent or fixed-latency or ideal") {
  const TemporaryFolder place;
  const auto cycles = [&](const std::string& name, const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = small_run({"--out", (place.path() / name).string()});
    for (const std::string& setting : settings) arguments.insert(arguments.end(), {"--set", setting});
    const ProgramResult result = run_program(arguments);
    INFO(name << ": " << result.errors);
    REQUIRE(result.exit_code == 0);
    const json::value report = report_in(place.path() / name);
    CHECK(report.at("checks").at("hits_agree") == true);
    return report.at("total").at("figures").at("cycles").as_int64();
  };
  const auto whole = cycles("hierarchy", {});
  const auto uncached = cycles("uncached", {"gpu.sm.l1.capacity=0 B", "gpu.sm.texture_cache.capacity=0 B",
                                            "gpu.sm.constant_cache.capacity=0 B", "gpu.l2.capacity=0 B"});
  const auto slow = cycles("slow", {"gpu.memory=fixed_latency", "gpu.fixed_latency.latency=900"});
  const auto fast = cycles("fast", {"gpu.memory=fixed_latency", "gpu.fixed_latency.latency=300"});
  const auto ideal = cycles("ideal", {"gpu.memory=fixed_latency", "gpu.fixed_latency.latency=1",
                                      "gpu.sm.l1.hit_latency=1", "gpu.sm.l1.banks=64", "gpu.sm.load_store.units=8",
                                      "gpu.sm.l1.mshrs=4096", "gpu.sm.texture_cache.capacity=0 B",
                                      "gpu.sm.constant_cache.capacity=0 B", "gpu.sm.load_store.constant_latency=1"});
  CHECK(uncached > whole);
  CHECK(slow > fast);
  CHECK(fast > ideal);
  CHECK(whole > ideal);
}

TEST_CASE("two runs give the same bytes in any folder") {
  const TemporaryFolder place;
  REQUIRE(run_program(small_run({"--out", (place.path() / "first").string()})).exit_code == 0);
  REQUIRE(run_program(small_run({"--quiet", "--out", (place.path() / "second").string()})).exit_code == 0);
  CHECK(names_in(place.path() / "first") == whole_report);
  for (const std::string& name : whole_report) {
    INFO(name);
    CHECK(read_file(place.path() / "first" / name) == read_file(place.path() / "second" / name));
  }
}

TEST_CASE("a run gives the same bytes with an empty, full, damaged or no cache") {
  const TemporaryFolder place;
  const fs::path cache = place.path() / "cache";
  struct Environment {
    explicit Environment(const std::string& value) { setenv("RECONVERGE_CACHE", value.c_str(), 1); }
    ~Environment() { setenv("RECONVERGE_CACHE", "off", 1); }
  };
  const auto run_into = [&](const std::string& name) {
    const ProgramResult result = run_program(small_run({"--out", (place.path() / name).string()}));
    REQUIRE(result.exit_code == 0);
    return result.errors;
  };
  {
    const Environment off("off");
    CHECK(run_into("without").empty());
    CHECK_FALSE(fs::exists(cache));
  }
  const Environment kept(cache.string());
  CHECK(run_into("empty").empty());
  const std::vector<std::string> files = names_in(cache);
  REQUIRE(files.size() == 1);
  const std::string image = read_file(cache / files.front());
  CHECK(run_into("full").empty());
  std::string damaged = image;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  place.write("cache/" + files.front(), damaged);
  CHECK_THAT(run_into("damaged"), Contains("is damaged") && Contains("rebuilt"));
  CHECK(read_file(cache / files.front()) == image);
  CHECK(names_in(cache) == files);
  for (const std::string& name : whole_report) {
    INFO(name);
    const std::string due = read_file(place.path() / "without" / name);
    for (const auto* other : {"empty", "full", "damaged"}) CHECK(read_file(place.path() / other / name) == due);
  }
}

TEST_CASE("the configuration in a report runs again to the same figures") {
  const TemporaryFolder place;
  const fs::path first = place.path() / "first";
  const fs::path second = place.path() / "second";
  REQUIRE(run_program(small_run({"--out", first.string()})).exit_code == 0);
  REQUIRE(run_program({"run", (first / "effective.yaml").string(), "--out", second.string()}).exit_code == 0);
  CHECK(read_file(first / "report.json") == read_file(second / "report.json"));
  CHECK(read_file(first / "picture.png") == read_file(second / "picture.png"));
}

TEST_CASE("a dumped configuration loads to itself") {
  const TemporaryFolder place;
  const ProgramResult first = run_program(small_run({"--dump-config"}), {place.path()});
  REQUIRE(first.exit_code == 0);
  CHECK_THAT(first.output, Contains("sms: 2  # command line") && Contains("conference.yaml:"));
  place.write("dumped.yaml", first.output);
  const ProgramResult second = run_program({"run", "dumped.yaml", "--dump-config"}, {place.path()});
  REQUIRE(second.exit_code == 0);
  CHECK(without_comments(first.output) == without_comments(second.output));
  CHECK(names_in(place.path()) == std::vector<std::string>{"dumped.yaml"});
}

TEST_CASE("without --out the report goes to out/<name>") {
  const TemporaryFolder place;
  REQUIRE(run_program(small_run({"--set", "name=small"}), {place.path()}).exit_code == 0);
  CHECK(names_in(place.path() / "out" / "small") == whole_report);
}

TEST_CASE("a quiet run prints nothing") {
  const TemporaryFolder place;
  const ProgramResult result = run_program(small_run({"--quiet", "--out", (place.path() / "out").string()}));
  CHECK(result.exit_code == 0);
  CHECK(result.output.empty());
  CHECK(result.errors.empty());
}

TEST_CASE("progress is shown on a terminal, and nowhere else") {
  const TemporaryFolder place;
  const std::vector<std::string> arguments = small_run({"--out", (place.path() / "out").string()});
  ProgramOptions terminal;
  terminal.terminal = true;
  const ProgramResult shown = run_program(arguments, terminal);
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.output, Contains("\r\x1b[Kbounce 1: ") && Contains("krays/s"));
  const ProgramResult hidden = run_program(arguments);
  CHECK(hidden.output.find('\r') == std::string::npos);
  CHECK(hidden.errors.empty());
}

TEST_CASE("wrong hits are counted, shown and end with exit code 1") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const std::string program = place.write("lazy.ptx", lazy_traversal());
  const ProgramResult result = run_program(small_run(
      {"--set", "workload.trace_program=" + program, "--set", "workload.trace_kernel=bad", "--out", out.string()}));
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.output, Contains(" mismatches\n  bounce 1, ray 0:"));
  CHECK(names_in(out) == whole_report);
  CHECK(report_in(out).at("checks").at("hits_agree") == false);
  CHECK(report_in(out).at("hits").at("mismatches").as_int64() > 0);
}

TEST_CASE("the MIMD ideal traces the same rays to the same hits, and accounts for every slot") {
  const TemporaryFolder place;
  const fs::path out = place.path() / "out";
  const ProgramResult result = run_program(small_run({"--set", "gpu.sm.scheme=mimd", "--out", out.string()}));
  INFO(result.output);
  CHECK(result.exit_code == 0);
  CHECK(report_in(out).at("platform").at("scheme") == "mimd");
}

TEST_CASE("a run with a cycle limit counts the rays that are done by then") {
  const TemporaryFolder place;
  const fs::path kernels = fs::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels";
  int runs = 0;
  const auto run = [&](const std::string& kernel, const std::vector<std::string>& settings) {
    const fs::path out = place.path() / std::to_string(runs++);
    std::vector<std::string> words{"--out", out.string(), "--set", "workload.structure=kd_tree", "--set", "gpu.sms=1"};
    words.insert(words.end(), {"--set", "workload.trace_program=" + (kernels / kernel).string() + ".ptx", "--set",
                               "workload.trace_kernel=" + kernel});
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    const ProgramResult result = run_program(small_run(words));
    INFO(result.errors);
    REQUIRE(result.exit_code == 0);
    return std::pair{report_in(out), result.output};
  };
  const auto cycles_of = [](const json::value& stage) { return stage.at("figures").at("cycles").as_int64(); };
  for (const std::string kernel : {"trace_kd_tree", "trace_kd_tree_microkernels"}) {
    INFO(kernel);
    std::vector<std::string> settings;
    if (kernel == "trace_kd_tree_microkernels") settings = {"gpu.sm.scheme=dynamic_microkernel"};
    const json::value whole = run(kernel, settings).first;
    CHECK(whole.at("stopped_after").is_null());
    const std::int64_t all = cycles_of(whole.at("stages").at(0));
    std::int64_t done_before = 0;
    for (const std::int64_t cycles : {all / 2, all * 3 / 4, all - 1}) {
      std::vector<std::string> cut = settings;
      cut.push_back("stop_after=" + std::to_string(cycles));
      const auto [report, shown] = run(kernel, cut);
      CHECK_THAT(shown, Contains("Stopped after"));
      CHECK(report.at("partial") == false);
      CHECK(report.at("stopped_after") == cycles);
      CHECK(report.at("picture").is_null());
      CHECK(report.at("checks").at("issue_slots_add_up") == true);
      REQUIRE(report.at("stages").as_array().size() == 1);
      const json::value& stage = report.at("stages").at(0);
      CHECK(stage.at("completed") == false);
      CHECK(cycles_of(stage) == cycles);
      const std::int64_t done = stage.at("rays_done").as_int64();
      CHECK(done >= done_before);
      CHECK(done < stage.at("rays").as_int64());
      CHECK(stage.at("figures").at("rays") == done);
      done_before = done;
    }
    CHECK(done_before > 0);
    settings.push_back("stop_after=" + std::to_string(10 * all));
    CHECK(run(kernel, settings).first == whole);
  }
  const std::vector<std::string> staying{
      "--set", "stop_after=1000",
      "--set", "workload.trace_program=" + (kernels / "trace_persistent.ptx").string(),
      "--set", "workload.trace_kernel=trace_persistent"};
  const ProgramResult refused = run_program(small_run(staying));
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.errors, Contains("stop_after") && Contains("trace many rays each"));
}
