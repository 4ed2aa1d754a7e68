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
                                                              {"%nclusterid.z", "%nctaid.z"},
                                                              {"%aggr_smem_size", "%total_smem_size"}});

constexpr auto ones =
    std::to_array<Name>({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z", "%cluster_nctarank"});

constexpr auto zeros = std::to_array<Name>(
    {"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z", "%cluster_ctarank", "%is_explicit_cluster",
     "%current_graph_exec", "%reserved_smem_offset_begin", "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
     "%reserved_smem_offset_0", "%reserved_smem_offset_1"});

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
  // Its address is that of the grid, in rows of their own.
  const bool is_workspace = name == name_of(SpecialRow::envreg1) || name == name_of(SpecialRow::envreg2);
  const bool is_zero = contains(zeros, name) || (is_numbered(name, "%envreg", 32) && !is_workspace) ||
                       is_numbered(name, "%pm", 8) || is_numbered(name, "%pm", 8, "_64");
  if (!is_zero && !contains(ones, name)) return std::nullopt;
  result.kind = SyntaxOperand::Kind::integer;
  result.integer = is_zero ? 0 : 1;
  return result;
}

}  // namespace reconverge::kernel
