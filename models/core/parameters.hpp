// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parameters as data: the contents of the block files, for loaders, schemas and documentation.
///
/// Models use the generated structs (`blocks/<block>.hpp`) directly. Code that treats every block alike goes
/// through BlockDescription, whose `set` and `get` reach the members of a struct given as `void*`.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "models/core/statistics.hpp"

namespace reconverge {

enum class ParameterType : std::uint8_t {
  count,      ///< std::uint64_t, a plain whole number
  cycles,     ///< std::uint64_t, clock cycles
  bytes,      ///< std::uint64_t, bytes
  frequency,  ///< std::uint64_t, hertz
  ratio,      ///< double, without unit
  flag,       ///< bool
  choice,     ///< a generated enum class
  text,       ///< std::string
  path,       ///< std::string, a file; in YAML relative to the file that gives it; empty for none
  counts,     ///< std::vector<std::uint64_t>
  numbers,    ///< std::vector<double>, without unit
  name,       ///< std::string, a name that a BlockTree knows
  names       ///< std::vector<std::string>, of parts of the block; at least one
};

/// The name as block files write it.
std::string_view to_string(ParameterType type);
std::optional<ParameterType> parameter_type(std::string_view name);
/// The names of all types, in the order of the enumeration.
std::span<const std::string_view> parameter_type_names();
/// The unit in which a value of the type is stored (`bytes`, `Hz`, `cycles`); empty when it has none.
std::string_view unit(ParameterType type);
/// True for the types that have a least and a greatest value.
bool has_range(ParameterType type);
/// True for types for which YAML can give a list.
bool is_list(ParameterType type);

/// The value of any parameter. A choice is the index of the chosen word.
using ParameterValue = std::variant<std::uint64_t, double, bool, std::string, std::vector<std::uint64_t>,
                                    std::vector<double>, std::vector<std::string>>;

/// One parameter of a block. Texts are canonical: `48 KiB`, never `49152`.
struct ParameterDescription {
  std::string_view name;
  ParameterType type = ParameterType::count;
  std::string_view default_text;
  std::string_view minimum;  ///< empty when the type has no range
  std::string_view maximum;
  std::span<const std::string_view>
      choices;              ///< the words of a choice; of name and names in a BlockTree; otherwise empty
  std::string_view source;  ///< the source of the default
  std::string_view text;    ///< one sentence that describes its effect
  void (*set)(void* parameters, const ParameterValue& value) = nullptr;
  ParameterValue (*get)(const void* parameters) = nullptr;
};

struct BlockDescription;

/// A block within a block: the member `name` of the parent's parameters.
struct ChildDescription {
  std::string_view name;
  const BlockDescription* block = nullptr;
  void* (*member)(void* parameters) = nullptr;
};

/// A reason for which a block stalls work of the block that contains it.
struct CauseDescription {
  std::string_view name;
  std::string_view text;  ///< the reason of the wait
};

/// The contents of a block file.
struct BlockDescription {
  std::string_view name;
  std::string_view folder;  ///< where its code lives, from the top of the tree
  std::string_view summary;
  std::span<const ParameterDescription> parameters;
  std::span<const ChildDescription> children;  ///< in report order
  std::string_view parts;                      ///< the member of the type Parts; empty if there are only `children`
  std::size_t parts_at = 0;                    ///< the number of children before those parts
  std::span<const CauseDescription> causes;
  std::span<const StatisticDescription> statistics;
  const StatisticsOperations* counters = nullptr;  ///< null when it has no statistics

  /// True if other blocks can be parts of it: a BlockTree adds them to its own parts.
  bool open_parts() const { return !parts.empty(); }
};

/// Reads a value and checks its range; throws QuantityError.
ParameterValue parse_value(const ParameterDescription& parameter, std::string_view text);
/// The canonical text of a value: parse_value gives the value back.
std::string format_value(const ParameterDescription& parameter, const ParameterValue& value);

template <typename Member>
struct MemberPointer;
template <typename Struct, typename Value>
struct MemberPointer<Value Struct::*> {
  using StructType = Struct;
  using ValueType = Value;
};

/// Assigns to a member of the struct that `parameters` points to; for generated tables.
template <auto member>
void set_member(void* parameters, const ParameterValue& value) {
  using Pointer = MemberPointer<decltype(member)>;
  using Value = typename Pointer::ValueType;
  auto& target = static_cast<typename Pointer::StructType*>(parameters)->*member;
  if constexpr (std::is_enum_v<Value>) {
    target = static_cast<Value>(std::get<std::uint64_t>(value));
  } else {
    target = std::get<Value>(value);
  }
}

/// Reads a member of the struct that `parameters` points to; for generated tables.
template <auto member>
ParameterValue get_member(const void* parameters) {
  using Pointer = MemberPointer<decltype(member)>;
  const auto& value = static_cast<const typename Pointer::StructType*>(parameters)->*member;
  if constexpr (std::is_enum_v<typename Pointer::ValueType>) {
    return static_cast<std::uint64_t>(value);
  } else {
    return value;
  }
}

/// The address of a child's parameters within its parent's; for generated tables.
template <auto member>
void* child_member(void* parameters) {
  return &(static_cast<typename MemberPointer<decltype(member)>::StructType*>(parameters)->*member);
}

/// The block with these parameters as the part `name` of a block whose member `parts` holds them.
template <auto parts, typename Parameters>
ChildDescription part_of(std::string_view name) {
  using Struct = typename MemberPointer<decltype(parts)>::StructType;
  return {name, &Parameters::description(), [](void* parameters) -> void* {
            return &(static_cast<Struct*>(parameters)->*parts).template of<Parameters>();
          }};
}

}  // namespace reconverge
