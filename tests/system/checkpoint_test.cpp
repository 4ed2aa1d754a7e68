// SPDX-License-Identifier: Apache-2.0
// `--checkpoint` and `--from`: a run that continues has the report of one that was never interrupted.

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/system/program.hpp"
#include "tests/system/reports.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words with_settings(const std::string& experiment, const Words& settings) {
  Words words{"run", experiments + experiment};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return words;
}

/// A run and its files, in one folder.
class StoredRun {
 public:
  explicit StoredRun(Words words) : words_(std::move(words)) { REQUIRE(run("whole", {}).exit_code == 0); }

  std::string checkpoint() const { return (place_.path() / "c").string(); }
  fs::path report(const std::string& name) const { return place_.path() / name; }
  ProgramResult run(const std::string& report_name, const Words& more) const {
    ProgramResult result =
        run_program(joined(joined(words_, more), {"--quiet", "--out", report(report_name).string()}));
    INFO(result.errors);
    return result;
  }
  /// The checkpoint of the part of the run before half of its cycles.
  void store_half() const {
    const double cycles = figures_in(report("whole")).at("cycles").to_number<double>();
    const std::string half = std::to_string(static_cast<std::uint64_t>(cycles / 2));
    REQUIRE(run("half", {"--checkpoint", checkpoint(), "--max-cycles", half}).exit_code == 6);
  }
  void check_continues(const Words& more = {}) const {
    fs::remove_all(report("continued"));
    const ProgramResult result = run("continued", joined({"--from", checkpoint()}, more));
    CAPTURE(result.errors);
    CHECK(result.exit_code == 0);
    check_same(report("whole"), report("continued"));
  }

 private:
  TemporaryFolder place_;
  Words words_;
};

}  // namespace

TEST_CASE("a run that continues after half of its cycles has the report of an uninterrupted run") {
  const Words run = GENERATE_COPY(
      small_run(),
      small_run({"--set", "gpu.sm.scheme=subwarp_interleaving", "--set", "gpu.sm.subwarp_interleaving.order=random",
                 "--set", "gpu.sm.scheduler.policy=two_level"}),
      small_run({"--set", "gpu.sm.scheme=thread_block_compaction", "--set", "gpu.memory=fixed_latency"}),
      small_run({"--set", "gpu.sm.scheme=mimd", "--profile", "--interval", "100"}),
      with_settings("drs_shuffling.yaml", {"workload.scene=box", "workload.max_rays=4096", "gpu.sms=2"}),
      with_settings("dmk_microkernels.yaml", {"workload.scene=box", "workload.width=32", "workload.height=24"}),
      with_settings("turing_trace_unit.yaml", {"workload.scene=box", "workload.width=32", "workload.height=24"}),
      with_settings("every_machine/julia_multi_pass.yaml", {}), with_settings("every_machine/julia_streams.yaml", {}));
  CAPTURE(run);
  const StoredRun stored(run);
  stored.store_half();
  // Continues, and stores the rest in the same file.
  stored.check_continues({"--checkpoint", stored.checkpoint()});
  // Only the report is missing.
  stored.check_continues();
}

TEST_CASE("a run continues from the last state of its checkpoint") {
  const StoredRun stored(small_run());
  const std::string every = GENERATE("2", "4", "5");
  CAPTURE(every);
  REQUIRE(stored.run("first", {"--checkpoint", stored.checkpoint(), "--every", every}).exit_code == 0);
  check_same(stored.report("whole"), stored.report("first"));
  stored.check_continues({"--threads", "1"});
}

