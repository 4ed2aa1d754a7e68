// SPDX-License-Identifier: Apache-2.0
/// `build` and `exec`: unmodified CUDA programs print what they print on a GPU, and leave a report.

#include <boost/json/parse.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

const fs::path examples = RECONVERGE_SOURCE_DIR "/examples/cuda";
const fs::path programs = RECONVERGE_SOURCE_DIR "/tests/system/cuda/programs";

const std::vector<std::vector<std::string>> machines = {
    {"--set", "machine=functional"},
    {"--platform", "turing.yaml"},
    {"--platform", "gtx780.yaml", "--set", "gpu.sms=2", "--set", "gpu.sm.scheme=mimd"}};

/// Builds a program in `place`, and returns its name.
std::string build(const TemporaryFolder& place, const fs::path& source, std::vector<std::string> more = {}) {
  const std::string name = "./" + source.stem().string();
  std::vector<std::string> words{"build", source.string(), "-o", name};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramResult made = run_program(words, {place.path()});
  INFO(made.errors);
  REQUIRE(made.exit_code == 0);
  CHECK(made.errors.empty());
  CHECK(made.output.empty());
  return name;
}

ProgramResult exec(const TemporaryFolder& place, std::vector<std::string> words) {
  words.insert(words.begin(), "exec");
  return run_program(words, {place.path()});
}

json::object report_of(const TemporaryFolder& place, const std::string& name) {
  return json::parse(read_file(place.path() / "out" / name / "report.json")).as_object();
}

}  // namespace

TEST_CASE("the examples verify themselves on three machines") {
  const auto* const name =
      GENERATE("vector_sum", "matrix_product", "reduction", "breadth_first_search", "n_body", "histogram");
  const TemporaryFolder place;
  const std::string program = build(place, (examples / name).replace_extension(".cu"));
  for (const std::vector<std::string>& machine : machines) {
    std::vector<std::string> words = machine;
    words.insert(words.end(), {"--quiet", program});
    const ProgramResult run = exec(place, words);
    INFO(name << '\n' << run.output << run.errors);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.output, Contains("PASSED"));
    CHECK(run.errors.empty());
    CHECK(report_of(place, name).at("launches").as_array().size() >= 1);
  }
}

TEST_CASE("a program of several files builds with its Makefile, and one writes a picture") {
  const TemporaryFolder place;
  fs::copy(examples / "vector_library", place.path() / "library", fs::copy_options::recursive);
  const std::string make = "make -C '" + (place.path() / "library").string() +
                           "' NVCC='" RECONVERGE_PROGRAM " build' >'" + (place.path() / "make.log").string() + "' 2>&1";
  INFO(make);
  REQUIRE(std::system(make.c_str()) == 0);
  const std::string program = build(place, examples / "path_tracer.cu");
  const ProgramResult run = exec(place, {"--quiet", program});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK(read_file(place.path() / "path_tracer.png").starts_with("\x89PNG"));
}

TEST_CASE("memory, textures, streams, events and threads of the host do what CUDA says") {
  const auto* const name = GENERATE("memory", "streams", "threads");
  const TemporaryFolder place;
  const std::string program = build(place, (programs / name).replace_extension(".cu"));
  const ProgramResult run = exec(place, {"--quiet", program});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("PASSED"));
  const ProgramResult slow = exec(place, {"--quiet", "--set", "host_link.bandwidth=1 GiB", program});
  if (std::string(name) == "streams") {
    CHECK_THAT(run.output, Contains("copy: 0.088778 ms"));
    CHECK_THAT(slow.output, Contains("copy: 0.976562 ms"));
  }
}

TEST_CASE("the driver runs kernels of PTX text by their names") {
  const TemporaryFolder place;
  const std::string program = build(place, programs / "driver.cpp", {"-lcuda"});
  const ProgramResult run = exec(place, {"--quiet", program});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK(run.output == "PASSED\n");
  CHECK_THAT(run.errors, Contains("driver.ptx") || Contains("driver_2.ptx"));
  const json::object report = report_of(place, "driver");
  CHECK(report.at("launches").at(0).at("runs") == 2);
}

TEST_CASE("a kernel that fails gives the program CUDA's code, and the user a message") {
  const TemporaryFolder place;
  const std::string program = build(place, programs / "fault.cu");
  const auto codes = [](const std::string& code) {
    return "launch: cudaSuccess\nsynchronize: " + code + "\nlast: " + code + "\nfree: " + code + "\n";
  };
  struct Case {
    const char* how;
    const char* code;
    const char* message;
  };
  for (const Case& each : {Case{"a", "cudaErrorIllegalAddress", "write outside every buffer"},
                           Case{"m", "cudaErrorMisalignedAddress", "misaligned 4-byte access"},
                           Case{"t", "cudaErrorLaunchFailure", "trap"}, Case{"s", "cudaErrorLaunchTimeout", "livelock"},
                           Case{"x", "cudaErrorAssert", "assertion 'how != 'x'' failed"}}) {
    const ProgramResult run = exec(place, {"--quiet", program, each.how});
    INFO(run.output << run.errors);
    CHECK(run.exit_code == 0);
    CHECK(run.output == codes(each.code));
    CHECK_THAT(run.errors, Contains("reconverge: error: ") && Contains(each.message) && Contains("fault.ptx:"));
  }
  const ProgramResult refused = exec(place, {"--quiet", program, "c"});
  CHECK(refused.output == "launch: cudaErrorInvalidConfiguration\nonce: cudaSuccess\nnext: cudaSuccess\n");
  CHECK_THAT(refused.errors, Contains("2000 threads a block, at most 1024"));
}

