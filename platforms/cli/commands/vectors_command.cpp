// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "models/cosim/benes_network/traffic/vectors.hpp"
#include "models/cosim/dynamic_microkernel/traffic/vectors.hpp"
#include "models/cosim/dynamic_ray_shuffling/traffic/vectors.hpp"
#include "models/cosim/subwarp_interleaving/traffic/vectors.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/report/lone_file.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

constexpr report::FileKind parameters_kind{"a file of this command", "localparam int "};
constexpr report::FileKind replay_kind{"a file of this command", "// Replays vectors.txt"};
constexpr report::FileKind vectors_kind{"", ""};  // only numbers, so it has no text to recognise it by

ExitCode write_vectors(const twin::GoldenVectors& made, const std::filesystem::path& out, bool force) {
  std::string localparams;
  std::string settings;
  for (const auto& [name, value] : made.parameters) {
    localparams += fmt::format("localparam int {} = {};\n", name, value);
    settings += fmt::format("-set {} {} ", name, value);
  }
  struct File {
    const char* name;
    report::FileKind kind;
    std::string_view text;
  };
  const std::array<File, 3> files{{{"parameters.svh", parameters_kind, localparams},
                                   {"replay.sv", replay_kind, made.testbench},
                                   {"vectors.txt", vectors_kind, made.lines}}};
  const report::OutputFolder folder(out);
  for (const File& file : files) report::check_place(folder.path() / file.name, file.kind, force);
  for (const File& file : files) report::write_file(folder.path() / file.name, file.kind, force, file.text);
  print_formatted(
      "Vectors in {0}. To replay them there, with RTL for the folder rtl:\n"
      "  verilator --binary --unroll-count 128 --unroll-stmts 100000 -I$RTL/{1} $RTL/{1}/*.sv $RTL/common/*.sv "
      "replay.sv \\\n"
      "    --top-module replay\n"
      "  obj_dir/Vreplay\n"
      "Icarus 11 reads what yosys makes of it:\n"
      "  yosys -p \"read_verilog -sv -I$RTL/{1} $RTL/{1}/*.sv $RTL/common/*.sv; chparam {2}{1};\n"
      "    prep -flatten -top {1}; rename -top {1}; write_verilog netlist.v\"\n"
      "  iverilog -g2012 -DNETLIST netlist.v replay.sv -o replay && ./replay\n",
      out.generic_string(), made.block, settings);
  return ExitCode::success;
}

struct BlockCommand {
  const char* block;
  const char* alias;
  const char* text;
};

/// Adds the command of a block with the options that all blocks have; `make` makes the vectors from the options.
template <typename Options>
CLI::App* add_block(CLI::App& vectors, Command& chosen, const BlockCommand& names,
                    const std::shared_ptr<Options>& options, twin::GoldenVectors (*make)(const Options&)) {
  CLI::App* command = vectors.add_subcommand(names.block, names.text)->alias(names.alias);
  const auto out = std::make_shared<std::string>();
  const auto force = std::make_shared<bool>(false);
  add_force_option(*command, *force);
  command->add_option("--out", *out, "Folder to write to")->required()->check(output_place())->type_name("FOLDER");
  command->add_option("--cycles", options->cycles, "Cycles")->capture_default_str()->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of the traffic")->capture_default_str();
  command->footer(fmt::format("Example:\n  reconverge vectors {} --out vectors", names.block));
  command->callback([=, &chosen] { chosen = [=] { return write_vectors(make(*options), *out, *force); }; });
  return command;
}

void add_ray_vectors(CLI::App& vectors, Command& chosen) {
  const auto options = std::make_shared<RayVectorsOptions>();
  CLI::App* command = add_block(vectors, chosen, {"dynamic_ray_shuffling", "drs", "Of dynamic ray shuffling"}, options,
                                make_ray_vectors);
  command->add_option("--warps", options->warps, "Warps")->capture_default_str()->check(CLI::Range(2, 64));
  command->add_option("--lanes", options->width, "Lanes of a warp")
      ->capture_default_str()
      ->check(CLI::IsMember({8, 16, 32}));
  command->add_option("--backup-rows", options->parameters.backup_rows, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  command->add_option("--swap-buffers", options->parameters.swap_buffers, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(6, 48));
  command->add_option("--ray-registers", options->parameters.ray_registers, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(2, 64));
}

void add_formation_vectors(CLI::App& vectors, Command& chosen) {
  const auto options = std::make_shared<FormationVectorsOptions>();
  CLI::App* command =
      add_block(vectors, chosen, {"dynamic_microkernel", "dmk", "Of the warp formation of dynamic micro-kernels"},
                options, make_formation_vectors);
  command->add_option("--lut-lines", options->lut_lines, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  command->add_option("--fifo", options->fifo, "As in YAML")->capture_default_str()->check(CLI::Range(1, 1024));
  command->add_option("--parts", options->regions, "Warps that the formation area has room for")
      ->capture_default_str()
      ->check(CLI::Range(2, 256));
  command->add_option("--micro-kernels", options->micro_kernels, "Addresses at which threads are created")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
}

void add_subwarp_vectors(CLI::App& vectors, Command& chosen) {
  const auto options = std::make_shared<SubwarpVectorsOptions>();
  CLI::App* command = add_block(vectors, chosen, {"subwarp_interleaving", "si", "Of a subwarp scheduler"}, options,
                                make_subwarp_vectors);
  command->add_option("--warps", options->warps, "Warps")->capture_default_str()->check(CLI::Range(1U, most_warps));
  command->add_option("--entries", options->entries, "Entries of the thread status table of a warp")
      ->capture_default_str()
      ->check(CLI::Range(2U, most_entries));
  const std::map<std::string, SelectTrigger> triggers{
      {"any", SelectTrigger::any}, {"half", SelectTrigger::half}, {"all", SelectTrigger::all}};
  command
      ->add_option("--trigger", options->trigger, "Warps that are stalled when one changes to another subwarp (half)")
      ->transform(CLI::CheckedTransformer(triggers));
}

void add_network_vectors(CLI::App& vectors, Command& chosen) {
  const auto options = std::make_shared<NetworkVectorsOptions>();
  CLI::App* command =
      add_block(vectors, chosen, {"benes_network", "benes", "Of a Benes network"}, options, make_network_vectors);
  command->add_option("--ports", options->shape.ports, "As in YAML")
      ->capture_default_str()
      ->check(CLI::IsMember({2, 4, 8, 16, 32, 64}));
  command->add_option("--register-every", options->shape.register_every, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(0, 11));
  command->add_option("--data-bits", options->shape.data_bits, "Bits of a record")
      ->capture_default_str()
      ->check(CLI::Range(1, 32));
}

}  // namespace

void add_vectors(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("vectors", "Write golden vectors of a block for simulators of its RTL");
  command->require_subcommand(1);
  add_ray_vectors(*command, chosen);
  add_formation_vectors(*command, chosen);
  add_subwarp_vectors(*command, chosen);
  add_network_vectors(*command, chosen);
  command->footer("Example:\n  reconverge vectors dynamic_ray_shuffling --out vectors");
}

}  // namespace reconverge::cli
