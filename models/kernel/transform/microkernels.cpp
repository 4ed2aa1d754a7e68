// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/microkernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/syntax/parser.hpp"
#include "models/kernel/transform/qualification.hpp"

namespace reconverge::kernel {

namespace {

// The selected kernel, if it is unambiguous; the front end reports errors in the name.
const Function* function_named(const Module& module, std::string_view entry) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(), [&](const Function& one) {
    return one.entry && one.defined && (entry.empty() || one.name == entry);
  });
  return found == module.functions.end() ? nullptr : &*found;
}

std::string text_of(const MicrokernelOptions& options) {
  std::string text = options.split == SplitAt::loops ? "--split loops" : "--split branches";
  if (options.from_depth > 1) text += fmt::format(" --from-depth {}", options.from_depth);
  if (options.depth != 0) text += fmt::format(" --depth {}", options.depth);
  if (options.local != LocalArrays::refuse)
    text += options.local == LocalArrays::state ? " --local state" : " --local global";
  constexpr std::array<std::string_view, 3> adaptive{"nowhere", "rounds", "anywhere"};
  text += fmt::format(" --adaptive {}", adaptive.at(static_cast<std::size_t>(options.adaptive)));
  if (options.least != 0) text += fmt::format(" --least {}", options.least);
  return text;
}

[[noreturn]] void refuse_unsplit(const WrittenKernel& kernel, const MicrokernelOptions& options) {
  const bool loops = options.split == SplitAt::loops;
  const bool any_depth = options.depth == 0 && options.from_depth <= 1;
  const std::string_view what = !loops ? "divergent branch" : any_depth ? "loop" : "loop of that depth";
  kernel.refuse(kernel.function().position,
                fmt::format("the kernel '{}' has no {} to split at", kernel.function().name, what),
                !loops      ? "it needs no micro-kernels"
                : any_depth ? "--split branches splits at branches"
                            : "outermost loops have depth 1, those in them 2");
}

}  // namespace

Microkernels make_microkernels(std::string_view text, std::string_view file, std::string_view entry,
                               const MicrokernelOptions& options) {
  if (options.split == SplitAt::branches && (options.depth != 0 || options.from_depth > 1))
    throw InputError({std::string(file), 0, 0}, "a depth is about loops", "leave it out where all branches are split");
  const Module module = parse_module(std::string(text), file);
  const Function* const function = function_named(module, entry);
  if (function != nullptr) refuse_spawning(module, *function);
  const Program program = load_program_text(text, file, entry);
  WrittenKernel kernel(module, *function);
  const PrintBuffers buffers = find_print_buffers(kernel);
  refuse_what_cannot_spawn(kernel, buffers, options.local != LocalArrays::refuse);

  MicrokernelPlan plan;
  plan.local = find_local_state(kernel, buffers, options.local);
  const bool in_global = plan.local.global_bytes() != 0;
  if (in_global) kernel.add_value({WrittenValue::Kind::arrays, "local arrays", DataType::b64}, plan.local.uses_state);
  const bool loops = options.split == SplitAt::loops;
  plan.splits = split_points(kernel, options.split, {options.from_depth, options.depth}, options.least,
                             loops ? std::vector<bool>() : divergent_branches(kernel, program));
  if (plan.splits.empty()) refuse_unsplit(kernel, options);
  plan.stem = free_stem(*module.source);
  plan.labels = microkernel_labels(plan.splits, plan.stem);
  const std::vector<bool> none(kernel.operations.size(), false);
  plan.transfers = find_transfers(kernel, plan.splits, Rematerialisation(kernel),
                                  in_global ? none : plan.local.uses_state, options.adaptive);
  plan.layout = lay_out_state(kernel, plan.transfers, plan.local.state_bytes());

  Microkernels result;
  result.report = report_of(kernel, plan);
  result.text = written_microkernels(kernel, plan, comment_of(result.report, text_of(options)));
  return result;
}

}  // namespace reconverge::kernel
