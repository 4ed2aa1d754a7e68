// SPDX-License-Identifier: Apache-2.0
/// `compile`: PTX that runs, or the compiler's message and no output.

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "tests/system/program.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge::tests;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* own_kernel = RECONVERGE_SOURCE_DIR "/examples/own_kernel/divisors.cu";
const std::string clang = RECONVERGE_CLANG14;

/// False, with a message, if it is not installed.
bool have_clang() {
  if (clang.empty()) WARN("no clang 14: not tried");
  return !clang.empty();
}

ProgramResult compile(const TemporaryFolder& place, std::vector<std::string> words) {
  words.insert(words.begin(), "compile");
  return run_program(words, {place.path()});
}

/// A compiler made of a few lines of shell, in `place`.
std::string script(const TemporaryFolder& place, const std::string& name, const std::string& text) {
  const fs::path file = place.write(name, "#!/bin/sh\n" + text);
  chmod(file.c_str(), 0755);
  return file.string();
}

}  // namespace

TEST_CASE("compile turns CUDA C++ into PTX that runs at every optimisation level") {
  if (!have_clang()) return;
  for (const char* level : {"0", "1", "2", "3"}) {
    const TemporaryFolder place;
    const ProgramResult made = compile(place, {own_kernel, "--compiler", clang, "-O", level});
    INFO(level << made.errors);
    REQUIRE(made.exit_code == 0);
    CHECK(made.errors.empty());
    CHECK_THAT(made.output, Contains("divisors: 4 parameters, 24 bytes\n") && Contains("`program: divisors.ptx`"));
    CHECK(names_in(place.path()) == std::vector<std::string>{"divisors.ptx"});
    place.write("run.yaml", read_file(fs::path(own_kernel).replace_extension(".yaml")));
    const ProgramResult run = run_program({"run", "run.yaml"}, {place.path()});
    INFO(run.output << run.errors);
    CHECK(run.exit_code == 0);
    CHECK_THAT(run.output, Contains("8 values agree"));
  }
}

