// SPDX-License-Identifier: Apache-2.0
#include "models/core/signals_held.hpp"

#include <initializer_list>

namespace reconverge {

SignalsHeld::SignalsHeld() {
  sigset_t held;
  sigemptyset(&held);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &earlier_);
}

SignalsHeld::~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &earlier_, nullptr); }

}  // namespace reconverge
