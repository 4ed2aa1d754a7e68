// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Requests to a channel of DRAM, and the banks that they wait for.

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"

namespace reconverge {

struct DramRequest {
  tlm::tlm_generic_payload* payload = nullptr;  ///< null: a write, which is answered when it is accepted
  std::uint32_t initiator = 0;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  std::uint32_t bursts = 0;
  bool write = false;
  bool activated = false;   ///< its row had to be opened
  bool precharged = false;  ///< another row had to be closed for it
  Cycle arrival = 0;
  std::uint64_t order = 0;  ///< order in which the scheduler got it
  std::uint32_t next = 0;   ///< next request of its bank, if there is one
};

/// A bank: its open row, when its next commands may be issued, and its requests in order.
struct DramBank {
  static constexpr std::uint64_t closed = ~std::uint64_t{0};
  static constexpr std::uint32_t none = ~0U;

  std::uint64_t open_row = closed;
  Cycle next_activate = 0;
  Cycle next_precharge = 0;
  Cycle next_column = 0;  ///< read or write

  std::uint32_t first = none;
  std::uint32_t last = none;
  std::uint32_t current = none;  ///< the request that commands are issued for
  std::uint32_t before = none;   ///< the request before it in the list
  std::uint64_t passed = 0;      ///< consecutive row hits that were served before the first request

  void append(std::vector<DramRequest>& pool, std::uint32_t request);
  /// Makes the first request current or, with `row_hits`, the first request to the open row.
  void choose(const std::vector<DramRequest>& pool, bool row_hits);
  /// Removes the current request; then there is no current one.
  void finish_current(std::vector<DramRequest>& pool);
};

}  // namespace reconverge
