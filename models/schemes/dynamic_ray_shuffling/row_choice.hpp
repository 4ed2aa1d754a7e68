// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The greedy choice of what to swap (Lü et al., MICRO 2017, section 3.2.4): three special rows, each served by its own
/// unit.
///
/// Two rows collect the fetch rays and the leaf rays of rows that are not uniform; a row that has filled up becomes an
/// ordinary row again. The third row gives its inner rays to rows that already have some. Rays go to empty lanes first;
/// if there are none, they are swapped with other rays. Of several candidate rows, the lowest is taken.

#include <array>

#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

/// The rows that a choice depends on.
struct ChoiceRows {
  RowSummary table;
  RowSet bound;
  RowSet swapping;
};

/// By unit: the row in which it collects rays, or from which it ejects them.
using SpecialRows = std::array<std::optional<std::size_t>, shuffle_units>;

/// The rows of a swap, and the special row of the unit after the choice.
struct RowChoice {
  std::optional<std::size_t> source;  ///< without one there is no swap
  std::optional<std::size_t> destination;
  std::optional<std::size_t> special;
};

RowChoice choose_rows(ShuffleUnit unit, const ChoiceRows& rows, const SpecialRows& special);

/// The state of the rays that a unit moves.
RayState state_of(ShuffleUnit unit);

/// The swap that gives rays in `state` from one row to another: as many as the destination has lanes for, the lowest
/// lanes first.
RaySwap swap_of(const RowRead& source, const RowRead& destination, RayState state);

/// The states that the source's lanes have after the swap. `destination`: before it.
RayStates moved_back(const RaySwap& swap, const RayStates& destination);

}  // namespace reconverge
