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

void run_on_machines(const TemporaryFolder& place, const std::string& program) {
  for (const std::vector<std::string>& machine : machines) {
    std::vector<std::string> words = machine;
    words.insert(words.end(), {"--quiet", "--force", program});
    const ProgramResult run = exec(place, words);
    INFO(program << '\n' << run.output << run.errors);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.output, Contains("PASSED"));
    CHECK(run.errors.empty());
    CHECK(report_of(place, fs::path(program).filename()).at("launches").as_array().size() >= 1);
  }
}

}  // namespace

TEST_CASE("the examples verify themselves on three machines") {
  const auto* const name = GENERATE("vector_sum", "matrix_product", "reduction", "breadth_first_search", "n_body",
                                    "histogram", "path_tracer");
  const TemporaryFolder place;
  run_on_machines(place, build(place, (examples / name).replace_extension(".cu")));
  CHECK(fs::exists(place.path() / "path_tracer.png") == (std::string(name) == "path_tracer"));
}

TEST_CASE("a program of several files builds with its Makefile") {
  const TemporaryFolder place;
  const fs::path library = place.path() / "library";
  fs::copy(examples / "vector_library", library, fs::copy_options::recursive);
  const std::string make = "make -C '" + library.string() + "' NVCC='" RECONVERGE_PROGRAM " build' >'" +
                           (place.path() / "make.log").string() + "' 2>&1";
  INFO(make);
  REQUIRE(std::system(make.c_str()) == 0);
  run_on_machines(place, "library/vector_library");
}

TEST_CASE("memory, variables, textures, streams, events, groups and threads of the host do what CUDA says") {
  const auto* const name = GENERATE("memory", "streams", "threads", "managed", "groups", "half", "half_arithmetic");
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
  CHECK(report.at("launches").at(1).at("runs") == 1);
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

TEST_CASE("a sweep runs a program once for each combination, and collects the figures") {
  const TemporaryFolder place;
  const std::string program = build(place, programs / "fault.cu");
  const auto sweep = [&](const char* how) {
    return exec(place, {"--sweep", "gpu.sms=1,2", "--columns", "cycles,simd_efficiency", "--force", program, how});
  };
  const ProgramResult run = sweep("n");
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.output, Contains("sms=1:") && Contains("sms=2:") && Contains("launch: cudaSuccess"));
  const std::string table = read_file(place.path() / "out/fault-sweep/runs.csv");
  CHECK_THAT(table, Contains("folder,experiment,gpu.sms,status,cycles,simd_efficiency\ngpu.sms=1,fault,1,ok,"));
  CHECK(fs::exists(place.path() / "out/fault-sweep/gpu.sms=2/report.json"));
  const ProgramResult failed = sweep("e");
  CHECK(failed.exit_code == 7);
  CHECK_THAT(failed.output, Contains("exit code 7"));
  CHECK_THAT(exec(place, {"--sweep", "gpu.sms=0,1", program}).errors, Contains("gpu.sms: 0 is below the range"));
  CHECK_THAT(exec(place, {"--sweep", "gpu.sms=1,2", "--log", "x", program}).errors, Contains("leave --sweep out"));
  CHECK_THAT(exec(place, {"--columns", "cycles", program}).errors, Contains("no table of several"));
}

TEST_CASE("a program leaves a trace and a log of its warps, and a limit of time ends it") {
  const TemporaryFolder place;
  const std::string program = build(place, examples / "vector_sum.cu");
  const ProgramResult run = exec(place, {"--quiet", "--trace", "sum.pftrace", "--log", "sum.log", program});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK(run.errors.empty());
  CHECK(fs::file_size(place.path() / "sum.pftrace") > 1000);
  CHECK_THAT(read_file(place.path() / "sum.log"), Contains("add") && Contains("st.global"));
  CHECK_THAT(exec(place, {"--log", "x.log", "--set", "machine=functional", program}).errors,
             Contains("no timed warps for --trace and --log"));
  CHECK_THAT(exec(place, {"--log", "vector_sum.cpp", "--trace", "vector_sum.cpp", program}).errors,
             Contains("both write"));

  const std::string faulty = build(place, programs / "fault.cu");
  const ProgramResult failed = exec(place, {"--quiet", "--log", "fault.log", faulty, "a"});
  CHECK_THAT(failed.errors, Contains("the log of the warps up to the error is in"));
  const ProgramResult stopped = exec(place, {"--quiet", "--force", "--max-seconds", "0.000001", program});
  CHECK(stopped.exit_code == 6);
  CHECK_THAT(stopped.errors, Contains("before its first kernel ended; there is no report"));
}

