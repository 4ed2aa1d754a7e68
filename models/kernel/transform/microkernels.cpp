#include "models/kernel/transform/microkernels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/syntax/parser.hpp"
#include "models/kernel/transform/qualification.hpp"

namespace reconverge::kernel {

namespace {

// The kernel that is meant, if there is no doubt: what is wrong with the name the front end says best.
const Function* function_named(const Module& module, std::string_view entry) {
  const auto found = std::find_if(module.functions.begin(), module.functions.end(), [&](const Function& one) {
    return one.entry && one.defined && (entry.empty() || one.name == entry);
  });
  return found == module.functions.end() ? nullptr : &*found;
}

std::string text_of(const MicrokernelOptions& options) {
  std::string text = options.split == SplitAt::loops ? "--split loops" : "--split branches";
  if (options.depth != 0) text += fmt::format(" --depth {}", options.depth);
  if (options.local_in_state) text += " --local state";
  return text;
}

[[noreturn]] void refuse_unsplit(const WrittenKernel& kernel, const MicrokernelOptions& options) {
  const bool loops = options.split == SplitAt::loops;
  kernel.refuse(
      kernel.function().position,
      fmt::format("the kernel '{}' has no {} to split at", kernel.function().name, loops ? "loop" : "divergent branch"),
      loops ? "--split branches splits at branches" : "it needs no micro-kernels");
}

}  // namespace

Microkernels make_microkernels(std::string_view text, std::string_view file, std::string_view entry,
                               const MicrokernelOptions& options) {
  const Module module = parse_module(std::string(text), file);
  const Function* const function = function_named(module, entry);
  if (function != nullptr) refuse_spawning(module, *function);
  const Program program = load_program_text(text, file, entry);
  const WrittenKernel kernel(module, *function);
  const PrintBuffers buffers = find_print_buffers(kernel);
  refuse_what_cannot_spawn(kernel, buffers, options.local_in_state);

  MicrokernelPlan plan;
  const bool loops = options.split == SplitAt::loops;
  plan.splits = split_points(kernel, options.split, options.depth,
                             loops ? std::vector<bool>() : divergent_branches(kernel, program));
  if (plan.splits.empty()) refuse_unsplit(kernel, options);
  plan.local = find_local_state(kernel, buffers);
  plan.stem = free_stem(*module.source);
  plan.labels = microkernel_labels(plan.splits, plan.stem);
  plan.transfers = find_transfers(kernel, plan.splits, Rematerialisation(kernel), plan.local.uses_state);
  plan.layout = lay_out_state(kernel, plan.transfers, plan.local.bytes);

  Microkernels result;
  result.report = report_of(kernel, plan);
  result.text = written_microkernels(kernel, plan, comment_of(result.report, text_of(options)));
  return result;
}

}  // namespace reconverge::kernel
