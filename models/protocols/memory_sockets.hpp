// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Binding of blocks to the sockets of memory traffic (models/protocols/memory.hpp): ordinary TLM-2.0 sockets, with a
/// direct call from one block to the function of the other.

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tlm>
#include <vector>

namespace reconverge {

using MemoryTargetSocket = tlm::tlm_target_socket<>;
using MemoryInitiatorSocket = tlm::tlm_initiator_socket<>;

/// The base class of a block that is bound to a MemoryTargetSocket: it overrides nb_transport_fw.
class MemoryTarget : public tlm::tlm_fw_transport_if<> {
 private:
  void b_transport(tlm::tlm_generic_payload& /*payload*/, sc_core::sc_time& /*delay*/) final {
    SC_REPORT_ERROR("/reconverge/memory", "memory traffic goes by nb_transport");
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& /*dmi*/) final { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& /*payload*/) final { return 0; }
};

/// The base class of a block that is bound to MemoryInitiatorSockets: it overrides nb_transport_bw.
class MemoryInitiator : public tlm::tlm_bw_transport_if<> {
 private:
  void invalidate_direct_mem_ptr(sc_dt::uint64 /*first*/, sc_dt::uint64 /*last*/) final {}
};

/// A target of any number of initiators, each with a separate socket. The block has a function `take(initiator,
/// payload, phase, delay)`, whose first argument is the number of the caller: 0, 1, ... in the order of `add`.
template <typename Block>
class MemoryTargets {
 public:
  explicit MemoryTargets(Block& block) : block_(block) {}

  /// Adds a socket for another initiator, to be bound before simulation begins. SystemC places it in the module that is
  /// being constructed, so its name contains that of the block.
  MemoryTargetSocket& add() {
    const auto number = static_cast<std::uint32_t>(targets_.size());
    const std::string name = fmt::format("{}_requests_{}", block_.basename(), number);
    return targets_.emplace_back(std::make_unique<Target>(name.c_str(), block_, number))->socket;
  }
  std::size_t size() const { return targets_.size(); }
  /// The socket for answers to this initiator.
  MemoryTargetSocket& operator[](std::uint32_t initiator) { return targets_[initiator]->socket; }

 private:
  // A module, because sockets must belong to a module.
  struct Target final : sc_core::sc_module, MemoryTarget {
    Target(sc_core::sc_module_name name, Block& whose, std::uint32_t which)
        : sc_module(name), socket("socket"), block(whose), number(which) {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      return block.take(number, payload, phase, delay);
    }

    MemoryTargetSocket socket;
    Block& block;
    std::uint32_t number;
  };

  Block& block_;
  std::vector<std::unique_ptr<Target>> targets_;
};

}  // namespace reconverge
