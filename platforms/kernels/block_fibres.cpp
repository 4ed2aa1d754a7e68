// SPDX-License-Identifier: Apache-2.0
#include "platforms/kernels/block_fibres.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(RECONVERGE_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#elif defined(RECONVERGE_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace reconverge::kernels {

namespace {

/// Ample for a kernel, which has small frames and inlined calls.
constexpr std::size_t stack_bytes = std::size_t{256} << 10;

/// An execution context. Sanitizers must be told of every switch from one stack to another.
struct Fibre {
  ucontext_t context{};
  const void* stack = nullptr;
  std::size_t size = 0;
  [[maybe_unused]] void* sanitizer_state = nullptr;
};

#if defined(RECONVERGE_THREAD_SANITIZER)
void* make_sanitizer_state() { return __tsan_create_fiber(0); }
void destroy_sanitizer_state(void* state) { __tsan_destroy_fiber(state); }
void* sanitizer_state_of_host() { return __tsan_get_current_fiber(); }
#else
void* make_sanitizer_state() { return nullptr; }
void destroy_sanitizer_state(void* /*state*/) {}
void* sanitizer_state_of_host() { return nullptr; }
#endif

/// Switches from one fibre to another; returns on a switch back. `ending`: there will be none.
void change_fibre(Fibre& from, Fibre& to, [[maybe_unused]] bool ending) {
#if defined(RECONVERGE_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(ending ? nullptr : &from.sanitizer_state, to.stack, to.size);
#elif defined(RECONVERGE_THREAD_SANITIZER)
  __tsan_switch_to_fiber(to.sanitizer_state, 0);
#endif
  swapcontext(&from.context, &to.context);
#if defined(RECONVERGE_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(from.sanitizer_state, nullptr, nullptr);
#endif
}

/// The entry function of a new fibre; `from` is the fibre that entered it.
void arrive([[maybe_unused]] Fibre& from) {
#if defined(RECONVERGE_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(nullptr, &from.stack, &from.size);
#endif
}

/// The threads that a thread waits for.
enum class Waits : std::uint8_t { nobody, warp, block };

constexpr unsigned warp_threads = 32;

struct ThreadFibre : Fibre {
  std::unique_ptr<std::byte[]> memory;  // NOLINT(modernize-avoid-c-arrays): a stack, left uninitialised on purpose
  ThreadPlace place;
  Waits waits = Waits::nobody;
  bool finished = false;
};

/// The block that this host thread runs. Kernels call synchronise() and have no reference to fibres.
thread_local BlockFibres::State* current = nullptr;

}  // namespace

struct BlockFibres::State {
  Fibre host;
  std::vector<ThreadFibre> fibres;
  ThreadFibre* running = nullptr;
  const std::function<void(unsigned)>* thread = nullptr;

  /// Runs the fibre to its next barrier or its end.
  void enter(ThreadFibre& fibre) {
    running = &fibre;
    std::swap(place, fibre.place);
    change_fibre(host, fibre, false);
    std::swap(place, fibre.place);
  }

  void leave() { change_fibre(*running, host, running->finished); }

  void wait(Waits whom) {
    running->waits = whom;
    leave();
  }

  unsigned number_of(const ThreadFibre& fibre) const { return static_cast<unsigned>(&fibre - fibres.data()); }

  /// Releases the threads that wait as `whom` says, if all live threads of `some` do.
  static bool release(std::span<ThreadFibre> some, Waits whom) {
    bool any = false;
    for (const ThreadFibre& fibre : some) {
      if (fibre.finished) continue;
      if (fibre.waits != whom) return false;
      any = true;
    }
    for (ThreadFibre& fibre : some) fibre.waits = Waits::nobody;
    return any;
  }

  /// Whether any thread was released.
  bool release_waiting() {
    bool released = release(fibres, Waits::block);
    for (std::size_t first = 0; first < fibres.size(); first += warp_threads) {
      const std::size_t count = std::min<std::size_t>(warp_threads, fibres.size() - first);
      released = release(std::span(fibres).subspan(first, count), Waits::warp) || released;
    }
    return released;
  }

  static void start() {
    State& state = *current;
    arrive(state.host);
    ThreadFibre& self = *state.running;
    (*state.thread)(state.number_of(self));
    self.finished = true;
    state.leave();
  }
};

BlockFibres::BlockFibres(unsigned threads) : state_(std::make_unique<State>()) {
  state_->fibres.resize(threads);
  for (ThreadFibre& fibre : state_->fibres) {
    fibre.memory = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
    fibre.stack = fibre.memory.get();
    fibre.size = stack_bytes;
    fibre.sanitizer_state = make_sanitizer_state();
  }
}

BlockFibres::~BlockFibres() {
  for (const ThreadFibre& fibre : state_->fibres) destroy_sanitizer_state(fibre.sanitizer_state);
}

void BlockFibres::run(const std::function<void(unsigned)>& thread) {
  BlockFibres::State* const outer = std::exchange(current, state_.get());
  state_->thread = &thread;
  state_->host.sanitizer_state = sanitizer_state_of_host();
  for (ThreadFibre& fibre : state_->fibres) {
    getcontext(&fibre.context);
    fibre.context.uc_stack.ss_sp = fibre.memory.get();
    fibre.context.uc_stack.ss_size = fibre.size;
    fibre.context.uc_link = nullptr;
    makecontext(&fibre.context, &State::start, 0);
    fibre.finished = false;
    fibre.waits = Waits::nobody;
  }
  do {
    for (ThreadFibre& fibre : state_->fibres) {
      if (!fibre.finished && fibre.waits == Waits::nobody) state_->enter(fibre);
    }
  } while (state_->release_waiting());
  current = outer;
  for (const ThreadFibre& fibre : state_->fibres) {
    if (!fibre.finished) throw std::logic_error("threads of a twin wait for others that never come");
  }
}

namespace {

BlockFibres::State& running_block() {
  if (current == nullptr) {
    throw std::logic_error("a barrier in a twin that is not declared to have any; see platforms/kernels/twins.cpp");
  }
  return *current;
}

}  // namespace

void synchronise() { running_block().wait(Waits::block); }

void synchronise_warp() { running_block().wait(Waits::warp); }

unsigned running_thread() {
  const BlockFibres::State& block = running_block();
  return block.number_of(*block.running);
}

}  // namespace reconverge::kernels
