// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/state_addresses.hpp"

#include <algorithm>

namespace reconverge {

StateAddresses::StateAddresses(sc_core::sc_module_name name) : sc_module(name), claims("claims"), releases("releases") {
  claims.bind(static_cast<ControlTarget<StateClaim>&>(*this));
  releases.bind(static_cast<ControlTarget<StateRelease>&>(*this));
}

void StateAddresses::begin(std::size_t threads) {
  touched_.assign(threads, false);
  untouched_ = threads;
  list_.clear();
}

void StateAddresses::b_transport(StateClaim& claim, sc_core::sc_time& /*delay*/) {
  claim.state = claim.thread;
  if (touched_[claim.state]) {
    if (!list_.empty()) {
      claim.state = list_.front();
      list_.pop_front();
      return;
    }
    claim.state = static_cast<std::uint32_t>(std::ranges::find(touched_, false) - touched_.begin());
  }
  touched_[claim.state] = true;
  --untouched_;
}

void StateAddresses::b_transport(StateRelease& release, sc_core::sc_time& /*delay*/) { list_.push_back(release.state); }

}  // namespace reconverge
