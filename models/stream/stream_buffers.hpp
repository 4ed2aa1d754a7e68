// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Timing model of a stream processor's memory: transfers are served one after another at its bandwidth.
///
///     requests <- bytes to move

#include "models/protocols/control.hpp"
#include "models/stream/messages.hpp"

namespace reconverge {

class StreamBuffers final : public sc_core::sc_module, private ControlTarget<TransferRequest> {
 public:
  /// `bytes`: bandwidth in bytes per cycle.
  StreamBuffers(sc_core::sc_module_name name, std::uint64_t bytes)
      : sc_module(name), requests("requests"), bytes_(bytes) {
    requests.bind(*this);
  }

  ControlTargetSocket<TransferRequest> requests;

 private:
  void b_transport(TransferRequest& request, sc_core::sc_time& /*delay*/) override {
    free_ = std::max(free_, request.now) + (request.bytes + bytes_ - 1) / bytes_;
    request.done = free_;
  }

  std::uint64_t bytes_;
  Cycle free_ = 0;
};

}  // namespace reconverge
