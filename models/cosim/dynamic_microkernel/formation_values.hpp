// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values at the pins of dynamic warp formation in a cycle. Plain data, no SystemC.

#include <array>
#include <optional>

#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

/// Addresses count entries from the beginning of the formation area.
struct FormationInputs {
  std::uint32_t regions = 0;  ///< parts of the area
  bool spawn = false;
  bool commit = false;
  kernel::Pc pc = 0;
  LaneMask lanes = 0;
  bool pop = false;
  bool force = false;
  std::array<std::uint64_t, 4> release{};  ///< one bit for each part
};

/// A warp that can begin.
struct FormationWarp {
  kernel::Pc pc = 0;
  std::uint32_t region = 0;
  std::uint32_t threads = 0;  ///< of a partial warp
};

/// The answer to a spawn.
struct FormationSpawn {
  std::uint32_t stall = 0;  ///< 0: none, 1: area, 2: FIFO
  bool completes = false;
  LaneMask lanes = 0;  ///< lanes with an address
  std::array<std::uint32_t, warp_size> address{};
};

struct FormationOutputs {
  std::optional<FormationSpawn> spawn = {};
  std::optional<FormationWarp> full = {};
  std::optional<FormationWarp> partial = {};
};

}  // namespace reconverge