TEST_CASE("the report is written however the program ends") {
  const TemporaryFolder place;
  const std::string program = build(place, programs / "fault.cu");
  struct Case {
    const char* how;
    int exit_code;
    int signal;
  };
  for (const Case& each : {Case{"n", 0, 0}, Case{"e", 7, 0}, Case{"b", -1, SIGABRT}, Case{"q", -1, SIGSEGV},
                           Case{"h", -1, SIGSEGV}, Case{"w", -1, SIGABRT}}) {
    const ProgramResult run = exec(place, {"--out", std::string("out/") + each.how, program, each.how});
    INFO(each.how << '\n' << run.output << run.errors);
    CHECK(run.exit_code == each.exit_code);
    CHECK(run.signal == each.signal);
    CHECK_THAT(run.errors, Contains("Report in "));
    const json::object report = report_of(place, each.how);
    CHECK(report.at("launches").as_array().size() == 1);
    CHECK(report.at("launches").at(0).at("name") == "fail");
    CHECK(report.at("program").at("arguments").at(0) == each.how);
  }
}

TEST_CASE("limits stop a program, and what cannot run is refused before it starts") {
  const TemporaryFolder place;
  const std::string program = build(place, programs / "streams.cu");
  const ProgramResult stopped = exec(place, {"--quiet", "--max-cycles", "1000", program});
  CHECK(stopped.exit_code == 6);
  CHECK(report_of(place, "streams").at("partial") == true);

  CHECK_THAT(exec(place, {"./nothing"}).errors, Contains("there is no such program"));
  CHECK_THAT(exec(place, {"--platform", "nothing.yaml", program}).errors, Contains("no such platform"));
  CHECK_THAT(exec(place, {"--set", "gpu.sms=0", program}).errors, Contains("gpu.sms"));
  CHECK_THAT(exec(place, {"--set", "machine=streams", program}).errors, Contains("does not run CUDA programs"));
  CHECK_THAT(exec(place, {"--set", "workload.width=3", program}).errors, Contains("brings its own work"));
  CHECK_THAT(run_program({"run", "yaml/experiments/saxpy.yaml", "--set", "host_link.bandwidth=1 GiB"}).errors,
             Contains("experiments copy nothing"));
  const ProgramResult direct =
      run_program({}, {.folder = place.path(), .program = (place.path() / "streams").string()});
  CHECK(direct.exit_code == 2);
  CHECK_THAT(direct.errors, Contains("reconverge exec PROGRAM"));
}

TEST_CASE("an unsupported call names itself once and fails") {
  const TemporaryFolder place;
  place.write("graph.cu", R"(
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  cudaGraph_t graph;
  for (int i = 0; i < 2; ++i) std::printf("%s\n", cudaGetErrorName(cudaGraphCreate(&graph, 0)));
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
)");
  const std::string program = build(place, place.path() / "graph.cu");
  const ProgramResult run = exec(place, {"--quiet", program});
  CHECK(run.output == "cudaErrorNotSupported\ncudaErrorNotSupported\noperation not supported\n");
  CHECK_THAT(run.errors, Contains("cudaGraphCreate is not supported"));
  CHECK(run.errors.find("cudaGraphCreate") == run.errors.rfind("cudaGraphCreate"));
}

TEST_CASE("executables of nvcc run") {
  const fs::path nvcc = "/usr/local/cuda/bin/nvcc";
  if (!fs::exists(nvcc)) {
    WARN("no nvcc: not tried");
    return;
  }
  const TemporaryFolder place;
  const auto make = [&](const std::string& options, const std::string& name) {
    const std::string command = nvcc.string() + " " + options + " " + (examples / "vector_sum.cu").string() + " -o " +
                                (place.path() / name).string() + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
  };
  REQUIRE(make("-cudart shared -gencode arch=compute_75,code=compute_75", "shared"));
  const ProgramResult run = exec(place, {"--quiet", "./shared"});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("PASSED"));
  REQUIRE(make("-cudart static", "static"));
  CHECK_THAT(exec(place, {"./static"}).errors, Contains("linked statically") && Contains("-cudart shared"));
  REQUIRE(make("-cudart shared -gencode arch=compute_90,code=sm_90", "machine_code"));
  CHECK_THAT(exec(place, {"./machine_code"}).errors, Contains("arch=compute_75,code=compute_75"));
}
