// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/partition/partition.hpp"

namespace reconverge::kernel {

namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string values_text(const Partition& partition, const PassArray& array) {
  std::string text;
  for (const ValueId value : array.values) {
    const bool predicate = value >= partition.program->register_rows;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", predicate ? "p" : "r",
                        predicate ? value - partition.program->register_rows : value);
  }
  return text;
}

/// The arrays that a kernel uses in one way, each with the letter of its array.
template <typename Does>
std::string arrays_text(const Partition& partition, const PassKernel& kernel, bool from, const Does& does) {
  std::string text;
  for (const ArrayUse& use : kernel.arrays) {
    if (!does(use)) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", use.array);
    const bool known = partition.static_bindings && partition.arrays[use.array].double_buffered;
    if (known) text += (from ? use.from : use.to) == 0 ? "a" : "b";
  }
  return text.empty() ? "none" : text;
}

std::string counters_text(const Partition& partition, const PassKernel& kernel) {
  if (!partition.static_bindings) return "reads either array of program counters";
  return fmt::format("reads program counters {}", kernel.from == 0 ? "a" : "b");
}

std::vector<std::uint32_t> in_order(const Partition& partition) {
  std::vector<std::uint32_t> order(partition.kernels.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[partition.kernels[i].order] = i;
  return order;
}

}  // namespace

std::string partition_text(const Partition& partition) {
  std::string text;
  const auto twice = static_cast<std::size_t>(std::ranges::count_if(partition.arrays, &PassArray::double_buffered));
  const auto copies = static_cast<std::size_t>(std::ranges::count_if(partition.kernels, &PassKernel::copies));
  text += fmt::format("{}, {} of them copying; {}, {} of them double-buffered\n",
                      counted(partition.kernels.size(), "kernel"), copies, counted(partition.arrays.size(), "array"),
                      twice);
  for (std::size_t i = 0; i < partition.arrays.size(); ++i) {
    const PassArray& array = partition.arrays[i];
    text += fmt::format("array {}: {}, {} bytes{}\n", i, values_text(partition, array), array.bytes(),
                        array.double_buffered ? ", twice (a and b)" : "");
  }
  for (const std::uint32_t number : in_order(partition)) {
    const PassKernel& kernel = partition.kernels[number];
    text += fmt::format("{}{}: {}, {}\n", kernel.name, kernel.copies() ? " copies" : "",
                        counted(kernel.instructions, "instruction"), counters_text(partition, kernel));
    text += fmt::format("  reads {}; writes {}; copies {}\n",
                        arrays_text(partition, kernel, true, [](const ArrayUse& use) { return use.read; }),
                        arrays_text(partition, kernel, false, [](const ArrayUse& use) { return use.written; }),
                        arrays_text(partition, kernel, false, [](const ArrayUse& use) { return use.copied; }));
    if (!kernel.uniforms.empty())
      text += fmt::format("  {} that all threads share\n", counted(kernel.uniforms.size(), "word"));
    if (kernel.passes + kernel.copy_passes > 1)
      text += fmt::format("  {} passes, for its outputs\n", kernel.passes + kernel.copy_passes);
    for (const std::uint32_t to : kernel.successors) text += fmt::format("  to {}\n", partition.kernels[to].name);
  }
  return text;
}

std::string partition_dot(const Partition& partition) {
  std::string text = "digraph passes {\n  node [shape=box, fontname=\"monospace\"];\n";
  for (std::uint32_t number = 0; number < partition.kernels.size(); ++number) {
    const PassKernel& kernel = partition.kernels[number];
    text += fmt::format("  k{} [label=\"{}\\n{} instructions\\nreads {}\\nwrites {}\\ncopies {}\"{}];\n", number,
                        kernel.name, kernel.instructions,
                        arrays_text(partition, kernel, true, [](const ArrayUse& use) { return use.read; }),
                        arrays_text(partition, kernel, false, [](const ArrayUse& use) { return use.written; }),
                        arrays_text(partition, kernel, false, [](const ArrayUse& use) { return use.copied; }),
                        kernel.copies() ? ", style=rounded" : "");
  }
  for (std::uint32_t number = 0; number < partition.kernels.size(); ++number) {
    const PassKernel& kernel = partition.kernels[number];
    // Program counters of the array that the kernel reads, a or b.
    const std::string_view label =
        !partition.static_bindings ? "" : (kernel.from == 0 ? " [label=\"a to b\"]" : " [label=\"b to a\"]");
    for (const std::uint32_t to : kernel.successors) text += fmt::format("  k{} -> k{}{};\n", number, to, label);
  }
  return text + "}\n";
}

}  // namespace reconverge::kernel