TEST_CASE("compile takes a source with host code, and the words of CUDA that device code uses") {
  if (!have_clang()) return;
  const TemporaryFolder place;
  place.write("words.cu", R"(
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__constant__ float weights[2];
extern "C" __global__ void __launch_bounds__(64) words(const float4* in, unsigned* sums, float* out) {
  extern __shared__ float tile[];
  const float4 v = __ldg(in + threadIdx.x);
  float sum = sqrtf(v.x) + __expf(v.y) * weights[0] + fmaxf(v.z, max(v.w, 1.0f)) + make_float2(1, 2).y;
  tile[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 16; distance != 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (__popc(__ballot_sync(~0u, sum > 1)) > 3) atomicAdd(sums, __match_any_sync(~0u, threadIdx.x % 3));
  atomicMin(sums + 1, threadIdx.x);
  if (sum < 0) printf("%f\n", sum);
  assert(__clz(1) == 31);
  const dim3 size = blockDim;
  out[threadIdx.x] = sum + tile[(threadIdx.x + 1) % size.x];
}
int main() {
  float4* in;
  cudaMalloc(&in, 1024);
  std::vector<float> values(256);
  cudaMemcpy(in, values.data(), 1024, cudaMemcpyHostToDevice);
  words<<<1, 64, 256>>>(in, nullptr, nullptr);
  std::printf("%s %f\n", cudaGetErrorString(cudaGetLastError()), sinf(1));
  return cudaDeviceSynchronize() != cudaSuccess;
}
)");
  const ProgramResult made = compile(place, {"words.cu", "--compiler", clang, "--out", "out.ptx"});
  INFO(made.errors);
  CHECK(made.exit_code == 0);
  CHECK_THAT(made.output, Contains("words: 3 parameters") && Contains("`program: out.ptx`"));
}

TEST_CASE("compile makes PTX of OpenCL C") {
  if (!have_clang()) return;
  const TemporaryFolder place;
  place.write("half.cl",
              "__kernel void halve(__global const float* x, __global float* y, __global uint* n) {\n"
              "  __local uint here;\n  if (get_local_id(0) == 0) here = 0;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
              "  y[get_global_id(0)] = sqrt(max(x[get_global_id(0)], 0.0f)) / 2;\n  atomic_inc(&here);\n"
              "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (get_local_id(0) == 0) atomic_add(n, here);\n}\n");
  place.write(
      "run.yaml",
      "buffers:\n  x: {type: f32, count: 64, fill: 9}\n  y: {type: f32, count: 64}\n"
      "  n: {type: u32, count: 1}\nlaunches:\n- {program: half.ptx, threads: 64, block: 32, arguments: [x, y, n]}\n"
      "expected:\n- {buffer: y, fill: 1.5}\n- {buffer: n, values: [64]}\n");
  REQUIRE(compile(place, {"half.cl", "--compiler", clang}).exit_code == 0);
  CHECK(run_program({"run", "run.yaml", "--set", "gpu.sms=1"}, {place.path()}).exit_code == 0);
}

TEST_CASE("compiler errors are shown with file and line and no output is written") {
  if (!have_clang()) return;
  const TemporaryFolder place;
  place.write("wrong.cu", "__global__ void wrong(float* x) {\n  x[0] = unknown(x[0]);\n  x[1] = 0 0;\n}\n");
  const ProgramResult result = compile(place, {"wrong.cu", "--compiler", clang});
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  CHECK_THAT(result.errors, Contains("wrong.cu:2:10: error: use of undeclared identifier 'unknown'") &&
                                Contains("wrong.cu:3:11: error") &&
                                Contains("reconverge: error: wrong.cu: " + clang + " refuses it, with exit code 1"));
  CHECK(names_in(place.path()) == std::vector<std::string>{"wrong.cu"});
}

TEST_CASE("front-end errors name the source line unless line information is left out") {
  if (!have_clang()) return;
  const TemporaryFolder place;
  place.write("group.cu",
              "extern \"C\" __global__ void group(int* x) {\n  x[0] = 1;\n  asm "
              "volatile(\"wgmma.fence.sync.aligned;\");\n}\n");
  const ProgramResult refused = compile(place, {"group.cu", "--compiler", clang});
  CHECK(refused.exit_code == 2);
  CHECK(is_one_complaint(refused.errors));
  CHECK_THAT(refused.errors,
             Contains("group.ptx:") && Contains("'wgmma.fence.sync.aligned'") && Contains("(of group.cu:3)"));
  CHECK_THAT(compile(place, {"group.cu", "--compiler", clang, "--no-lineinfo"}).errors, !Contains("group.cu:3"));
  place.write("group.cu",
              read_file(place.path() / "group.cu") + "extern \"C\" __global__ void fine(int* x) { *x = 1; }\n");
  const ProgramResult half = compile(place, {"group.cu", "--compiler", clang});
  CHECK(half.exit_code == 0);
  CHECK_THAT(half.output, Contains("group: refused: group.ptx:") && Contains("fine: 1 parameters"));
  place.write("none.cu", "int nothing() { return 1; }\n");
  CHECK_THAT(compile(place, {"none.cu", "--compiler", clang}).errors,
             Contains("none.ptx: ") && Contains("`__global__`"));
}

TEST_CASE("compile hands options on, and takes the compiler's output whole") {
  const TemporaryFolder place;
  place.write("a.cu", "");
  place.write("a.yaml", "");
  const std::string ptx = ".version 6.4\\n.target sm_75\\n.address_size 64\\n.visible .entry k() { ret; }";
  const std::string words = R"(for word; do echo "$word" >>words; done; printf ')" + ptx + "'";
  for (const auto* name : {"my-clang", "my-nvcc"}) {
    const ProgramResult made = compile(place, {"a.cu", "--compiler", script(place, name, words), "-O1", "-Iinclude",
                                               "-I", "more", "-DN=3", "-D", "M", "--out", std::string(name) + ".ptx"});
    INFO(made.errors);
    CHECK(made.exit_code == 0);
    const std::string given = read_file(place.path() / "words");
    for (const auto* each : {"-I\ninclude\n-I\nmore\n-D\nN=3\n-D\nM\n", "-O1\n", "\na.cu\n"}) {
      CHECK_THAT(given, Contains(each));
    }
    const bool nvcc = std::string(name) == "my-nvcc";
    CHECK_THAT(given, Contains(nvcc ? "-lineinfo\n" : "-gline-tables-only\n"));
    CHECK_THAT(read_file(place.path() / (std::string(name) + ".ptx")), Contains(".visible .entry k() { ret; }"));
    fs::remove(place.path() / "words");
  }
}

TEST_CASE("compile gives advice without a compiler and for a file that is not source") {
  const TemporaryFolder place;
  place.write("a.cu", "");
  place.write("a.ptx", "");
  place.write("a.cl", "");
  REQUIRE(mkfifo((place.path() / "pipe.cu").c_str(), 0600) == 0);
  REQUIRE(mkfifo((place.path() / "pipe.h").c_str(), 0600) == 0);
  place.write("first.cu", "\n# include <more/second.h>\n");
  place.write("folder/more/second.h", "#include \"third.h\"\n");
  place.write("folder/more/third.h", "\n\n#include \"../../pipe.h\"\n");
  const std::vector<std::string> before = names_in(place.path());
  const auto refuses = [&](const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    const ProgramResult result = compile(place, words);
    INFO(result.errors);
    CHECK(result.exit_code == 2);
    CHECK(is_one_complaint(result.errors));
    for (const std::string& part : parts) CHECK_THAT(result.errors, Contains(part));
    CHECK(names_in(place.path()) == before);
  };
  const std::string path = std::getenv("PATH");
  setenv("PATH", place.path().c_str(), 1);
  refuses({"a.cu"}, {"neither clang nor nvcc", "apt-get install clang-14"});
  setenv("PATH", path.c_str(), 1);
  refuses({"a.cu", "--compiler", "no-such-clang"}, {"there is no compiler no-such-clang"});
  refuses({"a.cl", "--compiler", "nvcc"}, {"a.cl", "nvcc compiles no OpenCL C"});
  refuses({"a.ptx"}, {"a.ptx", ".cu or .cl"});
  refuses({"none.cu"}, {"none.cu: there is no such file"});
  refuses({"."}, {"this is a folder; name a .cu or .cl file in it"});
  refuses({"pipe.cu"}, {"pipe.cu: this is a pipe"});
  refuses({"first.cu", "-I", "folder"}, {"folder/more/third.h:3: pipe.h is a pipe", "include a plain file"});
  refuses({"a.cu", "--out", "./a.cu"}, {"a.cu", "this is the source"});
  refuses({"a.cu", "-O", "9"}, {"-O", "{0,1,2,3}"});
}

TEST_CASE("compile does not wait for processes that the compiler leaves running") {
  const TemporaryFolder place;
  place.write("a.cu", "");
  // It keeps the compiler's output open.
  const std::string compiler =
      script(place, "leaving-clang", "sleep 60 &\necho $! >left\necho words of a compiler; exit 3");
  const auto before = std::chrono::steady_clock::now();
  const ProgramResult result = compile(place, {"a.cu", "--compiler", compiler});
  CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(30));
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.errors, Contains("refuses it, with exit code 3"));
  kill(std::stoi(read_file(place.path() / "left")), SIGKILL);
}

TEST_CASE("an interrupt ends the compiler and leaves nothing") {
  const TemporaryFolder place;
  place.write("a.cu", "");
  const std::string compiler = script(place, "slow-clang", "echo $$ >began.part; mv began.part began; exec sleep 600");
  RunningProgram program({"compile", "a.cu", "--compiler", compiler}, {place.path()});
  while (!fs::exists(place.path() / "began") && !program.ended()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  program.send(SIGTERM);
  const ProgramResult result = program.wait();
  INFO(result.errors);
  CHECK(result.exit_code == 130);
  CHECK(is_one_complaint(result.errors));
  CHECK(names_in(place.path()) == std::vector<std::string>{"a.cu", "began", "slow-clang"});
  CHECK(kill(std::stoi(read_file(place.path() / "began")), 0) == -1);
  CHECK(errno == ESRCH);
}
