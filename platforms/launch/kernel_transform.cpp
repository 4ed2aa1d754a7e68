// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/kernel_transform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/quantity.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/transform/microkernels.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::launch {

namespace {

using kernel::LocalArrays;
using kernel::MicrokernelOptions;

// Alignment of vector accesses.
constexpr std::uint64_t state_alignment = 16;

constexpr std::string_view state_name = "state_bytes";

LocalArrays place_of(KernelTransformLocal local) {
  switch (local) {
    case KernelTransformLocal::global:
      return LocalArrays::global;
    case KernelTransformLocal::state:
      return LocalArrays::state;
    case KernelTransformLocal::refuse:
      break;
  }
  return LocalArrays::refuse;
}

kernel::GoesOn goes_on(KernelTransformAdaptive adaptive) {
  switch (adaptive) {
    case KernelTransformAdaptive::rounds:
      return kernel::GoesOn::rounds;
    case KernelTransformAdaptive::anywhere:
      return kernel::GoesOn::anywhere;
    case KernelTransformAdaptive::nowhere:
      break;
  }
  return kernel::GoesOn::nowhere;
}

MicrokernelOptions options_of(const KernelTransformParameters& parameters) {
  MicrokernelOptions options;
  options.split = parameters.split == KernelTransformSplit::loops ? kernel::SplitAt::loops : kernel::SplitAt::branches;
  options.depth = static_cast<std::uint32_t>(parameters.depth);
  options.from_depth = static_cast<std::uint32_t>(parameters.from_depth);
  options.adaptive = goes_on(parameters.adaptive);
  options.least = static_cast<std::uint32_t>(parameters.least);
  options.local = place_of(parameters.local);
  return options;
}

/// The scheme of the machine under which threads create others.
const SchemeKind& creating_scheme(const ExperimentParameters& parameters, Kinds kinds) {
  if (!machine_of(parameters, kinds).traits.sms) {
    throw ParameterError("transform.kind",
                         fmt::format("the machine is {}, on which no threads create others", parameters.machine),
                         "set machine to timed, or transform.kind to none");
  }
  const auto creates = [](const SchemeKind* kind) {
    return kind->extensions != nullptr &&
           std::ranges::any_of(kind->extensions(), &kernel::ExtensionInstruction::target) &&
           std::ranges::find(kind->part.block->parameters, state_name, &ParameterDescription::name) !=
               kind->part.block->parameters.end();
  };
  const std::vector<const SchemeKind*> own = schemes_of(parameters.gpu.sm, kinds.schemes);
  if (const auto found = std::ranges::find_if(own, creates); found != own.end()) return **found;
  std::string names;
  for (const SchemeKind* kind : kinds.schemes) {
    if (creates(kind)) names += fmt::format("{}{}", names.empty() ? "" : " or ", kind->part.name);
  }
  throw ParameterError("transform.kind",
                       fmt::format("threads of gpu.sm.scheme: {} create no others", scheme_names(parameters.gpu.sm)),
                       fmt::format("set gpu.sm.scheme to {}, or transform.kind to none", names));
}

/// The scheme's parameter of that name: bytes of state that a thread leaves to a thread that it creates.
const ParameterDescription& state_parameter(const SchemeKind& scheme) {
  return *std::ranges::find(scheme.part.block->parameters, state_name, &ParameterDescription::name);
}

}  // namespace

bool transforms(const KernelTransformParameters& parameters) {
  return parameters.kind == KernelTransformKind::microkernels;
}

TransformedKernel transformed(const kernel::Program& original, const KernelTransformParameters& parameters,
                              std::string file, SchemeList schemes) {
  kernel::Microkernels made = about_parameter("transform.kind", [&] {
    return kernel::make_microkernels(read_input(original.file, input::ptx), original.file, original.name,
                                     options_of(parameters));
  });
  TransformedKernel result;
  result.program = kernel::load_program_text(made.text, file, original.name, extensions_of(schemes));
  result.file = std::move(file);
  result.original = original.file;
  result.text = std::move(made.text);
  result.state_bytes = made.report.state_bytes;
  result.array_bytes = made.report.array_bytes;
  return result;
}

GpuParameters fitted_gpu(const ExperimentParameters& parameters, const std::vector<std::uint64_t>& state_bytes,
                         Kinds kinds) {
  GpuParameters gpu = parameters.gpu;
  if (state_bytes.empty()) return gpu;
  const SchemeKind& scheme = creating_scheme(parameters, kinds);
  const auto [least, most] = std::ranges::minmax(state_bytes);
  // States of several kernels are aligned for the vectors of the most demanding one. With an even number of vectors,
  // all states would begin in a few banks, so such states get one more.
  const std::uint64_t aligned = (most + state_alignment - 1) / state_alignment * state_alignment;
  const std::uint64_t packed = least == most ? most : aligned;
  const std::uint64_t fit = packed % (2 * state_alignment) == 0 ? packed + state_alignment : packed;
  const ParameterDescription& parameter = state_parameter(scheme);
  void* const owner = scheme.part.member(&gpu.sm);
  if (parameters.transform.state == KernelTransformState::fit) {
    try {
      parameter.set(owner, parse_value(parameter, fmt::format("{} B", fit)));
    } catch (const QuantityError& error) {
      throw ParameterError("transform.kind", fmt::format("the state of a thread: {}", error.what()),
                           "local arrays may lie in global memory (transform.local)");
    }
    return gpu;
  }
  const auto given = std::get<std::uint64_t>(parameter.get(owner));
  if (given != packed && (given < aligned || given % state_alignment != 0)) {
    const std::string key = fmt::format("gpu.sm.{}.{}", scheme.part.name, state_name);
    throw ParameterError(
        "transform.state", fmt::format("a thread leaves up to {} bytes, and {} is {}", most, key, given),
        fmt::format("set that to {}, or a multiple of {} above, or transform.state to fit", fit, state_alignment));
  }
  return gpu;
}

}  // namespace reconverge::launch
