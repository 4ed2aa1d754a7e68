// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Small kernels, hand-made partitions, and the result of a run.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/multi_pass/multi_pass.hpp"

namespace reconverge::tests {

/// A kernel with the parameters (.u64 input, .u64 output).
inline kernel::Program program_of(const std::string& body) {
  return kernel::load_program_text(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry kernel(.param .u64 input, .param .u64 output)\n{\n"
      ".reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred %p<8>;\n" +
          body + "}\n",
      "kernel.ptx", "kernel", {});
}

/// Code that sets `rd` to the address of this thread's word in the buffer.
inline std::string place_in(const std::string& buffer, const std::string& rd) {
  return "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r1, %r1, %r2, %r3;\n"
         "mul.wide.u32 " +
         rd + ", %r1, 4;\nld.param.u64 %rd10, [" + buffer + "];\nadd.s64 " + rd + ", " + rd + ", %rd10;\n";
}

/// The special registers that place_in reads.
inline const std::vector<kernel::SpecialRow> places = {kernel::SpecialRow::tid_x, kernel::SpecialRow::ctaid_x};

/// The program of Fig. 1: block A, loop B, and block D, which writes the iteration count. The thread's input is the
/// number of iterations.
inline kernel::Program example_program() {
  return program_of(place_in("input", "%rd1") +
                    "ld.global.u32 %r4, [%rd1];\nmov.u32 %r5, 0;\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra DONE;\n"
                    "BODY:\nadd.u32 %r5, %r5, 1;\nsetp.ge.u32 %p2, %r5, %r4;\n@%p2 bra DONE;\nbra BODY;\n"
                    "DONE:\n" +
                    place_in("output", "%rd2") + "st.global.u32 [%rd2], %r5;\nexit;\n");
}

/// The successors of a block that ends with a branch: `taken` for lanes that take it, `others` for the other lanes.
inline std::vector<kernel::NodeWay> branch(std::uint32_t taken, std::uint32_t others) {
  return {{kernel::NodeWay::Lanes::taken, false, taken}, {kernel::NodeWay::Lanes::others, false, others}};
}

// Uses of an array by a kernel.
inline kernel::ArrayUse reads(std::uint32_t array) {
  kernel::ArrayUse use;
  use.array = array;
  use.read = true;
  return use;
}
inline kernel::ArrayUse writes(std::uint32_t array, std::uint8_t to = 0) {
  kernel::ArrayUse use;
  use.array = array;
  use.written = true;
  use.to = to;
  return use;
}
inline kernel::ArrayUse reads_and_writes(std::uint32_t array) {
  kernel::ArrayUse use = reads(array);
  use.written = true;
  return use;
}
inline kernel::ArrayUse copies(std::uint32_t array, std::uint8_t from, std::uint8_t to) {
  kernel::ArrayUse use;
  use.array = array;
  use.copied = true;
  use.from = from;
  use.to = to;
  return use;
}

/// `order`: position in reverse post-order.
inline kernel::PassKernel pass_kernel(const std::string& name, std::vector<kernel::NodeBlock> blocks,
                                      std::uint32_t instructions, std::vector<std::uint32_t> successors,
                                      std::uint32_t order) {
  kernel::PassKernel kernel;
  kernel.name = name;
  kernel.blocks = std::move(blocks);
  kernel.instructions = instructions;
  kernel.successors = std::move(successors);
  kernel.order = order;
  return kernel;
}

/// The result of a run.
struct PassesRun {
  std::vector<std::uint32_t> output;
  std::string sequence;  ///< kernels, each with the array of program counters that it reads: `A0 B1`
  std::vector<std::uint64_t> completed;
  MultiPassStatistics counts;

  std::uint64_t runs_of(char kernel) const { return static_cast<std::uint64_t>(std::ranges::count(sequence, kernel)); }
};

/// Runs the partition with one thread for each word of input, all in one thread block.
inline PassesRun run_partition(const kernel::Partition& partition, const std::vector<std::uint32_t>& input,
                               const MultiPassParameters& parameters, bool in_place = false) {
  const SimulationContext context;
  DeviceMemory memory;
  const DeviceAddress from = memory.upload("input", std::span<const std::uint32_t>(input));
  const DeviceAddress to = in_place ? from : memory.allocate("output", input.size() * 4);
  const std::array<Argument, 2> arguments{from, to};
  const Launch launch = make_launch(*partition.program, {1}, {static_cast<std::uint32_t>(input.size())}, arguments);
  const ProgramImage image(*partition.program, memory);
  MultiPass machine("multi_pass", parameters);
  PassesRun run;
  machine.observe([&](const KernelRun& one) {
    run.sequence +=
        (run.sequence.empty() ? "" : " ") + partition.kernels[one.bound.kernel].name + std::to_string(one.bound.from);
    run.completed.push_back(one.completed);
  });
  machine.begin(launch, image, partition, memory);
  sc_core::sc_start();
  if (machine.error()) std::rethrow_exception(machine.error());
  const auto words = memory.view_as<std::uint32_t>(to);
  run.output.assign(words.begin(), words.end());
  run.counts = machine.statistics();
  return run;
}

}  // namespace reconverge::tests
