// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/turn.hpp"

#include <systemc>

namespace reconverge::embedding {

namespace {

std::recursive_mutex& simulations() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

Turn::Turn(sc_core::sc_simcontext* simulation) : lock_(simulations()), outer_(sc_core::sc_curr_simcontext) {
  sc_core::sc_curr_simcontext = simulation;
}

Turn::~Turn() { sc_core::sc_curr_simcontext = outer_; }

sc_core::sc_simcontext* Turn::current() { return sc_core::sc_curr_simcontext; }

}  // namespace reconverge::embedding
