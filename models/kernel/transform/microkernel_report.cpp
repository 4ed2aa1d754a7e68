// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/microkernel_report.hpp"

#include <fmt/format.h>

namespace reconverge::kernel {

namespace {

std::string values_of(const WrittenKernel& kernel, const MicrokernelPlan& plan, const StateItem& item) {
  if (!item.predicates) return name_of(plan, kernel.values[item.index]);
  std::string text;
  for (ValueId value = 0; value < kernel.values.size(); ++value) {
    const bool passes = kernel.values[value].predicate() && [&] {
      for (const MicrokernelEntry& entry : plan.transfers.entries) {
        if (entry.passed[value]) return true;
      }
      return false;
    }();
    if (!passes || plan.transfers.predicates[value].word != item.index) continue;
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", kernel.values[value].name,
                        plan.transfers.predicates[value].bit);
  }
  return text;
}

}  // namespace

MicrokernelReport report_of(const WrittenKernel& kernel, const MicrokernelPlan& plan) {
  const auto bytes = [&](const ValueSet& values) {
    return bytes_of(accesses_to(plan.layout, kernel, plan.transfers, values));
  };
  MicrokernelReport report;
  report.kernel = std::string(kernel.function().name);
  report.state_bytes = plan.layout.bytes;
  report.local_bytes = plan.local.state_bytes();
  report.array_bytes = plan.local.global_bytes();
  for (std::size_t i = 0; i < plan.splits.size(); ++i) {
    const MicrokernelEntry& entry = plan.transfers.entries[i];
    report.microkernels.push_back({plan.labels[i], plan.splits[i].line, bytes(entry.passed), bytes(entry.loaded)});
  }
  for (const SpawnEdge& edge : plan.transfers.edges) {
    const bool at_top = edge.from == BasicBlock::no_block;
    report.spawns.push_back(
        {at_top ? 0 : kernel.line_of(kernel.blocks[edge.from].end - 1), plan.labels[edge.split], bytes(edge.stored)});
  }
  for (const StateItem& item : plan.layout.items)
    report.places.push_back({item.offset, item.bytes, values_of(kernel, plan, item)});
  return report;
}

std::string comment_of(const MicrokernelReport& report, std::string_view how) {
  std::string text =
      fmt::format("// Micro-kernels of '{}', made by: reconverge transform microkernels {}\n", report.kernel, how);
  text += fmt::format(
      "// {} bytes of state a thread, {} micro-kernels. Lines are those of the PTX they were made of.\n//\n",
      report.state_bytes, report.microkernels.size());
  text += fmt::format("// {:<24}{:>8}{:>8}\n", "micro-kernel", "passed", "loaded");
  for (const MicrokernelReport::Microkernel& one : report.microkernels)
    text += fmt::format("// {:<24}{:>8}{:>8}\n", one.label, one.passed, one.loaded);
  text += fmt::format("//\n// {:<24}{:>8}{:>8}\n", "spawn of", "line", "stored");
  for (const MicrokernelReport::Spawn& one : report.spawns)
    text += fmt::format("// {:<24}{:>8}{:>8}\n", one.label, one.line, one.stored);
  text += fmt::format("//\n// {:<8}{:>6}  value\n", "place", "bytes");
  for (const MicrokernelReport::Place& one : report.places)
    text += fmt::format("// {:<8}{:>6}  {}\n", one.offset, one.bytes, one.values);
  if (report.local_bytes != 0) text += fmt::format("// the rest{:>5}  local arrays\n", report.local_bytes);
  if (report.array_bytes != 0) {
    text += fmt::format(
        "//\n// One parameter more, the last: the address of {} bytes of global memory for each thread of the "
        "launch.\n",
        report.array_bytes);
  }
  return text + "\n";
}

}  // namespace reconverge::kernel
