// SPDX-License-Identifier: Apache-2.0
// Dynamic ray shuffling as a kind of scheme, with its requirements for the SM, kernels and launches.

#include <fmt/format.h>

#include <algorithm>

#include "blocks/sm.hpp"
#include "models/core/error.hpp"
#include "models/cosim/dynamic_ray_shuffling/ray_ports.hpp"
#include "models/cosim/dynamic_ray_shuffling/twin.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"

namespace reconverge {

namespace {

constexpr const char* block_key = "gpu.sm.dynamic_ray_shuffling.";

/// The location of rdctrl in a kernel that has it.
SourceLocation place_in(const kernel::Program& program) {
  const auto found = std::ranges::find_if(
      program.instructions, [&](const auto& instruction) { return kernel::uses_registers(program, instruction); });
  return {program.file, found->line, 0};
}

/// Throws ParameterError if there are too many rows of rays, or if the selected RTL was not built.
void check_rows_of_rays(const SmParameters& parameters) {
  const auto& block = parameters.schemes.of<DynamicRayShufflingParameters>();
  const std::size_t extra = RayShuffler::extra_rows(block);
  if (parameters.warp_slots + extra > RowSet::capacity) {
    throw ParameterError("gpu.sm.warp_slots",
                         fmt::format("{} rows of rays for {} warps, of {}", parameters.warp_slots + extra,
                                     parameters.warp_slots, RowSet::capacity),
                         fmt::format("lower it to {} at most", RowSet::capacity - extra));
  }
  if (block.implementation != DynamicRayShufflingImplementation::model) {
    twin::find_rtl<RayPorts>(RayPorts::sizes_of(block));
  }
}

/// A kernel with rdctrl needs rays of the platform's size, and registers for the rows that no warp has. Throws
/// InputError at the line of rdctrl.
void check_ray_registers(const kernel::Program& program, const SmParameters& parameters) {
  if (program.extension_registers.empty()) return;
  const auto& block = parameters.schemes.of<DynamicRayShufflingParameters>();
  if (program.extension_registers.size() != block.ray_registers) {
    throw InputError(place_in(program),
                     fmt::format("rdctrl lists {} ray registers, and the platform moves {}",
                                 program.extension_registers.size(), block.ray_registers),
                     fmt::format("set {}ray_registers to what the kernel has, if it can be that", block_key));
  }
  const std::uint64_t registers = block.extra_bank ? 0 : RayShuffler::extra_registers(block);
  if (registers <= parameters.register_file.registers) return;
  throw InputError(place_in(program),
                   fmt::format("{} rows of rays beyond those of warps take {} registers, and an SM has {}",
                               RayShuffler::extra_rows(block), registers, parameters.register_file.registers),
                   fmt::format("lower {}backup_rows, set {}extra_bank, or raise gpu.sm.register_file.registers",
                               block_key, block_key));
}

/// Every lane of a row belongs to a thread. Throws InputError at the line of rdctrl if some warp has fewer threads.
void check_whole_warps(const Launch& launch) {
  if (launch.program->extension_registers.empty() || launch.threads_per_block() % warp_size == 0) return;
  throw InputError(
      place_in(*launch.program),
      fmt::format("rdctrl needs warps of {} threads, and a block has {}", warp_size, launch.threads_per_block()),
      "launch blocks of whole warps");
}

void add_figures(const Statistics& totals, std::vector<Figure>& figures) {
  const auto& counted = totals.of<DynamicRayShufflingStatistics>();
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return ratio(static_cast<double>(part), static_cast<double>(whole));
  };
  figures.push_back(
      {"rdctrl_stall_rate", "share", "Times that a warp asked for its control value and had to ask again.",
       "stalls / control_reads of gpu.sm.dynamic_ray_shuffling", share(counted.stalls, counted.control_reads)});
  const std::uint64_t answered = counted.control_reads - counted.stalls;
  figures.push_back({"rdctrl_attempt_stall_rate", "share",
                     "Attempts at rdctrl that would stall if a waiting warp attempted it in every cycle.",
                     "waiting_cycles / (waiting_cycles + control_reads - stalls) of gpu.sm.dynamic_ray_shuffling",
                     share(counted.waiting_cycles, counted.waiting_cycles + answered)});
  figures.push_back({"cycles_per_swap", "cycles", "What a swap of rays between two rows took.",
                     "swap_cycles / swaps of gpu.sm.dynamic_ray_shuffling", share(counted.swap_cycles, counted.swaps)});
}

}  // namespace

const SchemeKind& dynamic_ray_shuffling_scheme() {
  static const SchemeKind kind{
      .part = scheme_part<DynamicRayShufflingParameters>(),
      .beside = true,
      .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
        const SmParameters& sm = place.parameters;
        return make_dynamic_ray_shuffling(name, sm.schemes.of<DynamicRayShufflingParameters>(), sm.warp_slots,
                                          sm.scheduler.count);
      },
      .disagrees = [](const SchemeTraits& paths) -> const char* {
        if (paths.lanes_alone) return "rays change places between whole warps, and its lanes go alone";
        return paths.whole_blocks ? "both move threads" : nullptr;
      },
      .extensions = ray_instructions,
      .check_parameters = check_rows_of_rays,
      .check_program = check_ray_registers,
      .check_launch = check_whole_warps,
      .places_beyond_warps = [](const SmParameters& sm) -> std::uint64_t {
        return RayShuffler::extra_rows(sm.schemes.of<DynamicRayShufflingParameters>()) * warp_size;
      },
      .add_figures = add_figures,
      // The RTL is built for the number of warps of the run, which is larger than in a rehearsal.
      .prepare_rehearsal =
          [](SmParameters& sm) {
            sm.schemes.of<DynamicRayShufflingParameters>().implementation = DynamicRayShufflingImplementation::model;
          }};
  return kind;
}

}  // namespace reconverge
