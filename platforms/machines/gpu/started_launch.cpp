// SPDX-License-Identifier: Apache-2.0
/// Launches that run while a simulation of other modules lets time pass. The GPU's own process finds their end: it
/// depends only on what SMs and memory have to do, not on whether other modules are active.
#include <algorithm>
#include <exception>
#include <utility>

#include "models/core/error.hpp"
#include "platforms/machines/gpu/gpu.hpp"

namespace reconverge {

void Gpu::start(const Launch& launch) {
  if (stopped_) throw ExecutionError("the simulator failed: no further launch is possible");
  if (started_) throw ExecutionError("a started launch has not ended: wait for it before the next one");
  const bool needs_workspace = launch.cooperative && launch.grid_workspace == 0;
  if (needs_workspace) {
    if (const std::uint64_t most = blocks_at_once(launch); most != 0) check_cooperative(launch, most);
  }
  // The SMs refer to the launch until it has ended.
  started_ = needs_workspace ? with_grid_workspace(launch, memory_) : launch;
  finished_.reset();
  failure_ = nullptr;
  try {
    begin(*started_);
  } catch (...) {
    started_.reset();
    throw;
  }
  looked_ = start_;
}

void Gpu::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

void Gpu::abort() {
  if (started_ && !finished_) give_up(std::make_exception_ptr(ExecutionError("the launch was aborted")));
}

void Gpu::give_up(std::exception_ptr error) {
  failure_ = std::move(error);
  error_ = nullptr;
  for (Share& share : shares_) share.error = nullptr;
  if (!finished_) finished_ = finish();
  for (auto& sm : sms_) sm->abandon();
}

void Gpu::look_after_started() {
  try {
    if (error_) std::rethrow_exception(error_);
    if (ended() || failure_) {
      if (!finished_) finished_ = finish();
      if (awake()) return;  // requests are in flight
      check_conservation();
      return complete_started(*finished_);
    }
    if (!awake()) throw_deadlock(*started_);
    if (clock_.now() - looked_ < report_interval) return;
    looked_ = clock_.now();
    look_for_circles(*started_);
  } catch (const ExecutionError&) {
    stopped_ = false;
    give_up(std::current_exception());
  } catch (...) {
    failure_ = std::current_exception();
    stopped_ = true;
    wake_.cancel();
    complete_started(clock_.now() + 1);
  }
}

void Gpu::complete_started(Cycle end) {
  quiet_ = quiet_after(end);
  started_.reset();
  const Cycle now = clock_.cycle_at(sc_core::sc_time_stamp());
  done_.notify(clock_.time_until(std::max(quiet_, now)));
}

}  // namespace reconverge
