#include <filesystem>
#include <memory>

#include "models/dynamic_ray_shuffling/traffic/vectors.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

struct VectorsCommand {
  std::string block;
  std::string out;
  VectorsOptions options;
};

ExitCode write_vectors(const VectorsCommand& command) {
  const Vectors made = make_vectors(command.options);
  const std::filesystem::path out = command.out;
  std::filesystem::create_directories(out);
  report::write_file(out / "parameters.svh", made.parameters);
  report::write_file(out / "replay.sv", made.testbench);
  report::write_file(out / "vectors.txt", made.vectors);
  const DynamicRayShufflingParameters& parameters = command.options.parameters;
  print_formatted(
      "Vectors in {0}. To replay them there, with RTL for the folder rtl/dynamic_ray_shuffling:\n"
      "  verilator --binary --unroll-count 128 --unroll-stmts 100000 -I$RTL $RTL/*.sv replay.sv --top-module replay\n"
      "  obj_dir/Vreplay\n"
      "Icarus 11 reads what yosys makes of it:\n"
      "  yosys -p \"read_verilog -sv -I$RTL $RTL/*.sv; chparam -set Warps {1} -set BackupRows {2} -set Lanes {3}\n"
      "    -set SwapBuffers {4} -set RayRegisters {5} dynamic_ray_shuffling; prep -flatten -top "
      "dynamic_ray_shuffling;\n"
      "    rename -top dynamic_ray_shuffling; write_verilog netlist.v\"\n"
      "  iverilog -g2012 -DNETLIST netlist.v replay.sv -o replay && ./replay\n",
      command.out, command.options.warps, parameters.backup_rows, command.options.width, parameters.swap_buffers,
      parameters.ray_registers);
  return ExitCode::success;
}

}  // namespace

void add_vectors(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("vectors", "Write golden vectors of a block for simulators of its RTL");
  const auto vectors = std::make_shared<VectorsCommand>();
  VectorsOptions& options = vectors->options;
  command->add_option("block", vectors->block, "drs: dynamic ray shuffling")
      ->required()
      ->check(CLI::IsMember({"drs"}))
      ->type_name("BLOCK");
  command->add_option("--out", vectors->out, "Folder to write to")->required()->type_name("FOLDER");
  command->add_option("--cycles", options.cycles, "Cycles")->capture_default_str()->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options.seed, "Seed of the traffic")->capture_default_str();
  command->add_option("--warps", options.warps, "Warps")->capture_default_str()->check(CLI::Range(2, 64));
  command->add_option("--lanes", options.width, "Lanes of a warp")
      ->capture_default_str()
      ->check(CLI::IsMember({8, 16, 32}));
  command->add_option("--backup-rows", options.parameters.backup_rows, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  command->add_option("--swap-buffers", options.parameters.swap_buffers, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(6, 48));
  command->add_option("--ray-registers", options.parameters.ray_registers, "As in YAML")
      ->capture_default_str()
      ->check(CLI::Range(2, 64));
  command->footer("Example:\n  reconverge vectors drs --out vectors");
  command->callback([vectors, &chosen] { chosen = [vectors] { return write_vectors(*vectors); }; });
}

}  // namespace reconverge::cli