TEST_CASE("a run continues with the heap and the module variables of its kernels") {
  const TemporaryFolder place;
  // Threads exchange the parts of the heap that they got in the previous launch, so addresses depend on its whole
  // history.
  std::ofstream(place.path() / "churn.ptx") << R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.global .u32 rounds = 7;
.visible .entry churn(.param .u64 parts, .param .u64 sums)
{
  .reg .b64 %rd<8>;
  .reg .b32 %r<8>;
  .reg .pred %p<3>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r0, %r1, %r2;
  ld.param.u64 %rd0, [parts];
  ld.param.u64 %rd1, [sums];
  mul.wide.u32 %rd2, %r0, 8;
  add.u64 %rd0, %rd0, %rd2;
  mul.wide.u32 %rd2, %r0, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u64 %rd3, [%rd0];
  setp.eq.u64 %p0, %rd3, 0;
  @%p0 bra get;
  ld.u32 %r3, [%rd3];
  ld.global.u32 %r4, [rounds];
  add.u32 %r3, %r3, %r4;
  st.global.u32 [%rd1], %r3;
  and.b32 %r5, %r0, 3;
  setp.eq.u32 %p1, %r5, 1;
  @%p1 bra get;
  { .param .b64 a; st.param.b64 [a], %rd3; call.uni free, (a); }
get:
  and.b32 %r5, %r0, 7;
  mul.wide.u32 %rd4, %r5, 16;
  add.u64 %rd4, %rd4, 16;
  { .param .b64 a; .param .b64 r; st.param.b64 [a], %rd4; call.uni (r), malloc, (a); ld.param.b64 %rd5, [r]; }
  ld.global.u32 %r6, [%rd1];
  st.u32 [%rd5], %r6;
  st.global.u64 [%rd0], %rd5;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra done;
  ld.global.u32 %r4, [rounds];
  add.u32 %r4, %r4, 1;
  st.global.u32 [rounds], %r4;
done:
  ret;
}
)";
  const std::string experiment = (place.path() / "churn.yaml").string();
  std::ofstream(experiment) << "extends: " RECONVERGE_SOURCE_DIR "/yaml/platforms/gtx780.yaml\n"
                            << R"(name: churn
gpu: {sms: 3}
buffers:
  parts: {type: u64, count: 512}
  sums: {type: u32, count: 512}
launches:
  - repeat: 6
    launches:
      - {program: churn.ptx, threads: 512, block: 64, arguments: [parts, sums]}
outputs:
  - {buffer: parts, raw: parts.bin}
  - {buffer: sums, raw: sums.bin}
)";
  const std::string machine = GENERATE("timed", "functional");
  const StoredRun stored({"run", experiment, "--set", "machine=" + machine});
  REQUIRE(stored.run("first", {"--checkpoint", stored.checkpoint(), "--every", "4"}).exit_code == 0);
  stored.check_continues();
}

TEST_CASE("a record that was cut short does not count, and a damaged one is refused") {
  const StoredRun stored(small_run());
  stored.store_half();
  fs::resize_file(stored.checkpoint(), fs::file_size(stored.checkpoint()) - 1);
  stored.check_continues();
  std::fstream file(stored.checkpoint(), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(100).put('?').put('!');
  file.close();
  const ProgramResult result = stored.run("damaged", {"--from", stored.checkpoint()});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("damaged"));
  CHECK_FALSE(fs::exists(stored.report("damaged")));
}

TEST_CASE("a checkpoint of another run is refused, and so are options that it cannot serve") {
  const StoredRun stored(small_run());
  stored.store_half();
  const auto refused = [&](const Words& more, const std::string& message) {
    CAPTURE(more);
    const ProgramResult result = stored.run("refused", more);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.errors, Contains(message));
    CHECK_FALSE(fs::exists(stored.report("refused")));
  };
  refused({"--from", stored.checkpoint(), "--set", "gpu.sm.l1.ways=2"}, "of another run; these differ: command");
  refused({"--from", stored.checkpoint(), "--max-cycles", "10"}, "more than 10 cycles");
  refused({"--from", saxpy}, "not a checkpoint");
  refused({"--from", stored.checkpoint(), "--log", "l"}, "--log");
  refused({"--checkpoint", stored.checkpoint(), "--sweep", "gpu.sms=1,2"}, "one run");
  refused({"--every", "2"}, "--checkpoint");
}

TEST_CASE("a file that is no checkpoint is kept, and a run that never begins leaves no checkpoint") {
  const TemporaryFolder place;
  const std::string file = (place.path() / "notes").string();
  std::ofstream(file) << "mine";
  const std::string out = (place.path() / "out").string();
  const ProgramResult kept = run_program({"run", saxpy, "--checkpoint", file, "--out", out, "--quiet"});
  CHECK(kept.exit_code == 4);
  CHECK(read_file(file) == "mine");
  const std::string unused = (place.path() / "unused").string();
  const ProgramResult failed = run_program(
      {"run", saxpy, "--checkpoint", unused, "--out", out, "--quiet", "--set", "gpu.sm.register_file.registers=64"});
  CHECK(failed.exit_code == 2);
  CHECK_FALSE(fs::exists(unused));
}
