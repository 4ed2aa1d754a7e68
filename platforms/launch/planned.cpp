// SPDX-License-Identifier: Apache-2.0
// Converts a plan to what machines need.

#include "models/execution/module_variables.hpp"
#include "platforms/launch/plan.hpp"

namespace reconverge::launch {

DeviceAddress PlannedBuffer::place_in(DeviceMemory& memory) const {
  return module ? place_variable(*module, variable, memory) : memory.allocate(name, bytes());
}

TextureView view_of(const PlannedTexture& texture, const PlannedBuffer& buffer, DeviceAddress address) {
  TextureView view;
  view.address = address;
  view.elements = texture.size[0] != 0 ? texture.size[0] : buffer.count / texture.components;
  view.rows = texture.size[1];
  view.layers = texture.size[2];
  view.filter = texture.filter;
  view.addressing = texture.addressing;
  view.normalized_coordinates = texture.normalized_coordinates;
  view.channel = texture.channel;
  view.components = texture.components;
  view.normalized = texture.normalized;
  return view;
}

std::vector<std::uint64_t> LaunchPlan::state_bytes() const {
  std::vector<std::uint64_t> bytes;
  for (const auto& kernel : transformed) bytes.push_back(kernel->state_bytes);
  return bytes;
}

}  // namespace reconverge::launch
