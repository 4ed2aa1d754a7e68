// SPDX-License-Identifier: Apache-2.0
/// The command line of `reconverge build`, which accepts options of nvcc and of other compilers.

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "platforms/compile/builder.hpp"

using Catch::Contains;
using reconverge::InputError;
using reconverge::compile::BuildPlan;
using reconverge::compile::read_build;
using Words = std::vector<std::string>;

TEST_CASE("options are passed to the compilations of host code, device code or both") {
  const BuildPlan plan = read_build({"-O3", "-I", "include", "-Dsize=4", "-std=c++14", "-g", "-Wall", "a.cu", "b.cpp",
                                     "c.o", "-L", "lib", "-lm", "-Xcompiler", "-fopenmp,-march=native", "-o", "app"});
  CHECK(plan.sources == std::vector<std::filesystem::path>{"a.cu", "b.cpp"});
  CHECK(plan.output == "app");
  CHECK_FALSE(plan.objects_only);
  CHECK(plan.common == Words{"-I", "include", "-D", "size=4", "-std=c++14"});
  CHECK(plan.host == Words{"-O3", "-g", "-Wall", "-fopenmp", "-march=native"});
  CHECK(plan.link == Words{"", "", "c.o", "-Llib", "-lm", "-fopenmp"});
}

TEST_CASE("options for architectures, and our own libraries, have no effect") {
  const BuildPlan plan = read_build({"-arch=sm_80",
                                     "-arch",
                                     "sm_70",
                                     "-gencode",
                                     "arch=compute_60,code=sm_60",
                                     "--generate-code=x",
                                     "-Xptxas",
                                     "-v",
                                     "-maxrregcount=32",
                                     "-lineinfo",
                                     "-cudart",
                                     "shared",
                                     "-lcudart",
                                     "-lcuda",
                                     "--expt-relaxed-constexpr",
                                     "-ccbin",
                                     "g++",
                                     "-rdc=false",
                                     "-c",
                                     "x.cu"});
  CHECK(plan.sources.size() == 1);
  CHECK(plan.objects_only);
  CHECK(plan.common.empty());
  CHECK(plan.host.empty());
  CHECK(plan.link == Words{""});
}

TEST_CASE("unsupported options that would change the program are refused") {
  CHECK_THROWS_WITH(read_build({"-rdc=true", "x.cu"}), Contains("-rdc=true") && Contains("headers"));
  CHECK_THROWS_WITH(read_build({"-dc", "x.cu"}), Contains("device code of several files"));
  CHECK_THROWS_WITH(read_build({"-ptx", "x.cu"}), Contains("reconverge compile"));
  CHECK_THROWS_WITH(read_build({"x.cu", "-lcublas"}), Contains("-lcublas") && Contains("real GPUs"));
  CHECK_THROWS_WITH(read_build({"x.cu", "-o"}), Contains("needs a value"));
  CHECK_THROWS_WITH(read_build({"-c", "x.cu", "y.cu", "-o", "z.o"}), Contains("several sources"));
  CHECK_THROWS_WITH(read_build({"-O2"}), Contains("nothing to build"));
}

TEST_CASE("multiply-adds of device code are fused, unless an option forbids it") {
  CHECK(read_build({"x.cu", "-fmad=true"}).device.empty());
  CHECK(read_build({"x.cu", "-fmad=false"}).device == Words{"-Xclang", "-ffp-contract=off"});
}

TEST_CASE("with -x cu, all sources are CUDA") {
  const BuildPlan plan = read_build({"-x", "cu", "main.cpp", "-c"});
  CHECK(plan.all_cuda);
}
