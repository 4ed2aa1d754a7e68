// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/package.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "models/cosim/benes_network/traffic/vectors.hpp"
#include "models/cosim/dynamic_microkernel/traffic/vectors.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/vectors.hpp"
#include "models/cosim/subwarp_interleaving/traffic/vectors.hpp"
#include "platforms/specification/html.hpp"
#include "platforms/specification/package_makefile.hpp"
#include "platforms/specification/source_files.hpp"

namespace reconverge::specification {

namespace {

/// The design sources of a block: packages and headers of none are needed before them.
std::vector<std::string> sources_of(std::string_view block) {
  std::vector<std::string> sources;
  for (const SourceFile& file : source_files()) {
    const std::string path(file.path);
    if (!path.ends_with(".sv")) continue;
    const std::string folder = path.substr(0, path.rfind('/'));
    if (folder == fmt::format("rtl/{}", block) || folder == "rtl/common") sources.push_back(path);
  }
  return sources;
}

std::string synthesis(std::string_view block) {
  return fmt::format(R"(# SPDX-License-Identifier: Apache-2.0
# yosys -s synthesis.ys: gates of a generic library, with their number. For a cell library add, before `stat`:
#   dfflibmap -liberty cells.lib
#   abc -liberty cells.lib
read_verilog -sv -Irtl/{0} {1}
synth -flatten -top {0}
stat
write_verilog build/synthesis.v
)",
                     block, fmt::join(sources_of(block), " "));
}

std::string constraints(std::string_view block) {
  return fmt::format(R"(# SPDX-License-Identifier: Apache-2.0
# Constraints of {}: one clock, and a fifth of its period for the logic outside at each port.
# Set the period (ns) of your process; rtl/{}/README.md has the critical paths in FO4 delays.
set period 2.0
create_clock -name clk -period $period [get_ports clk_i]
set_false_path -from [get_ports rst_ni]
set inputs [remove_from_collection [all_inputs] [get_ports {{clk_i rst_ni}}]]
set_input_delay -clock clk [expr 0.2 * $period] $inputs
set_output_delay -clock clk [expr 0.2 * $period] [all_outputs]
)",
                     block, block);
}

std::string bender(std::string_view block) {
  std::string text = fmt::format(
      "# SPDX-License-Identifier: Apache-2.0\npackage:\n  name: {}\n  authors: [\"the authors of Reconverge\"]\n\n"
      "sources:\n  - include_dirs: [rtl/{}]\n    files:\n",
      block, block);
  for (const std::string& source : sources_of(block)) text += fmt::format("      - {}\n", source);
  return text + fmt::format(
                    "  # All sources need the define RECONVERGE_STATE_PORTS then.\n  - target: assertions\n    files:\n"
                    "      - rtl/{0}/assertions/{0}_assertions.sv\n",
                    block);
}

std::string core(std::string_view block) {
  std::string text = fmt::format(
      "CAPI=2:\n# SPDX-License-Identifier: Apache-2.0\nname: reconverge:divergence:{}:{}\nfilesets:\n  rtl:\n    "
      "files:\n",
      block, RECONVERGE_RTL_VERSION);
  for (const std::string& source : sources_of(block)) text += fmt::format("      - {}\n", source);
  for (const SourceFile& file : source_files()) {
    if (file.path.starts_with(fmt::format("rtl/{}/", block)) && file.path.ends_with(".svh")) {
      text += fmt::format("      - {}: {{is_include_file: true}}\n", file.path);
    }
  }
  text += fmt::format(
      "    file_type: systemVerilogSource\n  assertions:\n    files: [rtl/{0}/assertions/{0}_assertions.sv]\n"
      "    file_type: systemVerilogSource\n  replay:\n    files:\n      - vectors/replay.sv\n"
      "      - vectors/parameters.svh: {{is_include_file: true}}\n    file_type: systemVerilogSource\n"
      "targets:\n  default: {{filesets: [rtl], toplevel: {0}}}\n  lint:\n    filesets: [rtl]\n    toplevel: {0}\n"
      "    default_tool: verilator\n    tools: {{verilator: {{mode: lint-only, verilator_options: [-Wall]}}}}\n",
      block);
  return text;
}

