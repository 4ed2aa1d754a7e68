// SPDX-License-Identifier: Apache-2.0
// Every device source of the tree has a native twin, and the kernels agree with their twins on every machine.
// (tests/corpus runs the corpus.)

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <regex>
#include <set>

#include "blocks/convergence_barrier.hpp"
#include "blocks/dynamic_microkernel.hpp"
#include "blocks/dynamic_ray_shuffling.hpp"
#include "blocks/raytrace.hpp"
#include "blocks/subwarp_interleaving.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/kernels/twins.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/corpus/programs.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"
#include "tests/device/device_cases.hpp"

namespace reconverge::tests {
namespace {

using device::Buffers;
using device::Job;

const std::filesystem::path top = RECONVERGE_SOURCE_DIR;

/// Kernels that the source defines, by name.
std::set<std::string> kernels_in(const std::filesystem::path& source) {
  std::ifstream file(source);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  static const std::regex definition(
      R"((?:__global__ void|__kernel void|kernel void)\s+(?:__attribute__\S*\s+)?(\w+)\()");
  std::set<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), definition); match != std::sregex_iterator(); ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

/// A CUDA program with host code verifies itself.
bool has_main(const std::filesystem::path& source) {
  std::ifstream file(source);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return text.find("\nint main(") != std::string::npos;
}

/// Names of all twins: of kernels, and of the corpus.
std::set<std::string> twins_of_the_tree() {
  std::set<std::string> names;
  for (const kernels::Twin& twin : kernels::twins()) names.emplace(twin.name());
  for (const auto programs : {corpus::cuda_programs(), corpus::opencl_programs()}) {
    for (const corpus::CorpusProgram& program : programs) names.emplace(program.name);
  }
  return names;
}

/// The result of the twin in copies of the buffers.
Buffers run_twin(const Job& job) {
  Buffers buffers = job.buffers;
  std::list<kernels::NativeVolume> volumes;
  const auto value_of = [&](const device::JobArgument& argument) {
    if (const auto* const buffer = std::get_if<device::BufferAddress>(&argument)) {
      return Argument(buffers.at(buffer->index).data());
    }
    const auto* const volume = std::get_if<device::VolumeTexture>(&argument);
    if (volume == nullptr) return std::get<Argument>(argument);
    const auto* const elements = reinterpret_cast<const unsigned char*>(buffers.at(volume->index).data());
    return Argument(
        &volumes.emplace_back(kernels::NativeVolume{elements, {volume->side, volume->side, volume->layers}}));
  };
  std::vector<std::vector<std::byte>> values;
  for (const device::JobArgument& argument : job.arguments) {
    const Argument value = value_of(argument);
    values.emplace_back(value.bytes().begin(), value.bytes().end());
  }
  const std::vector<std::span<const std::byte>> arguments(values.begin(), values.end());
  const kernels::Twin& twin = kernels::twin(job.entry);
  twin.run({{job.grid.x, job.grid.y, job.grid.z}, {job.block.x, job.block.y, job.block.z}}, twin.pack(arguments));
  return buffers;
}

/// The result of the twin, with which the functional machines must agree.
Buffers agreed_without_time(const DeviceCase& each) {
  const Job& job = each.job;
  INFO(job.name);
  Buffers expected = run_twin(job);
  CHECK(expected != job.buffers);
  CHECK_THAT(each.difference(expected, device::run_here(job)), Catch::Equals(""));
  ScalarInterpreter interpreter;
  const auto interpret = [&](const Launch& launch) { interpreter.run(launch); };
  CHECK_THAT(each.difference(expected, device::run_on(interpreter.memory(), interpret, job)), Catch::Equals(""));
  return expected;
}

}  // namespace

TEST_CASE("every device source of the tree has a twin for each of its kernels", "[twin]") {
  const std::set<std::string> twins = twins_of_the_tree();
  std::set<std::string> defined;
  for (const char* const folder : {"benchmarks", "models", "platforms", "scenes", "testbenches", "tests"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top / folder)) {
      if (entry.path().extension() != ".cu" && entry.path().extension() != ".cl") continue;
      if (has_main(entry.path())) continue;
      const std::set<std::string> names = kernels_in(entry.path());
      INFO(entry.path() << " defines kernels that need a twin: platforms/kernels/README.md says how");
      CHECK_FALSE(names.empty());
      CHECK(std::includes(twins.begin(), twins.end(), names.begin(), names.end()));
      defined.insert(names.begin(), names.end());
    }
  }
  CHECK(defined == twins);
}

