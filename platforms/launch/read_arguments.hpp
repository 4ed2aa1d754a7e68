// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reads kernel arguments from their YAML form into the bytes of the kernel's parameters.

#include <optional>
#include <span>

#include "platforms/launch/plan.hpp"
#include "platforms/launch/yaml_value.hpp"

namespace reconverge::launch {

/// The element type of a PTX type. Nothing for types that are not numbers.
std::optional<ElementType> element_type_of(kernel::DataType type);

/// A whole number, or {count_of: BUFFER, times: N}.
std::uint64_t read_count(const Value& value, std::span<const PlannedBuffer> buffers);

/// The texture that `fields` describe; the key `name` names its buffer.
PlannedTexture read_texture(const Fields& fields, std::string_view name, std::span<const PlannedBuffer> buffers);

/// Fills `parameters`, `addresses` and `textures` of the launch, whose program is known. `list` is null if the launch
/// gives no arguments. Throws InputError that names the parameter and its PTX type.
void read_arguments(const Value& launch_value, const std::optional<Value>& list, std::span<const PlannedBuffer> buffers,
                    PlannedLaunch& launch);

}  // namespace reconverge::launch
