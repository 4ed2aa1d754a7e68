// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/partition.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "tests/unit/stream/stream_kernels.hpp"

namespace reconverge {

namespace {

using kernel::Partition;
using kernel::PartitionOptions;
using kernel::PassKernel;

// Fig. 1: kernels A, B with an edge to itself, and D.
constexpr const char* example =
    "ld.global.u32 %r4, [%rd1];\nsetp.gt.u32 %p1, %r4, 20;\n@%p1 bra D;\n"
    "B:\nadd.u32 %r4, %r4, 1;\nsetp.le.u32 %p2, %r4, 20;\n@%p2 bra B;\n"
    "D:\nst.global.u32 [%rd2], %r4;\nexit;\n";

const PassKernel& kernel_of(const Partition& partition, const std::string& name) {
  for (const PassKernel& kernel : partition.kernels) {
    if (kernel.name == name) return kernel;
  }
  throw std::logic_error("no kernel " + name);
}

Partition partition_of(const kernel::Program& program, PartitionOptions::Merging merging,
                       PartitionOptions options = {}) {
  options.merging = merging;
  return kernel::make_partition(program, options);
}

std::string refusal(const std::string& body) {
  const kernel::Program program = tests::program_of(body);
  try {
    kernel::make_partition(program, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("mpp.variables: the example has one variable that is read and then written", "[partition][paper]") {
  const kernel::Program program = tests::program_of(example);
  const Partition partition = partition_of(program, PartitionOptions::Merging::ifs);
  INFO(kernel::partition_text(partition));
  CHECK(partition.kernels.size() == 5);
  const auto& b = kernel_of(partition, "B");
  const auto& d = kernel_of(partition, "D");
  // i is double-buffered. Each of the addresses that A computes needs only one array.
  std::size_t twice = 0;
  for (const kernel::PassArray& array : partition.arrays) {
    twice += array.double_buffered ? 1 : 0;
    CHECK((!array.double_buffered || array.values.size() == 1));
  }
  CHECK(twice == 1);
  REQUIRE(b.arrays.size() == 1);
  CHECK((b.arrays.front().read && b.arrays.front().written && b.arrays.front().from != b.arrays.front().to));
  for (const kernel::ArrayUse& use : d.arrays) CHECK((use.read && !use.written));
  CHECK(d.instructions == 2);
}

TEST_CASE("paths of ifs are merged, but not paths of loops", "[partition]") {
  const kernel::Program program = tests::program_of(
      "ld.global.u32 %r4, [%rd1];\nsetp.lt.u32 %p1, %r4, 50;\n@%p1 bra JOIN;\n"
      "sub.u32 %r4, %r4, 50;\nJOIN:\nadd.u32 %r4, %r4, 1;\n"
      "HEAD:\nadd.u32 %r4, %r4, %r4;\nsetp.lt.u32 %p1, %r4, 1000;\n@%p1 bra HEAD;\n"
      "st.global.u32 [%rd2], %r4;\nexit;\n");
  PartitionOptions options;
  options.bipartization = PartitionOptions::Bipartization::none;
  CHECK(partition_of(program, PartitionOptions::Merging::none, options).kernels.size() == 5);
  CHECK(partition_of(program, PartitionOptions::Merging::chains, options).kernels.size() == 5);
  CHECK(partition_of(program, PartitionOptions::Merging::ifs, options).kernels.size() == 3);
  CHECK(partition_of(program, PartitionOptions::Merging::ifs).kernels.size() == 4);
}

TEST_CASE("a loop precedes the code that follows it", "[partition]") {
  // In the text the exit precedes the loop, and it is the header's first successor.
  const kernel::Program program = tests::program_of(
      "mov.u32 %r4, 0;\nbra HEAD;\n"
      "OUT:\nst.global.u32 [%rd2], %r4;\nexit;\n"
      "HEAD:\nsetp.gt.u32 %p1, %r4, %r1;\n@%p1 bra OUT;\n"
      "BODY:\nld.global.u32 %r5, [%rd1];\nmad.lo.u32 %r4, %r4, 2, %r5;\nbra HEAD;\n");
  const Partition partition = partition_of(program, PartitionOptions::Merging::none);
  CHECK(kernel_of(partition, "BODY").order < kernel_of(partition, "OUT").order);
  CHECK(kernel_of(partition, "HEAD").order < kernel_of(partition, "BODY").order);
}

TEST_CASE("more arrays than outputs take more passes", "[partition]") {
  std::string body;
  for (int i = 4; i < 20; ++i)
    body += "ld.global.u32 %r" + std::to_string(i) + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  body += "HEAD:\n";
  for (int i = 4; i < 20; ++i) {
    body += "add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i) + ", %r" + std::to_string(i / 2 + 2) + ";\n";
  }
  body += "setp.lt.u32 %p1, %r19, 1000;\n@%p1 bra HEAD;\n";
  for (int i = 4; i < 20; ++i)
    body += "st.global.u32 [%rd2+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
  body += "exit;\n";
  const kernel::Program program = tests::program_of(body);
  PartitionOptions options;
  options.bipartization = PartitionOptions::Bipartization::none;
  // HEAD reads and then writes 16 values, in four arrays of four words. It also writes the program counters.
  CHECK(kernel_of(kernel::make_partition(program, options), "HEAD").passes == 1);
  options.outputs = 4;
  CHECK(kernel_of(kernel::make_partition(program, options), "HEAD").passes == 2);
  options.output_words = 1;
  CHECK(kernel_of(kernel::make_partition(program, options), "HEAD").passes == 5);
}

TEST_CASE("unsupported instructions are refused with their line", "[partition]") {
  CHECK_THAT(refusal("bar.sync 0;\nexit;\n"), Catch::Contains("kernel.ptx:18") && Catch::Contains("a barrier"));
  CHECK_THAT(refusal("red.global.add.u32 [%rd2], %r1;\nexit;\n"),
             Catch::Contains("kernel.ptx:18") && Catch::Contains("multi_pass.atomics"));
  CHECK_THAT(refusal("emit NEXT;\nexit;\nNEXT:\nexit;\n"), Catch::Contains("kernel.ptx:18") && Catch::Contains("emit"));
}

TEST_CASE("a kernel that needs more than the allowed copying kernels is refused", "[partition]") {
  const kernel::Program program = tests::program_of(example);
  PartitionOptions options;
  options.copying_kernels = 2;
  CHECK(kernel::make_partition(program, options).kernels.size() == 5);
  options.copying_kernels = 1;
  CHECK_THROWS_WITH(kernel::make_partition(program, options),
                    Catch::StartsWith("kernel.ptx:") && Catch::Contains("2 copying kernels are needed") &&
                        Catch::Contains("multi_pass.partition.copying_kernels"));
  options.bipartization = PartitionOptions::Bipartization::none;
  CHECK(kernel::make_partition(program, options).kernels.size() == 3);
}

TEST_CASE("partitions are printed as text and for Graphviz", "[partition]") {
  const kernel::Program program = tests::program_of(example);
  const Partition partition = partition_of(program, PartitionOptions::Merging::ifs);
  CHECK_THAT(kernel::partition_text(partition),
             Catch::Contains("5 kernels, 2 of them copying") && Catch::Contains("twice (a and b)"));
  CHECK_THAT(kernel::partition_dot(partition), Catch::StartsWith("digraph passes {") && Catch::Contains("a to b"));
}

}  // namespace reconverge
