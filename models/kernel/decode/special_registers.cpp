// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/special_registers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

namespace {

using Name = std::string_view;

constexpr auto others = std::to_array<std::pair<Name, Name>>({{"%clusterid.x", "%ctaid.x"},
                                                              {"%clusterid.y", "%ctaid.y"},
                                                              {"%clusterid.z", "%ctaid.z"},
                                                              {"%nclusterid.x", "%nctaid.x"},
                                                              {"%nclusterid.y", "%nctaid.y"},
                                                              {"%nclusterid.z", "%nctaid.z"}});

constexpr auto ones =
    std::to_array<Name>({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank"});

constexpr auto zeros = std::to_array<Name>({"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
                                            "%cluster_ctarank", "%is_explicit_cluster", "%current_graph_exec"});

constexpr std::uint32_t reserved_bytes = 1024;

// The region begins at address 0, as on GPUs. The PTX ISA does not define the purpose of the two offsets in it; each
// gets half of the region. Cooperative groups store up to 288 bytes at the second offset.
constexpr auto reserved =
    std::to_array<std::pair<Name, std::uint32_t>>({{"%reserved_smem_offset_begin", 0},
                                                   {"%reserved_smem_offset_end", reserved_bytes},
                                                   {"%reserved_smem_offset_cap", reserved_bytes},
                                                   {"%reserved_smem_offset_0", 0},
                                                   {"%reserved_smem_offset_1", reserved_bytes / 2}});

constexpr unsigned first_with_reserved = 80;
constexpr unsigned first_with_clusters = 90;

/// Whether `name` is `stem`, a number below `count`, and `tail`.
bool is_numbered(Name name, Name stem, unsigned count, Name tail = "") {
  if (!name.starts_with(stem) || !name.ends_with(tail) || name.size() <= stem.size() + tail.size()) return false;
  const Name digits = name.substr(stem.size(), name.size() - stem.size() - tail.size());
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} && end == digits.data() + digits.size() && number < count;
}

template <std::size_t size>
bool contains(const std::array<Name, size>& names, Name name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<SyntaxOperand> special_register_alias(const SyntaxOperand& operand) {
  SyntaxOperand result = operand;
  for (const auto& [name, other] : others) {
    if (name != operand.name) continue;
    result.name = other;
    return result;
  }
  const Name name = operand.name;
  for (const auto& [reserved_name, offset] : reserved) {
    if (reserved_name != name) continue;
    result.kind = SyntaxOperand::Kind::integer;
    result.integer = offset;
    return result;
  }
  // Its address is the grid's, which is stored in separate rows.
  const bool is_workspace = name == name_of(SpecialRow::envreg1) || name == name_of(SpecialRow::envreg2);
  const bool is_zero = contains(zeros, name) || (is_numbered(name, "%envreg", 32) && !is_workspace) ||
                       is_numbered(name, "%pm", 8) || is_numbered(name, "%pm", 8, "_64");
  if (!is_zero && !contains(ones, name)) return std::nullopt;
  result.kind = SyntaxOperand::Kind::integer;
  result.integer = is_zero ? 0 : 1;
  return result;
}

bool names_reserved_shared(std::string_view name) {
  return std::any_of(reserved.begin(), reserved.end(), [&](const auto& one) { return one.first == name; });
}

unsigned first_target_of(std::string_view name) {
  if (names_reserved_shared(name)) return first_with_reserved;
  return name == "%aggr_smem_size" ? first_with_clusters : 0;
}

unsigned target_number(std::string_view target) {
  unsigned number = 0;
  if (const std::size_t at = target.find('_'); at != std::string_view::npos) {
    std::from_chars(target.data() + at + 1, target.data() + target.size(), number);
  }
  return number;
}

std::uint32_t reserved_shared_bytes(std::string_view target) {
  return target_number(target) >= first_with_reserved ? reserved_bytes : 0;
}

}  // namespace reconverge::kernel