std::string readme(std::string_view block, const twin::GoldenVectors& vectors) {
  std::vector<std::string> sizes;
  for (const auto& [name, value] : vectors.parameters) sizes.push_back(fmt::format("{} = {}", name, value));
  return fmt::format(R"(# {0}

This folder has the RTL of a hardware block, and what is needed to simulate, check and synthesise it.
`{0}.md` is its specification, `{0}.html` the same as one file for a browser, and `{0}.pdf` for print: theory of operation, ports, parameters, encodings, flip-flops, timing diagrams, assertions, proofs, area and timing.

    make              # lint, golden vectors in Verilator and Icarus, synthesis
    make prove        # properties by induction, with yosys and abc
    make sby          # the same at the smallest size of each, with SymbiYosys
    make pdf          # the specification as PDF, with chromium or weasyprint, if it is missing

| file | what it is |
|---|---|
| `rtl/{0}`, `rtl/common` | sources; the top module is `{0}` |
| `rtl/{0}/assertions` | concurrent assertions, bound to the block |
| `{0}.html`, `{0}.md`, `{0}.pdf` | the specification |
| `rtl/{0}/formal`, `scripts/prove` | properties, and the program that proves them |
| `formal` | the proofs as files of SymbiYosys; `scripts/prove --sby` writes them at other sizes |
| `vectors` | golden vectors of the model for {1}, and a plain testbench that replays them |
| `{0}.f`, `Bender.yml`, `{0}.core` | the list of sources for tools, Bender and FuseSoC |
| `synthesis.ys`, `{0}.sdc` | synthesis with yosys, and constraints |

## Rules for integration

- **Tools.** The sources use the subset of SystemVerilog that Verilator 5.006 and yosys 0.23 read.
  Icarus 11 cannot read `localparam` in the head of a module: it simulates the netlist that yosys makes of the sources.
- **Assertions.** They read the state of inner modules: compile all sources with the macro `RECONVERGE_STATE_PORTS`.
  Without it, no module has a port for tests only.
- **Sizes.** Elaboration refuses sizes outside the ranges of the port list.
- **Clock.** There is one clock, `clk_i`, and all flip-flops use its rising edge.
  Enables are written so that synthesis can insert clock gates; the sources have none.
- **Reset.** `rst_ni` is asynchronous and active low.
  Release it synchronously to `clk_i`, outside the block.
  Tables and data registers have no reset: valid flags protect them, or the block writes them before it reads them.
- **X.** In simulation, registers without a reset start with X.
  An output is defined whenever its valid flag is 1; `vectors` marks the bits that are.
- **CDC.** All ports belong to the domain of `clk_i`.
- **DFT.** There are no latches, no combinational loops and no gated clocks in the sources; scan insertion needs nothing special.
- **Lint.** `make lint` reports no warning with `verilator --lint-only -Wall`.

Apache License 2.0: see `LICENSE`. Each source has an SPDX line.
)",
                     block, fmt::join(sizes, ", "));
}

}  // namespace

bool has_rtl(std::string_view block) { return source_text(fmt::format("rtl/{0}/{0}.sv", block)).has_value(); }

twin::GoldenVectors small_vectors(std::string_view block) {
  constexpr std::uint64_t cycles = 500;  // ten seconds in Icarus
  if (block == "dynamic_ray_shuffling") {
    return make_ray_vectors({.parameters = {}, .warps = 4, .width = 8, .cycles = cycles});
  }
  if (block == "dynamic_microkernel") {
    return make_formation_vectors({.lut_lines = 4, .fifo = 2, .regions = 12, .cycles = cycles});
  }
  if (block == "subwarp_interleaving") {
    return make_subwarp_vectors({.warps = 3, .entries = 4, .trigger = SelectTrigger::any, .cycles = cycles});
  }
  if (block == "benes_network")
    return make_network_vectors({.shape = {.ports = 8, .register_every = 2}, .cycles = cycles});
  throw std::logic_error(fmt::format("{} has no RTL", block));
}

std::vector<PageFile> package_of(std::string_view block, const twin::GoldenVectors& vectors,
                                 std::vector<PageFile> page) {
  std::vector<PageFile> files = std::move(page);
  files.push_back(html_page(files.front(), files));
  for (const SourceFile& file : source_files()) {
    const bool wanted = file.path.starts_with(fmt::format("rtl/{}/", block)) || file.path.starts_with("rtl/common/") ||
                        file.path == "LICENSE" || file.path == "scripts/prove";
    if (wanted) files.push_back({std::string(file.path), std::string(file.text)});
  }
  std::string parameters;
  for (const auto& [name, value] : vectors.parameters)
    parameters += fmt::format("localparam int {} = {};\n", name, value);
  files.push_back({"vectors/parameters.svh", parameters});
  files.push_back({"vectors/replay.sv", vectors.testbench});
  files.push_back({"vectors/vectors.txt", vectors.lines});
  files.push_back({fmt::format("{}.f", block), fmt::format("{}\n", fmt::join(sources_of(block), "\n"))});
  files.push_back({"Makefile", makefile(block, vectors)});
  files.push_back({"synthesis.ys", synthesis(block)});
  files.push_back({fmt::format("{}.sdc", block), constraints(block)});
  files.push_back({"Bender.yml", bender(block)});
  files.push_back({fmt::format("{}.core", block), core(block)});
  files.push_back({"README.md", readme(block, vectors)});
  return files;
}

}  // namespace reconverge::specification
