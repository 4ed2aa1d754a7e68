// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Statistics as data: raw counters with their meaning and unit.
///
/// A block counts in the plain members of its generated struct (`++statistics_.hits`). Reports read any such struct
/// through a StatisticsView. Ratios are functions of these numbers and belong to the reports.

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace reconverge {

/// Counters indexed by the names of an enumeration, whose values run from zero.
template <typename Index, std::size_t size_>
struct Bins {
  std::array<std::uint64_t, size_> values{};

  constexpr std::uint64_t& operator[](Index index) { return values[static_cast<std::size_t>(index)]; }
  constexpr std::uint64_t operator[](Index index) const { return values[static_cast<std::size_t>(index)]; }
  static constexpr std::size_t size() { return size_; }
  bool operator==(const Bins&) const = default;
};

/// Bins that a row of counters reserves for causes of parts that a block file does not name.
inline constexpr std::size_t most_open_bins = 24;
inline constexpr std::size_t no_bin = ~std::size_t{0};

/// One statistic of a block: a counter, or a row of counters.
struct StatisticDescription {
  std::string_view name;
  std::string_view unit;                        ///< what is counted: `requests`, `cycles`, `warp instructions`
  std::string_view text;                        ///< one sentence that describes when it changes
  std::size_t bins = 0;                         ///< length of the row; zero for a single counter
  std::span<const std::string_view> bin_names;  ///< empty when the bins are numbered from zero
  /// The bin that `most_open_bins` counters replace; no_bin: none. In a block file it is one bin, their sum. A
  /// BlockTree replaces it with the causes of its parts, `open_bins` of them.
  std::size_t open_bin = no_bin;
  std::size_t open_bins = 0;
  std::span<const std::uint64_t> (*values)(const void* statistics) = nullptr;  ///< one value, or one a counter
};

/// The bin of counter number `counter` in a row whose bin `open` has `most_open_bins` counters.
constexpr std::size_t bin_of_counter(std::size_t counter, std::size_t open) {
  if (counter < open) return counter;
  return counter < open + most_open_bins ? open : counter - most_open_bins + 1;
}

/// The name of a bin: as declared, or its number.
std::string bin_name(const StatisticDescription& statistic, std::size_t bin);
/// The sum of all bins.
std::uint64_t sum(std::span<const std::uint64_t> values);

/// Any block's statistics, by reference: the struct must outlive the view.
class StatisticsView {
 public:
  template <typename Statistics>
  explicit StatisticsView(const Statistics& statistics) : StatisticsView(statistics, Statistics::descriptions()) {}
  /// `descriptions`: of the block, completed by a BlockTree.
  template <typename Statistics>
  StatisticsView(const Statistics& statistics, std::span<const StatisticDescription> descriptions)
      : descriptions_(descriptions), statistics_(&statistics) {}

  std::span<const StatisticDescription> descriptions() const { return descriptions_; }
  /// One value for each bin, or a single one.
  std::vector<std::uint64_t> values(const StatisticDescription& statistic) const;
  /// Calls `visit(const StatisticDescription&, std::span<const std::uint64_t>)` in the order of the block file.
  template <typename Visit>
  void visit(Visit&& visitor) const {
    for (const StatisticDescription& statistic : descriptions_) {
      const std::vector<std::uint64_t> counted = values(statistic);
      visitor(statistic, std::span<const std::uint64_t>(counted));
    }
  }

 private:
  std::span<const StatisticDescription> descriptions_;
  const void* statistics_;
};

/// Operations on a block's counters without naming their struct, which is stored in a std::any.
struct StatisticsOperations {
  std::any (*make)() = nullptr;  ///< all zero
  void (*add)(std::any& total, const std::any& other) = nullptr;
  void (*subtract)(std::any& total, const std::any& other) = nullptr;
  StatisticsView (*view)(const std::any& statistics, std::span<const StatisticDescription> descriptions) = nullptr;
  std::span<std::byte> (*bytes)(std::any& statistics) = nullptr;  ///< of the struct
};

/// The operations of one generated struct; for generated tables.
template <typename Counters>
inline constexpr StatisticsOperations statistics_operations{
    .make = [] { return std::any(Counters{}); },
    .add = [](std::any& total,
              const std::any& other) { std::any_cast<Counters&>(total) += std::any_cast<const Counters&>(other); },
    .subtract = [](std::any& total,
                   const std::any& other) { std::any_cast<Counters&>(total) -= std::any_cast<const Counters&>(other); },
    .view =
        [](const std::any& statistics, std::span<const StatisticDescription> descriptions) {
          return StatisticsView(std::any_cast<const Counters&>(statistics), descriptions);
        },
    .bytes = [](std::any& statistics) -> std::span<std::byte> {
      static_assert(std::is_trivially_copyable_v<Counters>);
      return std::as_writable_bytes(std::span(&std::any_cast<Counters&>(statistics), 1));
    }};

template <typename Member>
struct CounterPointer;
template <typename Struct, typename Value>
struct CounterPointer<Value Struct::*> {
  using StructType = Struct;
  using ValueType = Value;
};

/// The counters of a member of the struct that `statistics` points to; for generated tables.
template <auto member>
std::span<const std::uint64_t> counter_values(const void* statistics) {
  using Pointer = CounterPointer<decltype(member)>;
  const auto& value = static_cast<const typename Pointer::StructType*>(statistics)->*member;
  if constexpr (std::is_same_v<typename Pointer::ValueType, std::uint64_t>) {
    return {&value, 1};
  } else if constexpr (requires { value.values; }) {
    return value.values;
  } else {
    return value;
  }
}

/// Adds counter by counter; for generated `operator+=`.
constexpr void add_counters(std::uint64_t& total, std::uint64_t value) { total += value; }
template <std::size_t size>
constexpr void add_counters(std::array<std::uint64_t, size>& total, const std::array<std::uint64_t, size>& values) {
  for (std::size_t i = 0; i < size; ++i) total[i] += values[i];
}
template <typename Index, std::size_t size>
constexpr void add_counters(Bins<Index, size>& total, const Bins<Index, size>& bins) {
  add_counters(total.values, bins.values);
}

/// Subtracts counter by counter; for generated `operator-=`.
constexpr void subtract_counters(std::uint64_t& total, std::uint64_t value) { total -= value; }
template <std::size_t size>
constexpr void subtract_counters(std::array<std::uint64_t, size>& total,
                                 const std::array<std::uint64_t, size>& values) {
  for (std::size_t i = 0; i < size; ++i) total[i] -= values[i];
}
template <typename Index, std::size_t size>
constexpr void subtract_counters(Bins<Index, size>& total, const Bins<Index, size>& bins) {
  subtract_counters(total.values, bins.values);
}

}  // namespace reconverge
