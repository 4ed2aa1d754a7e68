// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/twin.hpp"

#include <fmt/format.h>

#include "blocks/sm.hpp"
#include "models/core/error.hpp"
#include "models/cosim/dynamic_microkernel/formation_pins.hpp"
#include "models/cosim/dynamic_microkernel/rtl_formation.hpp"
#include "models/cosim/twin/compared.hpp"
#include "models/schemes/dynamic_microkernel/dynamic_microkernel.hpp"
#include "models/schemes/dynamic_microkernel/spawn_checks.hpp"
#include "models/schemes/dynamic_microkernel/spawn_instructions.hpp"
#include "models/schemes/dynamic_microkernel/warp_formation.hpp"

namespace reconverge {

namespace {

using Implementation = DynamicMicrokernelImplementation;
using ComparedFormation = twin::Compared<FormationPorts>;

const DynamicMicrokernelParameters& block_of(const SmParameters& parameters) {
  return parameters.schemes.of<DynamicMicrokernelParameters>();
}

std::unique_ptr<Formation> make_formation(const char* name, const DynamicMicrokernelParameters& parameters) {
  switch (parameters.implementation) {
    case Implementation::rtl:
      return std::make_unique<RtlFormation>(name, parameters);
    case Implementation::lockstep:
      return std::make_unique<FormationPins<ComparedFormation>>(
          name, parameters.lut_lines, parameters.fifo, [parameters](std::uint32_t regions) {
            return std::make_unique<ComparedFormation>(
                twin::make_rtl<FormationPorts>({parameters.lut_lines, parameters.fifo, regions}));
          });
    case Implementation::model:
      break;
  }
  return std::make_unique<WarpFormation>(name, parameters.lut_lines, parameters.fifo);
}

/// Throws ParameterError if a state is not a whole number of words, or if the selected RTL was not built.
void check_parameters(const SmParameters& parameters) {
  const DynamicMicrokernelParameters& block = block_of(parameters);
  if (block.state_bytes % 4 != 0) {
    throw ParameterError("gpu.sm.dynamic_microkernel.state_bytes", "a state is a whole number of words",
                         "give a multiple of 4");
  }
  if (block.implementation != Implementation::model) twin::find_rtl<FormationPorts>({block.lut_lines, block.fifo});
}

void check_program(const kernel::Program& program, const SmParameters& parameters) {
  const DynamicMicrokernelParameters& block = block_of(parameters);
  check_spawns(program, block);
  constexpr std::size_t most = std::size_t{1} << FormationPorts::kernel_pc_bits;
  if (block.implementation == Implementation::model || program.instructions.size() <= most) return;
  throw ParameterError("gpu.sm.dynamic_microkernel.implementation",
                       fmt::format("kernel '{}' has {} instructions, and the RTL addresses for {}", program.name,
                                   program.instructions.size(), most),
                       "take `model`");
}

}  // namespace

const SchemeKind& dynamic_microkernel_scheme() {
  static const SchemeKind kind{
      .part = scheme_part<DynamicMicrokernelParameters>(),
      .traits = {.threads = true},
      .beside = true,
      .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
        return std::make_unique<DynamicMicrokernel>(name, block_of(place.parameters), place, make_formation);
      },
      .disagrees = [](const SchemeTraits& paths) -> const char* {
        return paths.lanes_alone ? "threads that run alone have no warps to be made of" : nullptr;
      },
      .extensions = spawn_instructions,
      .check_parameters = check_parameters,
      .check_program = check_program,
      // Model and RTL give the same errors, so a rehearsal does not need the RTL of the launch.
      .prepare_rehearsal =
          [](SmParameters& sm) {
            sm.schemes.of<DynamicMicrokernelParameters>().implementation = Implementation::model;
          }};
  return kind;
}

}  // namespace reconverge