TEST_CASE("the kernels leave the same memory as their twins on every machine", "[twin]") {
  std::set<std::string> run;
  std::vector<DeviceCase> plain = kernel_cases();
  std::ranges::move(texture_cases(), std::back_inserter(plain));
  for (const DeviceCase& each : plain) {
    const Job& job = each.job;
    run.insert(job.entry);
    const Buffers expected = agreed_without_time(each);
    INFO(job.name);
    for (const std::string_view scheme : contract::schemes) {
      INFO(scheme);
      GpuParameters parameters;
      parameters.sm.scheme = {std::string(scheme)};
      // Megakernels with software traversal have deeper nested loops than Volta has registers.
      parameters.sm.schemes.of<ConvergenceBarrierParameters>().registers = 32;
      parameters.sm.schemes.of<SubwarpInterleavingParameters>().registers = 32;
      const SimulationContext context;
      Gpu gpu("gpu", parameters);
      const auto time = [&](const Launch& launch) { gpu.run(launch); };
      CHECK_THAT(each.difference(expected, device::run_on(gpu.memory(), time, job)), Catch::Equals(""));
    }
  }
  for (const DeviceCase& each : extension_cases()) {
    INFO(each.job.name);
    run.insert(each.job.entry);
    // Only this scheme starts threads that others create.
    const bool creates_threads = each.scheme == "dynamic_microkernel";
    const Buffers expected = creates_threads ? run_twin(each.job) : agreed_without_time(each);
    GpuParameters parameters;
    parameters.sms = 2;
    parameters.sm.scheme = {each.scheme};
    if (each.job.entry != "trace_kd_tree_microkernels") {
      parameters.sm.schemes.of<DynamicMicrokernelParameters>().state_bytes = 68;
    }
    if (each.job.entry == "julia_shuffled") {
      parameters.sm.schemes.of<DynamicRayShufflingParameters>().ray_registers = 4;
    }
    const SimulationContext context;
    Gpu gpu("gpu", parameters);
    const auto time = [&](const Launch& launch) { gpu.run(launch); };
    CHECK_THAT(each.difference(expected, device::run_on(gpu.memory(), time, each.job)), Catch::Equals(""));
    CHECK(expected != each.job.buffers);
    CHECK((gpu.totals().of<DynamicRayShufflingStatistics>().swaps > 0) == (each.scheme == "dynamic_ray_shuffling"));
    CHECK((gpu.totals().of<RaytraceStatistics>().rays > 0) == (each.scheme == "raytrace"));
    CHECK((gpu.totals().of<DynamicMicrokernelStatistics>().full_warps > 0) == creates_threads);
  }
  for (const kernels::Twin& twin : kernels::twins()) CHECK(run.contains(std::string(twin.name())));
}

TEST_CASE("a platform without the scheme refuses its instructions at their line", "[twin]") {
  for (const DeviceCase& each : extension_cases()) {
    const Job& job = each.job;
    const bool creates_threads = each.scheme == "dynamic_microkernel";
    const std::string own = job.entry == "trace_unit_any" ? "trace.any.u32" : "trace.closest.f32";
    const bool traces = each.scheme == "raytrace";
    const std::string first = traces ? own : creates_threads ? "%spawnMemAddr" : "rdctrl";
    const std::string said = traces ? own : creates_threads ? "mov %spawnMemAddr" : "rdctrl.b32";
    const SimulationContext context;
    Gpu gpu("gpu", GpuParameters{});
    const auto time = [&](const Launch& launch) { gpu.run(launch); };
    const std::size_t entry = job.ptx.find(".entry " + job.entry);
    const auto line = 1 + std::count(job.ptx.begin(),
                                     job.ptx.begin() + static_cast<std::ptrdiff_t>(job.ptx.find(first, entry)), '\n');
    CHECK_THROWS_WITH(device::run_on(gpu.memory(), time, job),
                      Catch::StartsWith(job.name + ":" + std::to_string(line) + ": '" + said + "' needs the scheme " +
                                        each.scheme + ", which the platform does not have; "));
    if (creates_threads) CHECK_THROWS_WITH(device::run_here(job), Catch::Contains("needs its hardware"));
  }
}

}  // namespace reconverge::tests
