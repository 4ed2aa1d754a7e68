// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/trace_instructions.hpp"

#include <array>
#include <bit>

#include "models/schemes/raytrace/ray_traversal.hpp"

namespace reconverge {

namespace {

using kernel::DataType;
using kernel::ExtensionInstruction;
using kernel::ExtensionThread;

void trace_closest(ExtensionThread& thread) {
  const auto [nodes, rows, triangle_of_row, ray, none] = thread.sources;
  const scenes::Hit hit = traverse(thread, {nodes, rows, triangle_of_row}, ray, false);
  thread.destinations = {std::bit_cast<std::uint32_t>(hit.t), std::bit_cast<std::uint32_t>(hit.u),
                         std::bit_cast<std::uint32_t>(hit.v), static_cast<std::uint32_t>(hit.triangle)};
}

void trace_any(ExtensionThread& thread) {
  const auto [nodes, rows, ray, none, nor_this] = thread.sources;
  thread.destinations[0] = traverse(thread, {nodes, rows, 0}, ray, true).triangle >= 0 ? 1 : 0;
}

}  // namespace

std::span<const ExtensionInstruction> trace_instructions() {
  static const std::array all = {
      ExtensionInstruction{.mnemonic = "trace.closest.f32",
                           .destinations = {DataType::f32, DataType::f32, DataType::f32, DataType::s32},
                           .sources = {DataType::u64, DataType::u64, DataType::u64, DataType::u64},
                           .type = DataType::f32,
                           .compute = trace_closest,
                           .asynchronous = true},
      ExtensionInstruction{.mnemonic = "trace.any.u32",
                           .destinations = {DataType::u32},
                           .sources = {DataType::u64, DataType::u64, DataType::u64},
                           .type = DataType::u32,
                           .compute = trace_any,
                           .asynchronous = true}};
  return all;
}

}  // namespace reconverge