TEST_CASE("multiply-adds are fused unless the build says no") {
  const TemporaryFolder place;
  place.write("fused.cu", R"(
__global__ void fused(float* a, float b) { a[threadIdx.x] = a[threadIdx.x] * b + b; }
int main() {
  register int unused = 1;
  float* a;
  cudaMalloc(&a, 128);
  fused<<<1, 32>>>(a, 2);
  return cudaDeviceSynchronize() + unused - 1;
}
)");
  for (const bool allowed : {true, false}) {
    std::vector<std::string> more;
    if (!allowed) more.emplace_back("-fmad=false");
    const std::string program = build(place, place.path() / "fused.cu", more);
    CHECK(exec(place, {"--quiet", "--force", program}).exit_code == 0);
    CHECK((read_file(place.path() / "out/fused/fused.ptx").find("fma.rn.f32") != std::string::npos) == allowed);
  }
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

TEST_CASE("Thrust and CUB compile from the headers of a toolkit, and run") {
  const std::string headers = "/usr/local/cuda/include/cccl";
  if (!fs::exists(headers)) {
    WARN("no " << headers << ": not tried");
    return;
  }
  const TemporaryFolder place;
  const std::string program = build(place, programs / "thrust.cu", {"-DCUDART_VERSION=12090", "-I" + headers});
  const ProgramResult run = exec(place, {"--quiet", program});
  INFO(run.output << run.errors);
  CHECK(run.output == "PASSED\n");
}

TEST_CASE("a program of another version is refused, with both versions") {
  const TemporaryFolder place;
  build(place, examples / "vector_sum.cu");
  std::string bytes = read_file(place.path() / "vector_sum");
  // `reconverge 1.0.0 (...)`
  const std::string version = run_program({"--version"}).output;
  const std::size_t begin = version.find(' ') + 1;
  const std::string ours = version.substr(begin, version.find_first_of(" \n", begin) - begin);
  const std::string text = ours + '\0';
  REQUIRE(bytes.find(text) != std::string::npos);
  for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text)) bytes[at] = '9';
  place.write("vector_sum", bytes);
  const ProgramResult run = exec(place, {"./vector_sum"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.errors, Contains("built by reconverge 9" + ours.substr(1)) && Contains("reconverge " + ours + ";"));
}

TEST_CASE("PyCUDA runs kernels of PTX") {
  // Debian's PyCUDA is for Debian's Python.
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import pycuda, numpy' >/dev/null 2>&1").c_str()) != 0) {
    WARN("no PyCUDA for /usr/bin/python3: not tried");
    return;
  }
  const TemporaryFolder place;
  place.write("twice.cu", R"(
extern "C" __global__ void twice(float* a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) a[i] *= 2;
}
)");
  REQUIRE(run_program({"compile", "twice.cu"}, {place.path()}).exit_code == 0);
  const ProgramResult run = exec(place, {"--quiet", python, (programs / "with_pycuda.py").string(), "twice.ptx"});
  INFO(run.output << run.errors);
  CHECK(run.exit_code == 0);
  CHECK(run.output == "PASSED\n");
}

TEST_CASE("executables of nvcc run") {
  const fs::path nvcc = "/usr/local/cuda/bin/nvcc";
  if (!fs::exists(nvcc)) {
    WARN("no nvcc: not tried");
    return;
  }
  const TemporaryFolder place;
  fs::path source;
  const auto make = [&](const std::string& options, const std::string& name) {
    const std::string command = nvcc.string() + " " + options + " " + source.string() + " -o " +
                                (place.path() / name).string() + " >/dev/null 2>&1";
    return std::system(command.c_str()) == 0;
  };
  const std::string wanted = "-std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75";
  for (const char* const each : {"managed.cu", "groups.cu", "half_arithmetic.cu"}) {
    source = programs / each;
    REQUIRE(make(wanted, "shared"));
    const ProgramResult run = exec(place, {"--quiet", "--force", "./shared"});
    INFO(run.output << run.errors);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.output, Contains("PASSED"));
  }
  for (const fs::directory_entry& each : fs::directory_iterator(examples)) {
    if (each.path().extension() != ".cu") continue;
    source = each.path();
    REQUIRE(make(wanted, "example"));
    run_on_machines(place, "./example");
  }
  source = examples / "vector_sum.cu";
  REQUIRE(make("-cudart static", "static"));
  CHECK_THAT(exec(place, {"./static"}).errors, Contains("linked statically") && Contains("-cudart shared"));
  REQUIRE(make("-cudart shared -gencode arch=compute_90,code=sm_90", "machine_code"));
  CHECK_THAT(exec(place, {"./machine_code"}).errors, Contains("arch=compute_75,code=compute_75"));
}
