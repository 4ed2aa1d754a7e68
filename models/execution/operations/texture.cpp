// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/texture.hpp"

#include <algorithm>

#include "models/execution/operations/addressing.hpp"

// tex: elements of a row, a plane or a volume, after the CUDA C++ Programming Guide, "Texture Fetching". A lane whose
// elements are all beyond the border reads zeros without an address.

namespace reconverge::operations {

namespace {

using kernel::Space;
using kernel::TextureAddressing;
using kernel::TextureDescriptor;
using kernel::TextureFilter;

using Rows = std::array<std::array<std::uint32_t, warp_size>, 4>;

/// The descriptor at the handle, which may be an arbitrary value of the kernel.
TextureDescriptor descriptor_at(const Instruction& instruction, ExecutionContext& context, unsigned lane,
                                DeviceAddress handle) {
  TextureDescriptor descriptor;
  const Buffer* buffer = context.memory->find(handle);
  if (buffer != nullptr && buffer->contains(handle, handle, sizeof(descriptor))) {
    read_global(context, handle, std::as_writable_bytes(std::span(&descriptor, 1)));
  }
  if (descriptor.kind != TextureDescriptor::mark) fail_access(instruction, context, lane, handle, "no texture");
  if (descriptor.dimensions != instruction.variant + 1) {
    fail_access(instruction, context, lane, handle, "a texture of another number of dimensions");
  }
  const DeviceAddress first = descriptor.address;
  const auto bytes = descriptor.elements() * descriptor.element_bytes();
  const auto holds_all = [&](const Buffer* data) {
    return data != nullptr && first >= data->address && first + bytes <= data->address + data->bytes;
  };
  if (!holds_all(context.last_buffer)) context.last_buffer = context.memory->find(first);
  if (!holds_all(context.last_buffer)) {
    fail_access(instruction, context, lane, first, "the elements of a texture lie outside every buffer");
  }
  return descriptor;
}

template <typename Channel, bool Normalized>
std::uint32_t component(const std::byte* place) {
  Channel value;
  std::memcpy(&value, place, sizeof value);
  if constexpr (Normalized) {
    // The lowest signed value is no further from zero than the highest.
    const float scaled = static_cast<float>(value) / static_cast<float>(std::numeric_limits<Channel>::max());
    return std::bit_cast<std::uint32_t>(std::max(scaled, -1.0F));
  } else {
    return to_row<Channel>(value);
  }
}

/// What a register gets of the component at a place.
using Component = std::uint32_t (*)(const std::byte* place);

Component component_of(const TextureDescriptor& descriptor) {
  const bool normalized = descriptor.normalized != 0;
  switch (descriptor.channel) {
    case DataType::u8:
      return normalized ? &component<std::uint8_t, true> : &component<std::uint8_t, false>;
    case DataType::s8:
      return normalized ? &component<std::int8_t, true> : &component<std::int8_t, false>;
    case DataType::u16:
      return normalized ? &component<std::uint16_t, true> : &component<std::uint16_t, false>;
    case DataType::s16:
      return normalized ? &component<std::int16_t, true> : &component<std::int16_t, false>;
    default:
      return &component<std::uint32_t, false>;
  }
}

/// A texture, and what reads its components.
struct BoundTexture {
  const TextureDescriptor& descriptor;
  Component component;
};

constexpr std::int64_t outside = -1;

/// The element at position `index` of a dimension.
std::int64_t folded(std::int64_t index, std::int64_t size, TextureAddressing addressing) {
  const auto modulo = [index](std::int64_t period) {
    const std::int64_t rest = index % period;
    return rest < 0 ? rest + period : rest;
  };
  switch (addressing) {
    case TextureAddressing::clamp:
      return std::clamp<std::int64_t>(index, 0, size - 1);
    case TextureAddressing::wrap:
      return modulo(size);
    case TextureAddressing::mirror: {
      const std::int64_t there_and_back = modulo(2 * size);
      return std::min(there_and_back, 2 * size - 1 - there_and_back);
    }
    default:
      return index >= 0 && index < size ? index : outside;
  }
}

/// The elements of one dimension that make a value, and their weights.
struct Taps {
  unsigned count = 1;
  std::array<std::int64_t, 2> index{0, 0};
  std::array<double, 2> weight{1, 0};
};

// Far beyond any texture, and near enough for integers.
constexpr double farthest = 1e15;

Taps taps_at(std::int32_t coordinate, unsigned axis, const TextureDescriptor& texture) {
  Taps taps;
  taps.index[0] = folded(coordinate, static_cast<std::int64_t>(texture.size[axis]), texture.addressing);
  return taps;
}

Taps taps_at(float coordinate, unsigned axis, const TextureDescriptor& texture) {
  const auto size = static_cast<std::int64_t>(texture.size[axis]);
  double place = std::isnan(coordinate) ? 0 : coordinate;
  if (texture.normalized_coordinates != 0) place *= static_cast<double>(size);
  place = std::clamp(place, -farthest, farthest);
  Taps taps;
  const bool linear = texture.filter == TextureFilter::linear;
  if (linear) place -= 0.5;
  const double below = std::floor(place);
  const auto index = static_cast<std::int64_t>(below);
  taps.index[0] = folded(index, size, texture.addressing);
  if (!linear) return taps;
  constexpr double units = 256;  // eight bits of fraction
  const double fraction = std::floor((place - below) * units + 0.5) / units;
  taps.count = 2;
  taps.index[1] = folded(index + 1, size, texture.addressing);
  taps.weight = {1 - fraction, fraction};
  return taps;
}

/// Calls `visit` with the number and the weight of each element within the texture.
template <typename Visit>
void for_each_element(const std::array<Taps, 3>& axes, const TextureDescriptor& texture, Visit visit) {
  for (unsigned z = 0; z < axes[2].count; ++z) {
    for (unsigned y = 0; y < axes[1].count; ++y) {
      for (unsigned x = 0; x < axes[0].count; ++x) {
        const std::int64_t i = axes[0].index[x];
        const std::int64_t j = axes[1].index[y];
        const std::int64_t k = axes[2].index[z];
        if (i == outside || j == outside || k == outside) continue;
        const auto number =
            (static_cast<std::uint64_t>(k) * texture.size[1] + static_cast<std::uint64_t>(j)) * texture.size[0] +
            static_cast<std::uint64_t>(i);
        visit(number, axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z]);
      }
    }
  }
}

/// The four values of one lane; its address, when it reads at all, is that of its first element.
void fetch_lane(const std::array<Taps, 3>& axes, const BoundTexture& bound, ExecutionContext& context, unsigned lane,
                Rows& rows) {
  const TextureDescriptor& texture = bound.descriptor;
  const Component component = bound.component;
  const bool weighed = axes[0].count > 1;
  const unsigned bytes = kernel::bytes_of(texture.channel);
  std::array<double, 4> sum{};
  for_each_element(axes, texture, [&](std::uint64_t number, double weight) {
    const DeviceAddress address = texture.address + number * texture.element_bytes();
    if ((context.access.lanes >> lane & 1U) == 0) context.access.address[lane] = address;
    context.access.lanes |= lane_bit(lane);
    std::array<std::byte, 16> element;
    read_global(context, address, std::span(element).first(texture.element_bytes()));
    for (unsigned i = 0; i < texture.components; ++i) {
      const std::uint32_t value = component(element.data() + std::size_t{i} * bytes);
      rows[i][lane] = value;
      if (weighed) sum[i] += weight * static_cast<double>(std::bit_cast<float>(value));
    }
  });
  if (!weighed) return;
  for (unsigned i = 0; i < texture.components; ++i) {
    rows[i][lane] = std::bit_cast<std::uint32_t>(canonical(static_cast<float>(sum[i])));
  }
}

template <typename Coordinate>
void texture(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint64_t> handles(context, instruction.source[0]);
  const unsigned dimensions = instruction.variant + 1U;
  auto& access = context.access;
  alignas(64) Rows rows{};
  // One texture after another, if lanes have different ones.
  for (LaneMask left = mask; left != 0;) {
    const unsigned first = first_lane(left);
    const DeviceAddress handle = handles[first];
    const TextureDescriptor descriptor = descriptor_at(instruction, context, first, handle);
    const BoundTexture bound{descriptor, component_of(descriptor)};
    access = {};
    access.space = Space::global;
    access.bytes = static_cast<std::uint32_t>(descriptor.element_bytes());
    LaneMask same = 0;
    for_each_lane(left, [&](unsigned lane) {
      if (handles[lane] != handle) return;
      same |= lane_bit(lane);
      std::array<Taps, 3> axes;
      for (unsigned axis = 0; axis < dimensions; ++axis) {
        const Reader<Coordinate> coordinates(context, instruction.source[1 + axis]);
        axes[axis] = taps_at(coordinates[lane], axis, descriptor);
      }
      fetch_lane(axes, bound, context, lane, rows);
    });
    left &= ~same;
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (instruction.destination[i].present()) {
      write_lanes<std::uint32_t>(context, instruction.destination[i], rows[i].data(), mask);
    }
  }
}

}  // namespace

Operation select_texture(const Instruction& instruction) {
  return instruction.source_type == DataType::f32 ? &texture<float> : &texture<std::int32_t>;
}

}  // namespace reconverge::operations
