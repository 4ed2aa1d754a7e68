// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Small kernels for stream processors, and the result of a run.

#include <array>
#include <string>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/stream/stream_instructions.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"

namespace reconverge::tests {

/// A kernel with the parameters (.u64 input, .u64 output). %r1 is the thread's number; %rd1 and %rd2 are the addresses
/// of its words of input and output.
inline std::string kernel_text(const std::string& body) {
  return ".version 7.0\n.target sm_70\n.address_size 64\n"
         ".visible .entry kernel(.param .u64 input, .param .u64 output)\n{\n"
         ".reg .b32 %r<40>;\n.reg .b64 %rd<20>;\n.reg .pred %p<8>;\n"
         "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.s32 %r1, %r1, %r2, %r3;\n"
         "mul.wide.u32 %rd3, %r1, 4;\nld.param.u64 %rd1, [input];\nadd.s64 %rd1, %rd1, %rd3;\n"
         "ld.param.u64 %rd2, [output];\nadd.s64 %rd2, %rd2, %rd3;\n" +
         body + "}\n";
}

inline kernel::Program program_of(const std::string& body) {
  return kernel::load_program_text(kernel_text(body), "kernel.ptx", "kernel", stream_instructions());
}

struct StreamRun {
  std::vector<std::uint32_t> output;
  std::vector<std::string> passes;  ///< names of the nodes that ran
  Statistics totals;
  std::vector<Traffic> traffic;

  const StreamProcessorStatistics& counts() const { return totals.of<StreamProcessorStatistics>(); }
  std::string sequence() const {
    std::string text;
    for (const std::string& pass : passes) text += (text.empty() ? "" : " ") + pass;
    return text;
  }
};

/// Runs a kernel with one thread for each word of input, in blocks of 32.
inline StreamRun run_kernel(const std::string& body, const std::vector<std::uint32_t>& input,
                            const StreamProcessorParameters& parameters = {}) {
  const SimulationContext context;
  const kernel::Program program = program_of(body);
  StreamMachine machine(parameters);
  StreamRun run;
  machine.observe(
      [&](const PassRecord& pass) { run.passes.push_back(machine.graph_of(program).nodes[pass.node].name); });
  DeviceMemory& memory = machine.memory();
  const DeviceAddress from = memory.upload("input", std::span<const std::uint32_t>(input));
  const DeviceAddress to = memory.allocate("output", input.size() * 4);
  const std::array<Argument, 2> arguments{from, to};
  const auto threads = static_cast<std::uint32_t>(input.size());
  const std::uint32_t block = threads < 32 ? threads : 32;
  machine.run(make_launch(program, {threads / block}, {block}, arguments));
  const auto words = memory.view_as<std::uint32_t>(to);
  run.output.assign(words.begin(), words.end());
  run.totals = machine.totals();
  run.traffic = machine.traffic();
  return run;
}

}  // namespace reconverge::tests
