// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Waits of host threads for each other that are usually short: a thread first spins, then sleeps, so that a host with
/// fewer idle cores than threads loses little time.

#include <atomic>

namespace reconverge {

/// Returns as soon as `value` is no longer `old`. The code that changes it must call notify_all.
template <typename T>
void wait_until_changed(const std::atomic<T>& value, T old) {
  // About as long as it takes to put a thread to sleep and to wake it.
  constexpr unsigned spins = 2000;
  for (unsigned i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace reconverge
